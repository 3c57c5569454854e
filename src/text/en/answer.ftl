# Words of the picture, the answer and the charts.

# Words of the frame, the inputs and the dialogs.

app-name = Meshwright
app-title = Meshwright: plan a GPU cluster
not-available = N/A

# Units that are words
unit-microseconds = { $value } µs
unit-milliseconds = { $value } ms
unit-seconds = { $value } s
unit-minutes = { $value } min
unit-hours = { $value } h
unit-days = { $value } days

# Panes
pane-inputs = Inputs
pane-picture = Picture
pane-answer = Answer
pane-details = Details
panes = Panes

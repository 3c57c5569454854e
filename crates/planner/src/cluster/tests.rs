//! Graphs, bounds and pictures.

//! The walk over all legal layouts.

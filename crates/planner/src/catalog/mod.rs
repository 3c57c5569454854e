//! The catalog: accelerators, machines, prices, platforms, operations and model presets.

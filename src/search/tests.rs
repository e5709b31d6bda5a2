//! Properties that hold for every engine.

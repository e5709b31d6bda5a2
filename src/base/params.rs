//! Parameters (filled in with the engine table).

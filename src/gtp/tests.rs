//! What front ends rely on.

//! Measures drawing against peers.
fn main() {}

//! Sets the linker flags of a Node addon, which differ by platform.

fn main() {
    napi_build::setup();
}

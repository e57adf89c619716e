#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // For some drawings tiny-skia panics. The caller of the reader catches that; libFuzzer ends at it all the same.
    if bytes.get(2) != Some(&b'<') {
        qrpress_fuzz_targets::picture(bytes);
    }
});

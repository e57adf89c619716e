#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| qrpress_fuzz_targets::modules(bytes));

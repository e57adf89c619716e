//! Replays every seed: examples of each kind of input, and what fuzzers once found.

use std::fs;
use std::path::PathBuf;

use qrpress_fuzz_targets::TARGETS;

#[test]
fn every_seed_passes() {
    let seeds = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (name, run) in TARGETS {
        let mut files: Vec<PathBuf> =
            fs::read_dir(seeds.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{name} has few seeds");
        for file in files {
            println!("{}", file.display());
            let bytes = fs::read(file).unwrap();
            run(&bytes);
            // Cut off, it is another input.
            run(&bytes[..bytes.len() / 2]);
        }
    }
}

//! Measures archives of small stored entries against the `zip` crate in the same run, without a disk:
//! `cargo bench -p qrpress-zip [-- ENTRIES]`.

use std::{
    convert::Infallible,
    env, error,
    io::{self, Write},
    time::{Duration, Instant},
};

use qrpress_zip::{SegmentWriter, ZipSegment, write_tail};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// A typical image at scale 10.
const DATA: [u8; 650] = [0x5a; 650];
const ENTRIES_PER_SEGMENT: usize = 10_000;
const ROUNDS: usize = 5;

type Result<T> = std::result::Result<T, Box<dyn error::Error>>;

fn main() -> Result<()> {
    let entries: u32 = env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let names: Vec<String> = (0..entries).map(|i| format!("example.com-products-{i:07}.png")).collect();
    let directories = write_segments(&names)?;

    println!("{entries} entries of {} bytes, best of {ROUNDS}", DATA.len());
    let peer = best(|| write_with_zip(&names))?;
    for (name, took) in [
        ("zip crate, streaming", peer),
        ("segments and tail", best(|| write_tail_of(&write_segments(&names)?))?),
        ("of which the tail", best(|| write_tail_of(&directories))?),
    ] {
        let seconds = took.as_secs_f64();
        let entries = f64::from(entries);
        let (rate, nanoseconds) = (entries / seconds, seconds * 1e9 / entries);
        let ratio = peer.as_secs_f64() / seconds;
        println!("{name:<22} {rate:>11.0} entries/s {nanoseconds:>7.1} ns/entry {ratio:>6.1} x");
    }
    Ok(())
}

/// Writes the names' entries in segments; answers each one's directory.
fn write_segments(names: &[String]) -> Result<Vec<ZipSegment<Vec<u8>>>> {
    let mut segments = Vec::new();
    for names in names.chunks(ENTRIES_PER_SEGMENT) {
        let mut directory = Vec::new();
        let mut writer = SegmentWriter::new(io::sink(), &mut directory);
        for name in names {
            let Ok(()) = writer.entry(name, |buffer| {
                buffer.extend_from_slice(&DATA);
                Ok::<_, Infallible>(())
            })?;
        }
        let segment_bytes = writer.finish()?.segment_bytes;
        segments.push(ZipSegment { directory, segment_bytes });
    }
    Ok(segments)
}

fn write_tail_of(segments: &[ZipSegment<Vec<u8>>]) -> Result<()> {
    let segments = segments.iter().map(|segment| {
        Ok(ZipSegment { directory: segment.directory.as_slice(), segment_bytes: segment.segment_bytes })
    });
    write_tail(segments, &mut io::sink())?;
    Ok(())
}

fn write_with_zip(names: &[String]) -> Result<()> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new_stream(io::sink());
    for name in names {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(&DATA)?;
    }
    writer.finish()?;
    Ok(())
}

/// The shortest of several runs.
fn best(mut run: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut shortest = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        run()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

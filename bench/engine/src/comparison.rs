//! Measures contestants in turns, so that whatever else the machine does hits all of them. The fastest turn of each counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::json;

/// Turns of every contestant.
const TURNS: usize = 15;
/// Least time of a turn.
const TURN: Duration = Duration::from_millis(12);
/// Texts after which the turn may end.
const TEXTS_BETWEEN_LOOKS: usize = 16;

/// The work on one text. Its result, if any, goes to the buffer, which is empty before.
type Work<'a> = Box<dyn FnMut(&str, &mut Vec<u8>) + 'a>;

struct Contestant<'a> {
    name: String,
    work: Work<'a>,
    fastest: f64,
    bytes: usize,
}

/// One workload, and the contestants that are measured on it.
pub(crate) struct Comparison<'a> {
    workload: &'static str,
    texts: Vec<String>,
    contestants: Vec<Contestant<'a>>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(workload: &'static str, texts: Vec<String>) -> Self {
        Self { workload, texts, contestants: Vec::new() }
    }

    pub(crate) fn add(mut self, name: impl Into<String>, work: impl FnMut(&str, &mut Vec<u8>) + 'a) -> Self {
        let (name, work) = (name.into(), Box::new(work));
        self.contestants.push(Contestant { name, work, fastest: f64::INFINITY, bytes: 0 });
        self
    }

    /// Measures all contestants, and prints a line for each.
    pub(crate) fn run(mut self) {
        let mut out = Vec::new();
        for Contestant { work, bytes, .. } in &mut self.contestants {
            for text in &self.texts {
                out.clear();
                work(text, &mut out);
                *bytes += out.len();
            }
        }
        for _ in 0..TURNS {
            for Contestant { work, fastest, .. } in &mut self.contestants {
                *fastest = fastest.min(turn(&self.texts, work, &mut out));
            }
        }
        for Contestant { name, fastest, bytes, .. } in self.contestants {
            let bytes = bytes / self.texts.len();
            print_result(self.workload, &name, fastest, (bytes > 0).then_some(bytes));
        }
    }
}

/// Nanoseconds for one text, on average over a turn.
fn turn(texts: &[String], work: &mut Work, out: &mut Vec<u8>) -> f64 {
    let start = Instant::now();
    let mut count = 0_u32;
    // The clock is read so rarely that it costs the fastest contestant nothing.
    for texts in texts.chunks(TEXTS_BETWEEN_LOOKS).cycle() {
        for text in texts {
            out.clear();
            work(black_box(text), out);
            black_box(out.last());
        }
        count += texts.len() as u32;
        if start.elapsed() >= TURN {
            break;
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(count)
}

/// A line for `bench/engine.js`.
pub(crate) fn print_result(workload: &str, name: &str, nanoseconds: f64, bytes: Option<usize>) {
    println!("{}", json!({ "workload": workload, "name": name, "nanoseconds": nanoseconds, "bytes": bytes }));
}

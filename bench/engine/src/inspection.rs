//! From a body of 60-byte URLs to a synced spool on one thread, beside `serde_json` and the bare disk. A line of JSON follows
//! each table.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use qrpress_batch::inspect::{InspectReport, InspectRequest, inspect_body, read_envelope};
use qrpress_batch::{Body, BodyForm, FontSet, ItemLimits, Names, OutputFormat, RenderStyle, SpoolHeader};
use qrpress_testkit::{fonts, item_limits};
use serde::Deserialize;

const ROUNDS: usize = 5;

/// Measures with that number of items, in folders on the file systems to compare.
pub(crate) fn inspection(items: u64, folders: &[PathBuf]) {
    for folder in folders {
        let scratch = qrpress_testkit::TempDir::within(folder).unwrap();
        for (name, members) in
            [("data", ""), ("data, filename, caption", r#","filename":"labél #","caption":"No. #""#)]
        {
            println!("{items} items of {name} in {}", folder.display());
            Bench::new(scratch.path(), fonts(), items, members).run();
        }
    }
}

/// The item as others would read it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the reading is measured")]
struct Item<'a> {
    #[serde(borrow)]
    data: Cow<'a, str>,
    #[serde(borrow)]
    filename: Option<Cow<'a, str>>,
    #[serde(borrow)]
    caption: Option<Cow<'a, str>>,
}

struct Bench {
    fonts: Arc<FontSet>,
    body: PathBuf,
    spool: PathBuf,
    items: u64,
    json: String,
}

impl Bench {
    fn new(folder: &Path, fonts: &Arc<FontSet>, items: u64, members: &str) -> Self {
        let mut body = String::from("{}\n");
        for item in 0..items {
            let members = members.replace('#', &item.to_string());
            let data = format!("https://shop.example.com/catalogue/item/{item:08}?ref=label01");
            assert_eq!(data.len(), 60);
            writeln!(body, "{{\"data\":\"{data}\"{members}}}").unwrap();
        }
        let (path, spool) = (folder.join("body"), folder.join("spool"));
        fs::write(&path, body).unwrap();
        Self { fonts: Arc::clone(fonts), body: path, spool, items, json: String::new() }
    }

    fn run(mut self) {
        let mut spool_bytes = 0;
        self.stage("read the file", |bench| {
            black_box(fs::read(&bench.body).unwrap());
        });
        self.stage("read it, and each line with serde_json", |bench| {
            let body = fs::read(&bench.body).unwrap();
            for line in body.split(|&byte| byte == b'\n').skip(1).filter(|line| !line.is_empty()) {
                black_box(serde_json::from_slice::<Item<'_>>(line).unwrap());
            }
        });
        self.stage("inspect, rules only", |bench| {
            assert_eq!(bench.inspect(false).refusal, None);
        });
        self.stage("inspect, spool written and synced", |bench| {
            spool_bytes = bench.inspect(true).spool.unwrap().bytes;
        });
        let block = vec![7; 256 * 1024];
        self.stage("only write and sync as many bytes", |bench| {
            let mut file = File::create(&bench.spool).unwrap();
            let mut left = spool_bytes as usize;
            while left > 0 {
                let bytes = left.min(block.len());
                file.write_all(&block[..bytes]).unwrap();
                left -= bytes;
            }
            file.sync_all().unwrap();
        });
        println!("{{{}}}", self.json);
    }

    fn inspect(&self, with_job: bool) -> InspectReport {
        let header = SpoolHeader::new(OutputFormat::Png, RenderStyle::default());
        let form = BodyForm::Ndjson;
        inspect_body(&InspectRequest {
            body: Body::File(&self.body),
            form,
            fonts: &self.fonts,
            items: read_envelope(Body::File(&self.body), form).unwrap().items.unwrap(),
            limits: ItemLimits { max_items: self.items, ..item_limits!(ItemLimits) },
            job: with_job.then_some(&header),
            spool: Some(&self.spool),
            chunk_items: 2000,
            skip_faulty: false,
            names: Names::of_form(form),
            time: Duration::from_secs(600),
        })
        .unwrap()
    }

    /// Prints the best of some rounds: by the clock, and by the CPU's time where Linux tells it, which waits for neither
    /// the disk nor other processes.
    fn stage(&mut self, name: &str, mut work: impl FnMut(&Self)) {
        let mut best = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            // Missing in most stages: what matters is that none of an earlier round is there.
            _ = fs::remove_file(&self.spool);
            let (start, cpu_start) = (Instant::now(), cpu_time());
            work(self);
            best[0] = best[0].min(start.elapsed());
            best[1] = best[1].min(cpu_time().saturating_sub(cpu_start));
        }
        let [clock, cpu] = best.map(|time| time.as_nanos() / u128::from(self.items));
        println!("  {name:<40} {clock:>6} ns an item, {cpu:>6} ns of CPU");
        let comma = if self.json.is_empty() { "" } else { "," };
        write!(self.json, "{comma}\"{name}\":{{\"clock\":{clock},\"cpu\":{cpu}}}").unwrap();
    }
}

/// The processor time of this thread so far, or nothing where it can't be known. Larger bodies have more threads.
fn cpu_time() -> Duration {
    let schedule = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let running = schedule.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    Duration::from_nanos(running.unwrap_or(0))
}

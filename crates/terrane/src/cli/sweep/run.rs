//! One run of a sweep.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use terrane::testing;
use terrane_flow::{
    Diagnostics, Engine, LoadOptions, Loaded, Reference, Registry, Wanted, load_file, suggest,
};

use super::args::Sweep;
use super::cases::{Case, Cases};
use super::metric::{Curve, Metric, asked};
use super::sheet;
use super::table::Row;
use crate::cli::args::{self, Load};
use crate::cli::console::Failure;
use crate::cli::thumbnail::{Rgb, shrink};
use crate::cli::{memory, run, session};

/// Bytes of values that stay in memory for the runs that follow.
const MEMORY: u64 = 1 << 30;

/// What all runs are made with.
pub struct Runs<'a> {
    graph: &'a Path,
    registry: Registry,
    options: LoadOptions,
    pub engine: Engine,
    /// How many runs at once.
    pub workers: usize,
    metrics: Vec<Metric>,
    names: &'a [String],
    picture: Option<Reference>,
    /// Whether curves are asked for.
    curves: bool,
    /// Metrics of rows that the table has already, by key.
    known: HashMap<String, Vec<(String, f64)>>,
    /// Hashes of files that graphs read.
    files: Mutex<HashMap<PathBuf, Option<blake3::Hash>>>,
}

/// What came of a run.
pub struct Done {
    pub row: Row,
    pub picture: Option<Rgb>,
    pub curves: Vec<Curve>,
    /// What metrics lack.
    pub missing: Vec<Missing>,
    /// Whether the row was in the table already.
    pub kept: bool,
}

/// Numbers that there are not, since the table of this run has no such row.
pub struct Missing {
    /// Their columns.
    pub columns: Vec<String>,
    pub message: String,
    pub help: String,
}

impl Done {
    const fn row(row: Row, kept: bool) -> Self {
        Self { row, picture: None, curves: Vec::new(), missing: Vec::new(), kept }
    }
}

impl<'a> Runs<'a> {
    /// Checks everything that can be checked before anything runs.
    pub fn new(
        args: &'a Sweep,
        cases: &Cases,
        known: HashMap<String, Vec<(String, f64)>>,
    ) -> Result<Self, Failure> {
        let load = Load {
            graph: args.graph.clone(),
            seed: None,
            size: args.size.clone().filter(|_| !cases.sized),
            set: Vec::new(),
            allow_outside: args.allow_outside,
        };
        let options = session::load_options(&load)?;
        let registry = terrane_nodes::registry();
        let (mut metrics, mut shown, mut forecast) = (None, None, 0);
        for case in cases.samples() {
            let loaded = load_file(&args.graph, &registry, &with(&options, &case))?;
            if metrics.is_none() {
                metrics = Some(asked(&args.metric, &loaded.graph)?);
                shown = args.picture.as_deref().map(|name| picture(name, &loaded)).transpose()?;
            }
            let wanted = metrics.iter().flatten().map(|metric| &metric.reference).chain(&shown);
            let positions: Vec<(usize, usize)> =
                wanted.filter_map(|reference| loaded.graph.find(reference).ok()).collect();
            forecast = loaded.plan.forecast(&loaded.graph, &positions).max(forecast);
        }
        let metrics = metrics.unwrap_or_default();
        if args.curves.is_some() && metrics.iter().all(|metric| metric.place.is_none()) {
            return Err(Failure::usage(
                "--curves has nothing to draw",
                "let a metric name a row of a table with many, such as thermal.history.score@last",
            ));
        }
        session::check_memory(forecast, false)?;
        let engine = session::engine(
            &args::Engine {
                threads: args.threads,
                no_cache: args.no_cache,
                cache_dir: args.cache_dir.clone(),
                cache_size: args.cache_size.clone(),
                json: false,
                profile: false,
            },
            MEMORY,
        )?;
        let workers = workers(args.threads, forecast).min(cases.len());
        let files = Mutex::default();
        Ok(Self {
            graph: &args.graph,
            registry,
            options,
            engine,
            workers,
            metrics,
            names: &args.metric,
            picture: shown,
            curves: args.curves.is_some(),
            known,
            files,
        })
    }

    /// The rows that the table has already, so that an interruption loses none of them.
    pub fn kept(&self, cases: &Cases) -> Vec<Option<Done>> {
        let kept = |case: Case| {
            let loaded = load_file(self.graph, &self.registry, &with(&self.options, &case)).ok()?;
            let key = self.key(&loaded, &case);
            let metrics = self.known.get(&key)?.clone();
            let row = Row { seed: loaded.graph.seed, set: case.set, metrics, error: String::new(), key };
            Some(Done::row(row, true))
        };
        let known = !self.known.is_empty();
        (0..cases.len()).map(|index| known.then(|| kept(cases.nth(index)))?).collect()
    }

    /// Runs one case. A run that fails is a row with an error.
    ///
    /// # Errors
    /// Only what is wrong with the command.
    pub fn run(&self, case: &Case) -> Result<Done, Failure> {
        let failed = |seed: u64, key: String, error: String| {
            let row = Row { seed, set: case.set.clone(), metrics: Vec::new(), error, key };
            Ok(Done::row(row, false))
        };
        let loaded = match load_file(self.graph, &self.registry, &with(&self.options, case)) {
            Ok(loaded) => Arc::new(loaded),
            Err(diagnostics) => {
                return failed(case.seed.unwrap_or(0), String::new(), first_line(&diagnostics));
            }
        };
        let (seed, key) = (loaded.graph.seed, self.key(&loaded, case));
        let known = self.known.get(&key);
        // Of a row that is kept curves alone are to be found again.
        let metrics: Vec<&Metric> = self
            .metrics
            .iter()
            .filter(|metric| known.is_none() || (self.curves && metric.place.is_some()))
            .collect();
        let wanted: Vec<Wanted> = metrics
            .iter()
            .map(|metric| &metric.reference)
            .chain(&self.picture)
            .cloned()
            .map(Wanted::from)
            .collect();
        let evaluation =
            if wanted.is_empty() { None } else { Some(self.engine.start(&loaded, wanted)?.wait()) };
        let outputs = evaluation.as_ref().map_or(&[][..], |evaluation| &evaluation.outputs);
        if let Some(evaluation) = &evaluation
            && let Err(Failure::Evaluation(problems)) = run::failures(&loaded, evaluation, Vec::new())
        {
            let text: Vec<String> = problems.into_iter().map(|(message, _)| message).collect();
            return failed(seed, key, text.join("; "));
        }
        let values = || outputs.iter().filter_map(|output| output.value.as_ref());
        let picture = self.picture.as_ref().and_then(|_| values().next_back());
        let picture = picture.and_then(testing::picture).map(|picture| shrink(&picture, sheet::SIDE));
        let found = || metrics.iter().zip(values());
        let (mut numbers, mut missing) = (Vec::new(), Vec::new());
        match known {
            Some(known) => numbers.clone_from(known),
            None => {
                for (metric, value) in found() {
                    let nodes = evaluation.as_ref().map_or(&[][..], |evaluation| &evaluation.nodes);
                    let these = if metric.timed { metric.seconds(nodes) } else { metric.numbers(value)? };
                    if let Some((message, help)) = these.missing {
                        let columns = these.columns.iter().map(|(name, _)| name.clone()).collect();
                        missing.push(Missing { columns, message, help });
                    }
                    numbers.extend(these.columns);
                }
            }
        }
        let mut curves: Vec<Curve> = Vec::new();
        for curve in found().filter(|_| self.curves).flat_map(|(metric, value)| metric.curves(value)) {
            // Several rows of one column are one curve.
            if curves.iter().all(|other| other.name != curve.name) {
                curves.push(curve);
            }
        }
        let row = Row { seed, set: case.set.clone(), metrics: numbers, error: String::new(), key };
        Ok(Done { row, picture, curves, missing, kept: known.is_some() })
    }

    /// Names of the nodes that metrics are of.
    pub fn nodes(&self) -> Vec<String> {
        self.metrics.iter().map(|metric| metric.reference.node.to_string()).collect()
    }

    /// What a row depends on: program, graph and files as they are, nodes with their versions, what is set and asked for.
    fn key(&self, loaded: &Loaded, case: &Case) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(env!("CARGO_PKG_VERSION").as_bytes());
        add(&loaded.graph.header.key());
        add(&loaded.graph.seed.to_le_bytes());
        add(format!("{:?} {:?}", case.set, self.names).as_bytes());
        for node in loaded.graph.nodes.values() {
            let spec = node.node().spec();
            add(format!("{} {}", spec.name, spec.version).as_bytes());
        }
        // With companions, such as a sidecar: one that is not there counts as nothing, which no content's hash is.
        for file in &loaded.graph.files {
            add(self.file(file).as_ref().map_or(&[][..], |hash| hash.as_bytes()));
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// The hash of a file, read once a sweep.
    fn file(&self, path: &Path) -> Option<blake3::Hash> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        *files.entry(path.to_owned()).or_insert_with(|| {
            let file = std::fs::File::open(path).ok()?;
            Some(blake3::Hasher::new().update_reader(file).ok()?.finalize())
        })
    }
}

/// As many runs as threads, fewer where memory would not hold them.
fn workers(threads: usize, forecast: u64) -> usize {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let room = memory::total().map_or(u64::MAX, |total| total / forecast.max(1));
    threads.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
}

fn with(options: &LoadOptions, case: &Case) -> LoadOptions {
    let mut options = LoadOptions { seed: case.seed, set: case.parameters().to_vec(), ..options.clone() };
    options.header.extend(case.size().and_then(|size| session::size(size).ok()));
    options
}

/// The output of a node that a name of `--picture` means: an output of the graph, or a port.
fn picture(name: &str, loaded: &Loaded) -> Result<Reference, Failure> {
    let output = loaded.graph.outputs.iter().find(|entry| entry.file == name);
    let reference = output.map_or_else(|| Reference::parse(name), |entry| entry.from.clone());
    let (node, output) = loaded.graph.find(&reference).map_err(|(message, help)| {
        let files: Vec<&str> = loaded.graph.outputs.iter().map(|entry| entry.file.as_str()).collect();
        let help = suggest::nearest(name, &files).map_or(help, |near| format!("did you mean `{near}`?"));
        Failure::usage(format!("--picture {name}: {message}"), help)
    })?;
    let kind = loaded.graph.nodes[node].node().spec().outputs[output].kind.name;
    if !["map", "picture"].contains(&kind) {
        let message = format!("--picture {name}: a {kind} is no picture");
        return Err(Failure::usage(message, "name a map or a picture"));
    }
    Ok(reference)
}

fn first_line(diagnostics: &Diagnostics) -> String {
    diagnostics.0.first().map_or_else(String::new, |diagnostic| {
        let place = diagnostic.location().map_or_else(String::new, |place| format!("{place}: "));
        format!("{place}{}", diagnostic.message)
    })
}

//! One run of a sweep.

use std::sync::Arc;

use terrane_flow::syntax::Problem;
use terrane_flow::{
    Diagnostics, Engine, FileDigests, LoadOptions, Loaded, Reference, Registry, Wanted, suggest,
};
use terrane_nodes::values::TerrainKind;

use super::cases::{Case, Cases};
use super::known::{Known, known};
use super::metric::{Curve, Metric, asked};
use super::options::Sweep;
use super::sheet;
use super::size;
use super::source::{Given, Source};
use super::table::{Row, Stored};
use super::texts::Texts;
use crate::Failure;
use crate::failure::in_short;
use crate::memory::check_memory;
use crate::outputs::failures;
use crate::snapshots::picture as picture_of;
use crate::thumbnail::{Rgb, shrink};
use crate::workers::fitting;

/// What all runs are made with.
pub struct Runs<'a> {
    pub source: Source,
    pub registry: &'a Registry,
    pub options: LoadOptions,
    /// The graph's seed, where the command names none.
    pub seed: u64,
    pub engine: &'a Engine,
    /// Bytes of memory that one run takes.
    pub forecast: u64,
    /// How many runs at once.
    pub workers: usize,
    pub metrics: Vec<Metric>,
    pub names: &'a [String],
    /// The outputs that metrics are of, as the graph names them; then the one that the sheet shows.
    asked: Vec<Reference>,
    /// Whether there is a sheet.
    pictured: bool,
    /// Whether curves are asked for.
    curves: bool,
    /// Rows that the table has already.
    pub known: Known,
    /// The texts of the graph and of those that it uses, as they were when each was first read: a graph may
    /// be edited while its sweep runs.
    pub texts: Texts,
    /// Hashes of the other files that graphs read.
    pub files: FileDigests,
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
    /// Why there is no picture, or no curves, though there are the metrics.
    pub problem: Option<String>,
    /// What is wrong with the command, as far as this run tells; it is the row's error, too.
    pub wrong: Option<Failure>,
}

/// Numbers that there are not, since the table of this run has no such row.
pub struct Missing {
    /// Their columns.
    pub columns: Vec<String>,
    pub message: String,
    pub help: String,
}

impl Done {
    pub fn row(row: Row, kept: bool) -> Self {
        let (curves, missing) = (Vec::new(), Vec::new());
        Self { row, picture: None, curves, missing, kept, problem: None, wrong: None }
    }
}

impl<'a> Runs<'a> {
    /// Checks everything that can be checked before anything runs.
    pub fn new(
        sweep: &'a Sweep,
        registry: &'a Registry,
        engine: &'a Engine,
        cases: &Cases,
        stored: &[Stored],
    ) -> Result<Self, Failure> {
        let mut options = sweep.load.clone();
        if let ([size], false) = (&*sweep.sizes, cases.sized) {
            options.header.push(size::header(size)?);
        }
        let texts = Texts::default();
        let source = Source::of(sweep)?;
        let first = source.plain(&texts, registry, &with(&options, &cases.nth(0)))?;
        let (seed, metrics) = (first.graph.seed, asked(&sweep.metrics, &first.graph)?);
        let shown = sweep.picture.as_deref().map(|name| picture(name, &first)).transpose()?;
        let asked: Vec<Reference> =
            metrics.iter().map(|metric| &metric.reference).chain(&shown).cloned().collect();
        let mut forecast = 0;
        for case in cases.samples() {
            let given = source.load(&texts, registry, &with(&options, &case), &asked)?;
            given.check()?;
            let loaded = given.graph();
            let positions: Vec<(usize, usize)> =
                given.own(&asked).iter().filter_map(|reference| loaded.graph.find(reference).ok()).collect();
            forecast = loaded.plan.forecast(&loaded.graph, &positions, 1).serial.max(forecast);
        }
        if sweep.curves.is_some() && metrics.iter().all(|metric| metric.place.is_none()) {
            return Err(Failure::usage(
                "--curves has nothing to draw",
                "let a metric name a row of a table with many, such as thermal.history.score@last",
            ));
        }
        check_memory(forecast, "", engine.budget())?;
        let workers = fitting(engine.threads(), forecast, engine.budget()).min(cases.len());
        let known = known(stored, cases, &metrics, sweep.measure);
        Ok(Self {
            source,
            registry,
            options,
            seed,
            engine,
            forecast,
            workers,
            metrics,
            names: &sweep.metrics,
            asked,
            pictured: shown.is_some(),
            curves: sweep.curves.is_some(),
            known,
            texts,
            files: FileDigests::default(),
        })
    }

    /// A case's graph, from the texts that there were at first.
    pub fn load(&self, case: &Case) -> Result<Given, Diagnostics> {
        self.source.load(&self.texts, self.registry, &with(&self.options, case), &self.asked)
    }

    /// Runs one case. A run that fails is a row with an error.
    pub fn run(&self, case: &Case) -> Done {
        /// How often a row is made anew when a file changes that it is made from.
        const TRIES: usize = 5;
        let failed = |seed: u64, error: String| {
            let (set, metrics, key) = (case.set.clone(), Vec::new(), String::new());
            Done::row(Row { seed, set, metrics, error, key }, false)
        };
        let given = match self.load(case) {
            Ok(given) => given,
            Err(diagnostics) => return failed(case.seed.unwrap_or(self.seed), in_short(&diagnostics)),
        };
        let own = given.own(&self.asked);
        let seed = given.graph().graph.seed;
        for _ in 0..TRIES {
            let key = self.key(given.graph(), case);
            let done = match given.placed(self.engine) {
                Ok(loaded) => self.run_as(case, (&loaded, &own), &key),
                Err(error) => failed(seed, error.message),
            };
            if self.key(given.graph(), case) == key {
                return done;
            }
        }
        failed(seed, "a file that it reads changed each time that it ran".to_owned())
    }

    /// Runs one case, whose row has this key.
    fn run_as(&self, case: &Case, (loaded, own): (&Arc<Loaded>, &[Reference]), key: &str) -> Done {
        let row = |seed: u64, key: &str, metrics, error: String| {
            let (set, key) = (case.set.clone(), key.to_owned());
            Row { seed, set, metrics, error, key }
        };
        let seed = loaded.graph.seed;
        let known = self.known.get(key);
        // What the table has stays, whatever becomes of the picture.
        let kept = |problem| {
            let row = row(seed, key, known?.clone(), String::new());
            Some(Done { problem: Some(problem), ..Done::row(row, true) })
        };
        // Of a row that is kept curves alone are to be found again.
        let metrics: Vec<(&Metric, &Reference)> = self
            .metrics
            .iter()
            .zip(own)
            .filter(|(metric, _)| known.is_none() || (self.curves && metric.place.is_some()))
            .collect();
        let shown = own.last().filter(|_| self.pictured);
        let of_metrics = metrics.iter().map(|(_, own)| *own);
        let wanted: Vec<Wanted> = of_metrics.chain(shown).cloned().map(Wanted::from).collect();
        let evaluation = if wanted.is_empty() {
            None
        } else {
            match self.engine.start(loaded, wanted) {
                Ok(running) => Some(running.wait()),
                Err(error) => {
                    let wrong = Failure::from(error);
                    let error = wrong.in_short();
                    return kept(error.clone()).unwrap_or_else(|| Done {
                        wrong: Some(wrong),
                        ..Done::row(row(seed, key, Vec::new(), error), false)
                    });
                }
            }
        };
        let outputs = evaluation.as_ref().map_or(&[][..], |evaluation| &evaluation.outputs);
        let failed = evaluation.as_ref().map(|evaluation| failures(loaded, evaluation)).unwrap_or_default();
        let problem = Failure::unless(failed).err().map(|failure| failure.in_short());
        let value = |at: usize| outputs.get(at).and_then(|output| output.value.as_ref());
        if let Some(error) = &problem
            && known.is_none()
            && (0..metrics.len()).any(|at| value(at).is_none())
        {
            return Done::row(row(seed, key, Vec::new(), error.clone()), false);
        }
        let picture = shown.and_then(|_| value(metrics.len()));
        let picture = picture.and_then(picture_of).map(|picture| shrink(&picture, sheet::SIDE));
        let found = || metrics.iter().enumerate().filter_map(|(at, metric)| Some((metric, value(at)?)));
        let (mut numbers, mut missing) = (Vec::new(), Vec::new());
        match known {
            Some(known) => numbers.clone_from(known),
            None => {
                for ((metric, own), value) in found() {
                    let nodes = evaluation.as_ref().map_or(&[][..], |evaluation| &evaluation.nodes);
                    let these =
                        if metric.timed { Ok(metric.seconds(nodes, own)) } else { metric.numbers(value) };
                    let these = match these {
                        Ok(these) => these,
                        Err(wrong) => {
                            let row = row(seed, key, Vec::new(), wrong.in_short());
                            return Done { wrong: Some(wrong), ..Done::row(row, false) };
                        }
                    };
                    if let Some(Problem { message, help }) = these.missing {
                        let columns = these.columns.iter().map(|(name, _)| name.clone()).collect();
                        missing.push(Missing { columns, message, help });
                    }
                    numbers.extend(these.columns);
                }
            }
        }
        let mut curves: Vec<Curve> = Vec::new();
        for curve in found().filter(|_| self.curves).flat_map(|((metric, _), value)| metric.curves(value)) {
            // Several rows of one column are one curve.
            if curves.iter().all(|other| other.name != curve.name) {
                curves.push(curve);
            }
        }
        let row = row(seed, key, numbers, String::new());
        Done { row, picture, curves, missing, kept: known.is_some(), problem, wrong: None }
    }

    /// Names of the nodes that metrics are of.
    pub fn nodes(&self) -> Vec<String> {
        self.metrics.iter().map(|metric| metric.reference.node.to_string()).collect()
    }
}

/// The options for a case.
pub fn with(options: &LoadOptions, case: &Case) -> LoadOptions {
    let mut options = LoadOptions { seed: case.seed, ..options.clone() };
    // What is varied comes after what all runs have, and wins.
    options.set.extend_from_slice(case.parameters());
    options.header.extend(case.size().and_then(|size| size::header(size).ok()));
    options
}

/// The output of a node that a name of `--picture` means: an output of the graph, or a port.
fn picture(name: &str, loaded: &Loaded) -> Result<Reference, Failure> {
    let output = loaded.graph.outputs.iter().find(|entry| entry.file == name);
    let reference = output.map_or_else(|| Reference::parse(name), |entry| entry.from.clone());
    let (node, output) = loaded.graph.find(&reference).map_err(|problem| {
        let files: Vec<&str> = loaded.graph.outputs.iter().map(|entry| entry.file.as_str()).collect();
        let help =
            suggest::nearest(name, &files).map_or(problem.help, |near| format!("did you mean `{near}`?"));
        Failure::usage(format!("--picture {name}: {}", problem.message), help)
    })?;
    let kind = loaded.graph.nodes[node].node().spec().outputs[output].kind;
    if !TerrainKind::find(kind).is_some_and(|kind| kind.has_picture) {
        let message = format!("--picture {name}: {} is no picture", suggest::one(kind.name));
        return Err(Failure::usage(message, "name a map or a picture"));
    }
    Ok(reference)
}

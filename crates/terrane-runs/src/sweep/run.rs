//! One run of a sweep.

use std::sync::Arc;

use terrane_flow::syntax::Problem;
use terrane_flow::{
    Diagnostics, Engine, FileDigests, LoadOptions, Loaded, Reference, Registry, Setting, Wanted, suggest,
};
use terrane_nodes::values::TerrainKind;

use super::cases::{Case, Cases};
use super::graph_texts::GraphTexts;
use super::known::{KnownMetrics, known};
use super::metric::{Curve, Metric, resolve};
use super::options::Sweep;
use super::size;
use super::source::{Prepared, Source};
use super::stored::Stored;
use super::table::RunRow;
use super::{film, sheet};
use crate::Failure;
use crate::failure::in_short;
use crate::memory::check_memory;
use crate::outputs::{check_unread, failures};
use crate::snapshots::picture as picture_of;
use crate::thumbnail::{Rgb, shrink};
use crate::workers::fitting;

/// The inputs that all runs share.
pub struct Runs<'a> {
    pub source: Source,
    pub registry: &'a Registry,
    pub options: LoadOptions,
    /// The graph's seed, for cases without one.
    pub seed: u64,
    pub engine: &'a Engine,
    /// The memory for one run, in bytes.
    pub forecast: u64,
    /// The number of runs at once.
    pub workers: usize,
    pub metrics: Vec<Metric>,
    pub names: &'a [String],
    /// The outputs of the metrics, by their names in the graph. If there is a sheet, the output that it shows
    /// comes last.
    outputs: Vec<Reference>,
    /// Whether to draw a sheet, and the longest side of its pictures.
    has_sheet: bool,
    side: usize,
    /// Whether to write curves.
    curves: bool,
    /// The reusable rows of the table.
    pub known: KnownMetrics,
    /// The texts of the graph and of the graphs it uses, as they were when first read. A graph may be edited
    /// while its sweep runs.
    pub texts: GraphTexts,
    /// Hashes of the other files that graphs read.
    pub files: FileDigests,
}

/// The result of a run.
pub struct Done {
    pub row: RunRow,
    pub picture: Option<Rgb>,
    pub curves: Vec<Curve>,
    /// The numbers that this run lacks.
    pub missing: Vec<MissingNumbers>,
    /// Whether the row was already in the table.
    pub kept: bool,
    /// Why the picture or the curves are missing even though the metrics exist.
    pub problem: Option<String>,
    /// What is wrong with the command, judging by this run. The error in the row says the same.
    pub wrong: Option<Failure>,
}

/// Numbers that this run lacks, because a table lacks the selected row.
pub struct MissingNumbers {
    /// Their column names.
    pub columns: Vec<String>,
    pub message: String,
    pub help: String,
}

impl Done {
    pub fn row(row: RunRow, kept: bool) -> Self {
        let (curves, missing) = (Vec::new(), Vec::new());
        Self { row, picture: None, curves, missing, kept, problem: None, wrong: None }
    }
}

impl<'a> Runs<'a> {
    /// Checks everything that can be checked before the first run.
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
        let texts = GraphTexts::default();
        let source = Source::of(sweep)?;
        let first = source.plain(&texts, registry, &with(&options, &cases.nth(0)))?;
        let (seed, metrics) = (first.graph.seed, resolve(&sweep.metrics, &first.graph)?);
        let shown = sweep.picture.as_deref().map(|name| picture(name, &first)).transpose()?;
        let outputs: Vec<Reference> =
            metrics.iter().map(|metric| &metric.reference).chain(&shown).cloned().collect();
        let mut forecast = 0;
        for case in cases.samples() {
            let given = source.load(&texts, registry, &with(&options, &case), &outputs)?;
            given.check()?;
            let loaded = given.graph();
            sweep
                .files()
                .try_for_each(|path| check_unread(path, &loaded.graph.files))
                .map_err(Failure::Usage)?;
            let positions: Vec<(usize, usize)> = given
                .own(&outputs)
                .iter()
                .filter_map(|reference| loaded.graph.find(reference).ok())
                .collect();
            forecast = loaded.plan.forecast(&loaded.graph, &positions, 1).serial.max(forecast);
        }
        if sweep.curves.is_some() && metrics.iter().all(|metric| metric.row.is_none()) {
            return Err(Failure::usage(
                "--curves has nothing to draw",
                "give a metric that selects a row of a longer table, such as thermal.history.score@last",
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
            outputs,
            has_sheet: shown.is_some(),
            side: if sweep.sheet.as_deref().is_some_and(film::is_film) { film::SIDE } else { sheet::SIDE },
            curves: sweep.curves.is_some(),
            known,
            texts,
            files: FileDigests::default(),
        })
    }

    /// The graph of a case, from the texts that were first read.
    pub fn load(&self, case: &Case) -> Result<Prepared, Diagnostics> {
        self.source.load(&self.texts, self.registry, &with(&self.options, case), &self.outputs)
    }

    /// Runs one case. A failed run becomes a row with an error.
    pub fn run(&self, case: &Case) -> Done {
        /// The maximum number of attempts at a run whose source files change while it runs.
        const TRIES: usize = 5;
        let failed = |seed: u64, error: String| {
            let (set, metrics, key) = (case.set.clone(), Vec::new(), String::new());
            Done::row(RunRow { seed, set, metrics, error, key }, false)
        };
        let given = match self.load(case) {
            Ok(given) => given,
            Err(diagnostics) => return failed(case.seed.unwrap_or(self.seed), in_short(&diagnostics)),
        };
        let own = given.own(&self.outputs);
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
        failed(seed, "one of its files changed during every attempt".to_owned())
    }

    /// Runs one case for a row with this key.
    fn run_as(&self, case: &Case, (loaded, own): (&Arc<Loaded>, &[Reference]), key: &str) -> Done {
        let row = |seed: u64, key: &str, metrics, error: String| {
            let (set, key) = (case.set.clone(), key.to_owned());
            RunRow { seed, set, metrics, error, key }
        };
        let seed = loaded.graph.seed;
        let known = self.known.get(key);
        // A row that is already in the table stays, even if the picture fails.
        let kept = |problem| {
            let row = row(seed, key, known?.clone(), String::new());
            Some(Done { problem: Some(problem), ..Done::row(row, true) })
        };
        // For a row that stays, only curves must be computed again.
        let metrics: Vec<(&Metric, &Reference)> = self
            .metrics
            .iter()
            .zip(own)
            .filter(|(metric, _)| known.is_none() || (self.curves && metric.row.is_some()))
            .collect();
        let shown = own.last().filter(|_| self.has_sheet);
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
        let picture = picture.and_then(picture_of).map(|picture| shrink(&picture, self.side));
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
                        missing.push(MissingNumbers { columns, message, help });
                    }
                    numbers.extend(these.columns);
                }
            }
        }
        let mut curves: Vec<Curve> = Vec::new();
        for curve in found().filter(|_| self.curves).flat_map(|((metric, _), value)| metric.curves(value)) {
            // Metrics that select several rows of one column give one curve.
            if curves.iter().all(|other| other.name != curve.name) {
                curves.push(curve);
            }
        }
        let row = row(seed, key, numbers, String::new());
        Done { row, picture, curves, missing, kept: known.is_some(), problem, wrong: None }
    }

    /// The names of the nodes with metrics.
    pub fn nodes(&self) -> Vec<String> {
        self.metrics.iter().map(|metric| metric.reference.node.to_string()).collect()
    }
}

/// The load options of a case.
pub fn with(options: &LoadOptions, case: &Case) -> LoadOptions {
    let mut options = LoadOptions { seed: case.seed, ..options.clone() };
    // Swept parameters come last and override the shared ones.
    let swept = case.parameters().iter().map(|(name, value)| Setting::param(name, value));
    options.set.extend(swept);
    options.header.extend(case.size().and_then(|size| size::header(size).ok()));
    options
}

/// Resolves a name given to `--picture`: an output of the graph, or a port.
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
        let message = format!("--picture {name}: {} is not a picture", suggest::one(kind.name));
        return Err(Failure::usage(message, "name a map or a picture"));
    }
    Ok(reference)
}

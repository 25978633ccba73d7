//! Runs the fusion of nodes that ends in a node: one pass over the samples, and only the last value is made.

use std::sync::Arc;
use std::time::Duration;

use super::admit::Work;
use super::node::RunResult;
use super::state::JobState;
use crate::engine::budget::Room;
use crate::engine::cache::{Entry, Known, Record};
use crate::engine::event::{Event, Outcome};
use crate::engine::round::Round;
use crate::engine::step::Computed;
use crate::model::error::NodeError;
use crate::model::fused::{Failed, Fusion, Member, Operand, Program, operand};
use crate::model::node_key::Key;
use crate::model::panics::catch_panics;
use crate::model::port::Source;
use crate::model::same_size::check_sizes;
use crate::model::value::Value;
use crate::model::value_id::ValueId;

impl JobState {
    /// Runs a fusion, and ends its nodes except the last. The error has the position of the node that failed.
    pub fn run_fusion(
        &self,
        round: &Round,
        node: usize,
        work: &Work,
        room: &mut Room,
    ) -> Result<RunResult, (usize, NodeError)> {
        let ran = catch_panics(|| self.run_members(round, node, work, room));
        ran.unwrap_or_else(|panic| Err((node, NodeError::Panicked(panic))))
    }

    fn run_members(
        &self,
        round: &Round,
        node: usize,
        work: &Work,
        room: &mut Room,
    ) -> Result<RunResult, (usize, NodeError)> {
        let cancelled = || (node, NodeError::Cancelled);
        let fusion = round.fusions.ending_in(node).ok_or_else(cancelled)?;
        let mut values = Vec::with_capacity(fusion.wires.len());
        for wire in &fusion.wires {
            values.push(self.value(round, wire, room).ok_or_else(cancelled)?);
        }
        let names = fusion.members.iter().map(|&member| Arc::clone(&self.graph.plan.names[member]));
        self.emit_all(names.map(|node| Event::Started { node }));
        let program = Program::new(self.program_members(fusion, &values));
        let program = program.ok_or_else(|| self.differing_sizes(fusion, &values))?;
        // The program may be the only holder of a map, and overwrite it.
        drop(values);
        let (cancel, progress) = (&work.lead.cancel, self.progress(&fusion.members));
        let proceed = |fraction: f64| {
            progress(fraction);
            !cancel.is_cancelled()
        };
        let ran = program.run(&proceed).map_err(|failed| match failed {
            Failed::Stopped => cancelled(),
            Failed::Panicked(member, text) => (fusion.members[member], NodeError::Panicked(text)),
        })?;
        let samples = ran.value.extent().map_or(0, |(columns, rows)| columns * rows);
        let keys = work.inner.iter().copied().chain([(node, work.key)]);
        let (mut last, mut inner) = ((Vec::new(), Duration::ZERO), Vec::new());
        for ((member, key), (function, time, lost)) in keys.zip(&ran.members) {
            let (ended, warnings) = self.in_context(round, (member, key), cancel, |cx| {
                function.end(cx);
                let output = self.graph.graph.nodes[member].node().spec().outputs[0].name;
                let warning = (*lost > 0).then(|| self.lost(round, member, (output, *lost, samples)));
                warning.flatten().into_iter().for_each(|warning| cx.warn(warning));
                Ok(())
            });
            ended.map_err(|error| (member, error))?;
            if member == node {
                last = (warnings, *time);
            } else {
                inner.push((key, self.finish_inner(round, (member, &key), warnings, *time)));
            }
        }
        let ids = std::iter::once(ValueId::of_cheap_output(&work.key, 0)).collect();
        let worth = ran.members.iter().map(|(_, time, _)| *time).sum();
        Ok(RunResult { values: vec![ran.value], ids, warnings: last.0, time: last.1, worth, inner })
    }

    /// The members of a fusion, which read `values` from outside.
    fn program_members(&self, fusion: &Fusion, values: &[Value]) -> Vec<Member> {
        let plan = &self.graph.plan;
        let of_port = |member: usize, input: usize| {
            let Some(wire) = plan.wires[member].iter().find(|wire| wire.input == input) else {
                let node = self.graph.graph.nodes[member].node();
                let source =
                    if node.reads(input) { node.port(input).source().clone() } else { Source::Unset };
                return operand(source);
            };
            match fusion.members.iter().position(|&earlier| earlier == wire.node) {
                Some(earlier) => Operand::Member(earlier),
                None => {
                    let value = from_outside(fusion, values, (member, input));
                    operand(value.map_or(Source::Unset, Source::Bound))
                }
            }
        };
        let members = fusion.members.iter().filter_map(|&member| {
            let node = self.graph.graph.nodes[member].node();
            Some(Member {
                function: node.pointwise()?,
                inputs: (0..node.spec().inputs.len()).map(|input| of_port(member, input)).collect(),
                holes: plan.holes[member].outputs,
            })
        });
        members.collect()
    }

    /// The error of the first member whose rasters differ in size, and its position.
    fn differing_sizes(&self, fusion: &Fusion, values: &[Value]) -> (usize, NodeError) {
        // Per member, a value of the size of its own.
        let mut sized: Vec<(usize, Value)> = Vec::new();
        for &member in &fusion.members {
            let mut bound = dyn_clone::clone_box(self.graph.graph.nodes[member].node());
            let mut own = None;
            for wire in &self.graph.plan.wires[member] {
                let inner = sized.iter().find(|(earlier, _)| *earlier == wire.node);
                let inner = inner.map(|(_, value)| value.clone());
                if let Some(value) = inner.or_else(|| from_outside(fusion, values, (member, wire.input))) {
                    own = own.or_else(|| Some(value.clone()));
                    bound.port_mut(wire.input).connect(Source::Bound(value));
                }
            }
            if let Err(error) = check_sizes(bound.spec(), |input| bound.port(input)) {
                return (member, error);
            }
            sized.extend(own.map(|value| (member, value)));
        }
        (fusion.last(), NodeError::failed("its inputs are no rasters of one size", "report this as a bug"))
    }

    /// Stores and reports that a node within a fusion has run.
    fn finish_inner(
        &self,
        round: &Round,
        (node, key): (usize, &Key),
        warnings: Vec<String>,
        time: Duration,
    ) -> Entry {
        let entry = self.inner_entry(node, key, warnings);
        if let Err(error) = self.shared.store.store(&Record { key, entry: &entry, values: &[], time }) {
            self.warn(Some(node), error.to_string());
        }
        let known = round.resolution.known[node].as_ref();
        let unchanged = known.is_some_and(|known| known.ids == entry.ids);
        self.show(node, &entry.ids, None);
        let name = Arc::clone(&self.graph.plan.names[node]);
        self.emit(Event::Finished { node: name, time, bytes: 0, unchanged });
        let made = Computed { entry: entry.clone(), values: Arc::new([]), inner: Arc::new([]) };
        round.step(node).end_computed(&made, Outcome::Ran, time, 0);
        entry
    }

    /// Ends nodes within a fusion whose value is known.
    pub fn end_inner_known(&self, round: &Round, inner: impl Iterator<Item = (usize, Entry)>) {
        for (node, entry) in inner {
            self.report_known(node, &entry);
            round.step(node).end_known(entry);
        }
    }

    /// Ends the nodes within a fusion whose last node was run by another job, perhaps in another fusion.
    pub fn end_inner_followed(&self, round: &Round, node: usize, made: &Computed) {
        let inner = self.keys(round, node).map_or_else(Vec::new, |(inner, _)| inner);
        let entries = inner.into_iter().map(|(node, key)| {
            let theirs = made.inner.iter().find(|(other, _)| *other == key).map(|(_, entry)| entry.clone());
            let entry = theirs.or_else(|| self.shared.lookup(&key));
            (node, entry.unwrap_or_else(|| self.inner_entry(node, &key, Vec::new())))
        });
        self.end_inner_known(round, entries);
    }

    /// The entry of a node within a fusion: its value is known by its key, but does not exist.
    fn inner_entry(&self, node: usize, key: &Key, warnings: Vec<String>) -> Entry {
        let ids = std::iter::once(ValueId::of_cheap_output(key, 0)).collect();
        Entry::from(Known { ids, warnings: warnings.into(), not_kept: Some(self.not_made(node)) })
    }
}

/// The value that a port of a member reads from outside of the fusion.
fn from_outside(fusion: &Fusion, values: &[Value], port: (usize, usize)) -> Option<Value> {
    let mut ports = fusion.wires.iter().zip(&fusion.readers).map(|(wire, &reader)| (reader, wire.input));
    ports.position(|other| other == port).map(|at| values[at].clone())
}

//! Runs the fusion of nodes that ends in a node: one pass over the samples, and only the last value is made.

use std::sync::Arc;
use std::time::Duration;

use super::admit::Work;
use super::node::{RunResult, SMALL};
use super::state::JobState;
use crate::engine::budget::Room;
use crate::engine::cache::{Entry, Known, Record};
use crate::engine::event::{Event, Outcome};
use crate::engine::round::Round;
use crate::engine::step::Computed;
use crate::model::context::Cancel;
use crate::model::error::NodeError;
use crate::model::fused::{Failed, Fusion, Member, Operand, Program, operand};
use crate::model::node_key::Key;
use crate::model::port::Source;
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
        let cancelled = || (node, NodeError::Cancelled);
        let fusion = round.fusions.ending_in(node).ok_or_else(cancelled)?;
        let mut values = Vec::with_capacity(fusion.wires.len());
        for wire in &fusion.wires {
            values.push(self.value(round, wire, room).ok_or_else(cancelled)?);
        }
        // Small maps are made, as the cache keeps them, also where the plan expected larger ones.
        let is_small = values.iter().all(|value| value.heap_bytes() <= SMALL);
        let program = Program::new(self.program_members(fusion, &values)).filter(|_| !is_small);
        let Some(program) = program else {
            let values = values.into_iter().map(Some).collect();
            return self.run_apart(round, fusion, values, (&work.lead.cancel, room));
        };
        let names = fusion.members.iter().map(|&member| Arc::clone(&self.graph.plan.names[member]));
        self.emit_all(names.map(|node| Event::Started { node }));
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

    /// Runs the members one by one, as far as their inputs are there, and ends them except the last. So all
    /// their errors and warnings are found. `values`: those of the wires from outside; a node that failed has
    /// none. The error of a node that has already ended is [`NodeError::Cancelled`].
    fn run_apart(
        &self,
        round: &Round,
        fusion: &Fusion,
        values: Vec<Option<Value>>,
        (cancel, room): (&Cancel, &mut Room),
    ) -> Result<RunResult, (usize, NodeError)> {
        let mut inner: Vec<(usize, Key)> = Vec::new();
        let mut made: Vec<(usize, Value)> = Vec::new();
        for &member in &fusion.members {
            let cancelled = || (member, NodeError::Cancelled);
            if self.failed_upstream(round, member).is_some() {
                self.end_unrun(round, &[member]);
                continue;
            }
            let key = self.key_in_fusion(round, member, &inner).ok_or_else(cancelled)?;
            let mut bound = dyn_clone::clone_box(self.graph.graph.nodes[member].node());
            for wire in &self.graph.plan.wires[member] {
                let own = made.iter().find(|(earlier, _)| *earlier == wire.node);
                let own = own.map(|(_, value)| value.clone());
                let value = own.or_else(|| from_outside(fusion, &values, (member, wire.input)).flatten());
                bound.port_mut(wire.input).connect(Source::Bound(value.ok_or_else(cancelled)?));
            }
            let result = self.run(round, member, (bound, key), cancel);
            if member == fusion.last() {
                return result.map_err(|error| (member, error));
            }
            match result {
                Err(NodeError::Cancelled) => return Err(cancelled()),
                Err(error) => self.fail_alone(round, member, error),
                Ok(ran) => {
                    let time = ran.time;
                    let computed = self.keep(member, &key, ran, room);
                    made.extend(computed.values.iter().map(|value| (member, value.clone())));
                    self.finish_computed(round, member, &computed, Outcome::Ran, time);
                    inner.push((member, key));
                }
            }
        }
        Err((fusion.last(), NodeError::Cancelled))
    }

    /// Runs those members of a fusion that do not depend on a node that failed, and ends all.
    pub fn run_rest(&self, round: &Round, node: usize) {
        let Some(fusion) = round.fusions.ending_in(node) else { return };
        let mut room = self.shared.budget.empty();
        let values = fusion.wires.iter().map(|wire| {
            let ended_well = matches!(round.step(wire.node).outcome(), Some(Outcome::Ran | Outcome::Cached));
            ended_well.then(|| self.value(round, wire, &mut room)).flatten()
        });
        let values = values.collect();
        // The last member depends on what failed, so it has no result.
        let _ended = self.run_apart(round, fusion, values, (&self.cancel, &mut room));
        self.end_cancelled(round, &fusion.members);
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
fn from_outside<T: Clone>(fusion: &Fusion, values: &[T], port: (usize, usize)) -> Option<T> {
    let mut ports = fusion.wires.iter().zip(&fusion.readers).map(|(wire, &reader)| (reader, wire.input));
    ports.position(|other| other == port).map(|at| values[at].clone())
}

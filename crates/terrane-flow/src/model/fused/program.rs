//! The program of a fusion: steps that read and write blocks.

use smallvec::SmallVec;

use super::scratch::Block;
use crate::model::pointwise::Pointwise;
use crate::model::value::Value;

/// A node of a program.
pub struct Member {
    /// Its function.
    pub function: Pointwise,
    /// What each port reads, by its position in the spec.
    pub inputs: SmallVec<[Operand; 4]>,
    /// Whether holes are kept.
    pub holes: bool,
}

/// What a port reads.
pub enum Operand {
    /// Nothing.
    Absent,
    /// A number.
    Number(f32),
    /// The value of an earlier member, by its position.
    Member(usize),
    /// A value.
    Map(Value),
}

/// A program. Each step writes a block between steps, a register.
pub struct Program {
    pub(super) steps: Vec<Step>,
    /// The first is the one whose place the result has. A map that is overwritten is taken out.
    pub(super) maps: Vec<Option<Value>>,
    /// A block of each number.
    pub(super) numbers: Vec<Block>,
    pub(super) registers: usize,
}

/// A step: the function of a member.
pub(super) struct Step {
    pub function: Pointwise,
    pub inputs: SmallVec<[Read; 4]>,
    pub register: usize,
    /// Whether holes are kept.
    pub holes: bool,
    /// Whether its samples are checked at once: a reader could hide that some are not finite.
    pub is_checked: bool,
}

/// Where a step finds the samples of a port.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    Nowhere,
    Number(usize),
    Register(usize),
    Map(usize),
}

impl Read {
    pub const fn is_raster(self) -> bool {
        matches!(self, Self::Register(_) | Self::Map(_))
    }
}

impl Program {
    /// The program of a fusion; the last member gives its value. `None` if the values are not rasters of one
    /// size. The result lies where the first raster of the last member lies.
    pub fn new(members: Vec<Member>) -> Option<Self> {
        let mut this = Self { steps: Vec::new(), maps: Vec::new(), numbers: Vec::new(), registers: 0 };
        let (ends, hidden) = (last_reads(&members), can_be_hidden(&members));
        let (mut free, mut registers) = (Vec::new(), Vec::with_capacity(members.len()));
        let mut places: Vec<usize> = Vec::with_capacity(members.len());
        for (at, Member { function, inputs, holes }) in members.into_iter().enumerate() {
            let mut place = None;
            let mut read = SmallVec::new();
            for operand in inputs {
                place = place.or(match &operand {
                    Operand::Member(member) => Some(places[*member]),
                    Operand::Map(map) => Some(this.map(map)),
                    Operand::Absent | Operand::Number(_) => None,
                });
                read.push(match operand {
                    Operand::Absent => Read::Nowhere,
                    Operand::Number(number) => Read::Number(this.number(number)),
                    Operand::Member(member) => Read::Register(registers[member]),
                    Operand::Map(map) => Read::Map(this.map(&map)),
                });
            }
            places.push(place?);
            // A step writes to no register that it reads.
            let register = free.pop().unwrap_or_else(|| {
                this.registers += 1;
                this.registers - 1
            });
            registers.push(register);
            free.extend((0..at).filter(|&member| ends[member] == at).map(|member| registers[member]));
            let is_checked = holes || hidden[at];
            this.steps.push(Step { function, inputs: read, register, holes, is_checked });
        }
        this.swap(0, *places.last()?);
        let mut maps = this.maps.iter().flatten();
        let size = maps.next()?.extent()?;
        maps.all(|map| map.extent() == Some(size)).then_some(this)
    }

    /// The same program, which does not count samples that are not finite.
    pub fn unchecked(mut self) -> Self {
        self.steps.iter_mut().for_each(|step| step.is_checked = false);
        self
    }

    /// The position of a map.
    fn map(&mut self, map: &Value) -> usize {
        let known = self.maps.iter().flatten().position(|known| known.shares(map));
        known.unwrap_or_else(|| {
            self.maps.push(Some(map.clone()));
            self.maps.len() - 1
        })
    }

    /// The position of the block of a number.
    fn number(&mut self, number: f32) -> usize {
        let same = |block: &Block| block[0].to_bits() == number.to_bits();
        self.numbers.iter().position(same).unwrap_or_else(|| {
            self.numbers.push(Block::new(number, self.numbers.len() + 2));
            self.numbers.len() - 1
        })
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.maps.swap(a, b);
        for input in self.steps.iter_mut().flat_map(|step| &mut step.inputs) {
            *input = match *input {
                Read::Map(map) if map == a => Read::Map(b),
                Read::Map(map) if map == b => Read::Map(a),
                other => other,
            };
        }
    }
}

/// Per member, the last member that reads its value.
fn last_reads(members: &[Member]) -> Vec<usize> {
    let mut ends = vec![usize::MAX; members.len()];
    for (at, member) in members.iter().enumerate() {
        for operand in &member.inputs {
            if let Operand::Member(read) = operand {
                ends[*read] = at;
            }
        }
    }
    ends
}

/// Per member, whether samples of its value that are not finite may leave no trace in the values of its
/// readers, or whether it has no readers.
fn can_be_hidden(members: &[Member]) -> Vec<bool> {
    let mut hidden = vec![true; members.len()];
    // A reader that keeps holes takes a not-a-number for one.
    for member in members.iter().filter(|member| member.function.passes_on() && !member.holes) {
        for operand in &member.inputs {
            if let Operand::Member(read) = operand {
                hidden[*read] = false;
            }
        }
    }
    hidden
}

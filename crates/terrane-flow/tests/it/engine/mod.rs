//! Tests of the engine with toy nodes whose runs are logged.

mod budget;
mod cancel;
mod cutoff;
mod damage;
mod dynamic;
mod failures;
mod faults;
mod foreign;
mod foreign_memory;
mod fused;
mod groups;
mod keys;
mod lazy;
mod leaving;
mod memory;
mod outputs;
mod policy;
mod processes;
mod reload;
mod repeat;
mod sharing;
mod sizes;
mod stores;
mod support;

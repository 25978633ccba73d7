//! The running nodes by key, and the jobs that need their results. Nodes with the same key run only once,
//! even if they belong to several jobs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::step::Computed;
use crate::model::context::Cancel;
use crate::model::error::NodeError;
use crate::model::lock::lock;
use crate::model::node_key::Key;

/// Cancels a single running node. All jobs that need the result share this handle.
type NodeCancel = Cancel;

/// A callback that receives the result for a key.
pub type Follower = Box<dyn FnOnce(Result<Computed, NodeError>) + Send>;

/// The running nodes, by key.
#[derive(Default)]
pub struct Running(Mutex<HashMap<Key, Entry, ahash::RandomState>>);

struct Entry {
    cancel: NodeCancel,
    /// Jobs that need the result.
    jobs: Vec<u64>,
    followers: Followers,
}

/// The followers of one lead. The address of this list also distinguishes the lead from other leads with
/// the same key.
type Followers = Arc<Mutex<Vec<Follower>>>;

/// The right and duty to compute the result for a key.
pub struct Lead {
    key: Key,
    /// The followers of this lead. They receive its result, even if there is a newer lead with the same key
    /// by then.
    followers: Followers,
    /// Cancelled when no job needs the result any more.
    pub cancel: NodeCancel,
}

impl Running {
    /// Takes the lead on a key. If a node with this key is already running, adds a follower to it and returns
    /// `None`.
    pub fn lead_or_follow(&self, key: Key, job: u64, follower: impl FnOnce() -> Follower) -> Option<Lead> {
        let mut running = lock(&self.0);
        if let Some(entry) = running.get_mut(&key)
            && !entry.cancel.is_cancelled()
        {
            entry.jobs.push(job);
            lock(&entry.followers).push(follower());
            return None;
        }
        // A cancelled node may not have ended yet. The new lead replaces it.
        let entry = Entry { cancel: NodeCancel::new(), jobs: vec![job], followers: Followers::default() };
        let lead = Lead { key, followers: Arc::clone(&entry.followers), cancel: entry.cancel.clone() };
        running.insert(key, entry);
        Some(lead)
    }

    /// Adds a job to the running nodes with these keys, so that the nodes continue when other jobs leave.
    pub fn join(&self, job: u64, keys: impl Iterator<Item = Key>) {
        let mut running = lock(&self.0);
        if running.is_empty() {
            return;
        }
        for key in keys {
            if let Some(entry) = running.get_mut(&key)
                && !entry.cancel.is_cancelled()
            {
                entry.jobs.push(job);
            }
        }
    }

    /// Gives up the lead. The caller must notify the returned followers without holding a lock.
    pub fn finish(&self, lead: &Lead) -> Vec<Follower> {
        let mut running = lock(&self.0);
        if running.get(&lead.key).is_some_and(|entry| Arc::ptr_eq(&entry.followers, &lead.followers)) {
            running.remove(&lead.key);
        }
        std::mem::take(&mut *lock(&lead.followers))
    }

    /// Removes a job, and cancels the running nodes that no other job needs.
    pub fn leave(&self, job: u64) {
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each entry is handled separately, so the order has no effect"
        )]
        for entry in lock(&self.0).values_mut() {
            entry.jobs.retain(|&other| other != job);
            if entry.jobs.is_empty() {
                entry.cancel.cancel();
            }
        }
    }
}

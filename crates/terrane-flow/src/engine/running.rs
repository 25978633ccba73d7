//! The keys that are being computed, and for which jobs. The same key is computed once, even across jobs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::lock::lock;
use super::step::Computed;
use crate::model::context::Cancel;
use crate::model::error::NodeError;
use crate::model::node_key::Key;

/// Cancels the computation of a single node; shared by all jobs that need its result.
type NodeCancel = Cancel;

/// A callback that receives the result for a key.
pub type Follower = Box<dyn FnOnce(Result<Computed, NodeError>) + Send>;

/// The keys being computed.
#[derive(Default)]
pub struct Running(Mutex<HashMap<Key, Entry, ahash::RandomState>>);

struct Entry {
    cancel: NodeCancel,
    /// Jobs that need the result.
    jobs: Vec<u64>,
    followers: Followers,
}

/// The followers of one lead. The pointer also distinguishes this lead from others with the same key.
type Followers = Arc<Mutex<Vec<Follower>>>;

/// The right and duty to compute a key.
pub struct Lead {
    key: Key,
    /// The followers of this lead. They receive its result, even if another lead has taken the key since.
    followers: Followers,
    /// Set when no job needs the result any more.
    pub cancel: NodeCancel,
}

impl Running {
    /// Takes the lead on a key, or follows if it is being computed.
    pub fn lead_or_follow(&self, key: Key, job: u64, follower: impl FnOnce() -> Follower) -> Option<Lead> {
        let mut running = lock(&self.0);
        if let Some(entry) = running.get_mut(&key)
            && !entry.cancel.is_cancelled()
        {
            entry.jobs.push(job);
            lock(&entry.followers).push(follower());
            return None;
        }
        // A cancelled computation may not have ended yet, but it no longer owns the key.
        let entry = Entry { cancel: NodeCancel::new(), jobs: vec![job], followers: Followers::default() };
        let lead = Lead { key, followers: Arc::clone(&entry.followers), cancel: entry.cancel.clone() };
        running.insert(key, entry);
        Some(lead)
    }

    /// Adds a job to the computations under these keys, so that they continue when other jobs leave.
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

    /// Removes a job, and cancels computations that no other job needs.
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

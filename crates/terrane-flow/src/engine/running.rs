//! Which keys are being computed right now, for whom: the same key is computed once, also across jobs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::lock::lock;
use super::step::Made;
use crate::model::context::Cancel;
use crate::model::error::NodeError;
use crate::model::node_key::Key;

/// A switch of a node's own, shared by all jobs that want its result.
type NodeCancel = Cancel;

/// Told how a key turned out.
pub type Follower = Box<dyn FnOnce(Result<Made, NodeError>) + Send>;

/// The keys being computed.
#[derive(Default)]
pub struct Running(Mutex<HashMap<Key, Entry, ahash::RandomState>>);

struct Entry {
    cancel: NodeCancel,
    /// Jobs that want the result.
    jobs: Vec<u64>,
    followers: Followers,
}

/// Those who follow one lead; also tells that lead from others of the same key.
type Followers = Arc<Mutex<Vec<Follower>>>;

/// The right and duty to compute a key.
pub struct Lead {
    key: Key,
    /// They are told by this lead, also when another one has taken the key since.
    followers: Followers,
    /// Set when nobody wants the result any more.
    pub cancel: NodeCancel,
}

impl Running {
    /// Takes the lead on a key, or, when it is being computed, follows.
    pub fn lead_or_follow(&self, key: Key, job: u64, follower: impl FnOnce() -> Follower) -> Option<Lead> {
        let mut running = lock(&self.0);
        if let Some(entry) = running.get_mut(&key)
            && !entry.cancel.is_cancelled()
        {
            entry.jobs.push(job);
            lock(&entry.followers).push(follower());
            return None;
        }
        // A cancelled computation may still be on its way out: it no longer owns the key.
        let entry = Entry { cancel: NodeCancel::new(), jobs: vec![job], followers: Followers::default() };
        let lead = Lead { key, followers: Arc::clone(&entry.followers), cancel: entry.cancel.clone() };
        running.insert(key, entry);
        Some(lead)
    }

    /// A job wants what is being computed for others under these keys: it goes on when they leave.
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

    /// Gives up the lead; the followers are to be told by the caller, without any lock held.
    pub fn finish(&self, lead: &Lead) -> Vec<Follower> {
        let mut running = lock(&self.0);
        if running.get(&lead.key).is_some_and(|entry| Arc::ptr_eq(&entry.followers, &lead.followers)) {
            running.remove(&lead.key);
        }
        std::mem::take(&mut *lock(&lead.followers))
    }

    /// A job no longer wants anything: what nobody else wants is cancelled.
    pub fn leave(&self, job: u64) {
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each entry is treated by itself: the order shows nowhere"
        )]
        for entry in lock(&self.0).values_mut() {
            entry.jobs.retain(|&other| other != job);
            if entry.jobs.is_empty() {
                entry.cancel.cancel();
            }
        }
    }
}

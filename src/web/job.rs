//! Commands of pages on their way to the thread that does them, and the way of the answers back.

use super::hub::Mailbox;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError, bounded};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Commands that may wait for one thread.
const MOST_WAITING: usize = 256;

/// Where the answer to a command goes. A command that is dropped is answered too.
pub struct Asker {
    mailbox: Arc<Mailbox>,
    id: u64,
    is_answered: bool,
}

impl Asker {
    pub fn new(mailbox: Arc<Mailbox>, id: u64) -> Asker {
        Asker { mailbox, id, is_answered: false }
    }

    pub fn answer(mut self, result: Result<Value, String>) {
        self.send(result);
    }

    fn send(&mut self, result: Result<Value, String>) {
        self.is_answered = true;
        self.mailbox.reply(&match result {
            Ok(value) => json!({ "id": self.id, "ok": value }),
            Err(text) => json!({ "id": self.id, "error": text }),
        });
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        if !self.is_answered {
            self.send(Err("something went wrong inside moku; the game is as it was".to_string()));
        }
    }
}

pub struct Job<C> {
    pub command: C,
    pub asker: Asker,
}

/// The way to a thread.
pub struct Outbox<C>(Sender<Job<C>>);

impl<C> Clone for Outbox<C> {
    fn clone(&self) -> Self {
        Outbox(self.0.clone())
    }
}

impl<C> Outbox<C> {
    pub fn send(&self, command: C, asker: Asker) {
        match self.0.try_send(Job { command, asker }) {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => {
                job.asker.answer(Err("too much is waiting to be done; try again".to_string()))
            }
            Err(TrySendError::Disconnected(job)) => job.asker.answer(Err("moku is ending".to_string())),
        }
    }
}

/// A thread's own end: what came in, in order, with a way to look at it while something else is being done.
pub struct Inbox<C> {
    receiver: Receiver<Job<C>>,
    waiting: VecDeque<Job<C>>,
}

pub fn channel<C>() -> (Outbox<C>, Inbox<C>) {
    let (sender, receiver) = bounded(MOST_WAITING);
    (Outbox(sender), Inbox { receiver, waiting: VecDeque::new() })
}

impl<C> Inbox<C> {
    /// The next command, if there is one; Err when there will be none.
    pub fn look(&mut self) -> Result<Option<Job<C>>, ()> {
        if let Some(job) = self.waiting.pop_front() {
            return Ok(Some(job));
        }
        match self.receiver.try_recv() {
            Ok(job) => Ok(Some(job)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(()),
        }
    }

    /// As `look`, but waits for it.
    pub fn wait(&mut self, patience: Duration) -> Result<Option<Job<C>>, ()> {
        if let Some(job) = self.waiting.pop_front() {
            return Ok(Some(job));
        }
        match self.receiver.recv_timeout(patience) {
            Ok(job) => Ok(Some(job)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(()),
        }
    }

    /// Does not do a command yet after all.
    pub fn put_back(&mut self, job: Job<C>) {
        self.waiting.push_front(job);
    }

    /// Looks through what came in since the last look, leaving what `is_done` does not do.
    pub fn sift(&mut self, mut is_done: impl FnMut(Job<C>) -> Option<Job<C>>) {
        while let Ok(job) = self.receiver.try_recv() {
            self.waiting.extend(is_done(job));
        }
    }
}

//! Commands of pages on their way to the thread that does them, the way of the answers back, and that thread's round.

use super::hub::{Hub, Mailbox};
use crate::session::Options;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Commands that may wait for one thread.
const MOST_WAITING: usize = 256;
/// Between two pieces of news about something that goes on.
pub const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long a thread waits that has nothing to do.
pub const LONG: Duration = Duration::from_secs(3600);

/// Where the answer to a command goes. A command that is dropped is answered too.
pub struct Asker {
    mailbox: Arc<Mailbox>,
    id: u64,
    is_answered: bool,
    /// Nobody waits for the answer any more.
    stale: Arc<AtomicBool>,
}

impl Asker {
    pub fn new(mailbox: Arc<Mailbox>, id: u64) -> Asker {
        Asker { mailbox, id, is_answered: false, stale: Arc::default() }
    }

    /// The page's question takes the place of the last one that it asked like this.
    pub fn instead(mailbox: Arc<Mailbox>, id: u64) -> Asker {
        let stale = mailbox.replace_question();
        Asker { mailbox, id, is_answered: false, stale }
    }

    /// Set when nobody waits for the answer any more.
    pub fn stale(&self) -> Arc<AtomicBool> {
        self.stale.clone()
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
    /// The next command, `None` after this long without any; Err when there will be none.
    fn wait(&mut self, patience: Duration) -> Result<Option<Job<C>>, ()> {
        if let Some(job) = self.waiting.pop_front() {
            return Ok(Some(job));
        }
        match self.receiver.recv_timeout(patience) {
            Ok(job) => Ok(Some(job)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(()),
        }
    }

    /// Looks through what came in since the last look, leaving what `is_done` does not do; true if anything is left.
    pub fn sift(&mut self, mut is_done: impl FnMut(Job<C>) -> Option<Job<C>>) -> bool {
        while let Ok(job) = self.receiver.try_recv() {
            self.waiting.extend(is_done(job));
        }
        !self.waiting.is_empty()
    }
}

/// What every thread has to do with.
pub struct Post<C> {
    /// How sessions start.
    pub options: Options,
    pub hub: Arc<Hub>,
    pub inbox: Inbox<C>,
}

/// A thread that does things for pages.
pub trait Clerk {
    type Command;

    fn inbox(&mut self) -> &mut Inbox<Self::Command>;

    /// Does what was asked. On an error everything stays.
    fn execute(&mut self, command: Self::Command, stale: &AtomicBool) -> Result<Value, String>;

    /// How long to wait for a command before `go_on`; nothing if there is work to do.
    fn patience(&self) -> Duration {
        LONG
    }

    /// Goes on with its work.
    fn go_on(&mut self) {}

    /// Something failed in the middle: what may be broken is made anew or left.
    fn recover(&mut self);
}

/// Does commands, and between them goes on with its work, until nobody can ask any more.
pub fn run(mut clerk: impl Clerk) {
    loop {
        let patience = clerk.patience();
        let Ok(job) = clerk.inbox().wait(patience) else { return };
        let step = AssertUnwindSafe(|| match job {
            Some(Job { command, asker }) => {
                let result = clerk.execute(command, &asker.stale());
                asker.answer(result);
            }
            None => clerk.go_on(),
        });
        if catch_unwind(step).is_err() {
            log::error!("a thread of the page failed and goes on");
            clerk.recover();
        }
    }
}

//! What all open pages hear. A page that reads slowly misses pictures in between, never the last one.

use parking_lot::{Condvar, Mutex};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// What can be told; a page that just opened hears the last word of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// The game on the board.
    Game,
    /// The search that is under way.
    Live,
    /// Two engines side by side.
    Compare,
    /// A game gone through.
    Review,
    /// Problems that are being made.
    Making,
}

impl Topic {
    /// In the order in which they are told.
    const ALL: [Topic; 5] = [Topic::Game, Topic::Live, Topic::Compare, Topic::Review, Topic::Making];

    fn name(self) -> &'static str {
        match self {
            Topic::Game => "game",
            Topic::Live => "live",
            Topic::Compare => "compare",
            Topic::Review => "review",
            Topic::Making => "making",
        }
    }
}

type Words = Arc<str>;

/// Answers that nobody has fetched are not kept without end.
const MOST_REPLIES: usize = 64;
/// Commands of one page that may wait at the same time.
const MOST_OPEN: usize = 8;
/// Commands of one page in a second; more come later. Nobody clicks so fast, and a key that is held down repeats slower.
const MOST_PER_SECOND: u32 = 60;
const SECOND: Duration = Duration::from_secs(1);

/// What is to be sent to one page.
#[derive(Default)]
pub struct Mailbox {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Default)]
struct Inner {
    topics: [Option<Words>; Topic::ALL.len()],
    replies: VecDeque<Words>,
    /// Commands without an answer yet.
    open: usize,
    /// Of the last question that a later one takes the place of: set when nobody waits for its answer any more.
    question: Arc<AtomicBool>,
    /// When the second under way began, and the commands in it.
    pace: Option<(Instant, u32)>,
    is_closed: bool,
}

impl Mailbox {
    /// The next thing to send; `None` after this long without any. Err when the page has gone.
    pub fn next(&self, patience: Duration) -> Result<Option<Words>, ()> {
        let mut inner = self.inner.lock();
        if inner.is_nothing() && !inner.is_closed {
            self.changed.wait_for(&mut inner, patience);
        }
        if inner.is_closed {
            return Err(());
        }
        let reply = inner.replies.pop_front();
        Ok(reply.or_else(|| inner.topics.iter_mut().find_map(Option::take)))
    }

    /// A command came in. Waits while too many are unanswered or came in too short a time; false when the page has gone
    /// meanwhile.
    pub fn open(&self) -> bool {
        let mut inner = self.inner.lock();
        while inner.open >= MOST_OPEN && !inner.is_closed {
            self.changed.wait_for(&mut inner, SECOND);
        }
        let (began, count) = inner.pace.unwrap_or_else(|| (Instant::now(), 0));
        let (mut began, mut count) = if began.elapsed() < SECOND { (began, count) } else { (Instant::now(), 0) };
        while count >= MOST_PER_SECOND && !inner.is_closed {
            if self.changed.wait_until(&mut inner, began + SECOND).timed_out() {
                (began, count) = (Instant::now(), 0);
            }
        }
        inner.pace = Some((began, count + 1));
        inner.open += 1;
        !inner.is_closed
    }

    /// Answers a command.
    pub fn reply(&self, value: &Value) {
        let mut inner = self.inner.lock();
        inner.open = inner.open.saturating_sub(1);
        if inner.replies.len() < MOST_REPLIES {
            inner.replies.push_back(value.to_string().into());
        } else {
            inner.is_closed = true;
        }
        self.changed.notify_all();
    }

    /// The page asks something else instead: nobody waits for the answer to the question before. What tells the same of
    /// the new one.
    pub fn replace_question(&self) -> Arc<AtomicBool> {
        let mut inner = self.inner.lock();
        let fresh = Arc::new(AtomicBool::new(inner.is_closed));
        std::mem::replace(&mut inner.question, fresh.clone()).store(true, SeqCst);
        fresh
    }

    pub fn close(&self) {
        let mut inner = self.inner.lock();
        inner.is_closed = true;
        inner.question.store(true, SeqCst);
        self.changed.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.inner.lock().is_closed
    }

    fn put(&self, topic: Topic, words: Words) {
        self.inner.lock().topics[topic as usize] = Some(words);
        self.changed.notify_all();
    }
}

impl Inner {
    fn is_nothing(&self) -> bool {
        self.replies.is_empty() && self.topics.iter().all(Option::is_none)
    }
}

/// All open pages.
#[derive(Default)]
pub struct Hub {
    inner: Mutex<Pages>,
}

#[derive(Default)]
struct Pages {
    mailboxes: Vec<Arc<Mailbox>>,
    last: [Option<Words>; Topic::ALL.len()],
}

/// Pages that may be open at the same time.
pub const MOST_PAGES: usize = 24;

impl Hub {
    /// Tells all pages; those that have not heard the word before need not hear it any more.
    pub fn tell(&self, topic: Topic, value: Value) {
        let words: Words = match value {
            Value::Object(mut map) => {
                map.insert("topic".to_string(), topic.name().into());
                Value::Object(map).to_string().into()
            }
            other => format!("{{\"topic\":\"{}\",\"value\":{other}}}", topic.name()).into(),
        };
        let mut inner = self.inner.lock();
        inner.last[topic as usize] = Some(words.clone());
        inner.mailboxes.iter().for_each(|mailbox| mailbox.put(topic, words.clone()));
    }

    /// A page opens; `None` if there are too many.
    pub fn join(&self) -> Option<Arc<Mailbox>> {
        let mut inner = self.inner.lock();
        if inner.mailboxes.len() >= MOST_PAGES {
            return None;
        }
        let mailbox = Arc::new(Mailbox::default());
        for topic in Topic::ALL {
            if let Some(words) = &inner.last[topic as usize] {
                mailbox.put(topic, words.clone());
            }
        }
        inner.mailboxes.push(mailbox.clone());
        Some(mailbox)
    }

    /// A page has gone.
    pub fn leave(&self, mailbox: &Arc<Mailbox>) {
        mailbox.close();
        self.inner.lock().mailboxes.retain(|other| !Arc::ptr_eq(other, mailbox));
    }

    /// Is anybody there to see it?
    pub fn is_watched(&self) -> bool {
        !self.inner.lock().mailboxes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn a_page_hears_the_last_word_of_every_topic_and_each_once() {
        let hub = Hub::default();
        hub.tell(Topic::Live, json!({"n": 1}));
        hub.tell(Topic::Game, json!({"n": 2}));
        let page = hub.join().unwrap();
        hub.tell(Topic::Live, json!({"n": 3}));
        page.reply(&json!({"id": 7}));
        let mut heard = Vec::new();
        while let Ok(Some(words)) = page.next(NOW) {
            heard.push(words.to_string());
        }
        assert_eq!(heard, [r#"{"id":7}"#, r#"{"n":2,"topic":"game"}"#, r#"{"n":3,"topic":"live"}"#]);
        hub.leave(&page);
        assert!(page.next(NOW).is_err() && !hub.is_watched());
    }

    #[test]
    fn a_question_is_stale_when_the_page_asks_another_or_goes() {
        let hub = Hub::default();
        let page = hub.join().unwrap();
        let first = page.replace_question();
        assert!(!first.load(SeqCst));
        let second = page.replace_question();
        assert!(first.load(SeqCst) && !second.load(SeqCst));
        hub.leave(&page);
        assert!(second.load(SeqCst) && page.replace_question().load(SeqCst));
    }

    #[test]
    fn a_page_that_babbles_is_slowed_down() {
        let page = Mailbox::default();
        let began = Instant::now();
        for id in 0..=MOST_PER_SECOND {
            assert!(page.open());
            page.reply(&json!({ "id": id }));
            let _ = page.next(NOW);
        }
        assert!(began.elapsed() >= SECOND, "{:?}", began.elapsed());
    }

    #[test]
    fn there_is_an_end_to_pages_and_to_answers_that_nobody_fetches() {
        let hub = Hub::default();
        let pages: Vec<_> = std::iter::from_fn(|| hub.join()).collect();
        assert_eq!(pages.len(), MOST_PAGES);
        (0..MOST_REPLIES + 1).for_each(|i| pages[0].reply(&json!({ "id": i })));
        assert!(pages[0].is_closed());
        hub.leave(&pages[1]);
        assert!(hub.join().is_some());
    }
}

//! From which messages a required field can be reached.

use super::{MessageSpec, Sub};
use crate::Mode;
use alloc::vec::Vec;

/// For each message whether it or any message below it (through fields, repeated fields, oneofs and maps) has a required
/// field. The ids in [`Sub`] are indices of `messages`; ids outside are taken to reach none.
///
/// Extensions are left out: which of them a message carries is known at run time only.
pub fn required_deep(messages: &[MessageSpec]) -> Vec<bool> {
    let mut parents: Vec<Vec<usize>> = alloc::vec![Vec::new(); messages.len()];
    let mut found = alloc::vec![false; messages.len()];
    let mut queue = Vec::new();
    for (id, message) in messages.iter().enumerate() {
        for field in &message.fields {
            let child = match field.sub {
                Sub::Message(child) => Some(child),
                Sub::Map(map) => map.message,
                Sub::None | Sub::Enum(_) => None,
            };
            if let Some(parents) = child.and_then(|child| parents.get_mut(child)) {
                parents.push(id);
            }
            if field.mode == Mode::Required && !found[id] {
                found[id] = true;
                queue.push(id);
            }
        }
    }
    // Each message enters the queue once, each edge is looked at once.
    while let Some(id) = queue.pop() {
        for &parent in &parents[id] {
            if !found[parent] {
                found[parent] = true;
                queue.push(parent);
            }
        }
    }
    found
}

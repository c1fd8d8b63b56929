//! Lets a few requests out at once.
//!
//! Rule: ours; a registry that is asked by many threads answers 429 or falls over. Cost: one lock for each request.

use std::sync::{Condvar, Mutex, PoisonError};

/// A gate with a number of places.
pub(super) struct Gate {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place, given back when it is dropped.
pub(super) struct Permit<'g> {
    gate: &'g Gate,
}

impl Gate {
    /// A gate with so many places, at least one.
    pub(super) fn new(places: usize) -> Self {
        Self { free: Mutex::new(places.max(1)), freed: Condvar::new() }
    }

    /// Waits for a place.
    pub(super) fn enter(&self) -> Permit<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Permit { gate: self }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.gate.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.gate.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn no_more_than_the_places_are_inside() {
        let (gate, inside, most) = (Gate::new(2), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _permit = gate.enter();
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
    }

    #[test]
    fn a_gate_without_places_has_one() {
        drop(Gate::new(0).enter());
    }
}

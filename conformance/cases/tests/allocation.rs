//! W18: a length that nothing stands behind costs no memory. Its own program, because it counts what the allocator is asked for.
#![allow(unsafe_code, reason = "an allocator that counts")]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use buffa::{DecodeOptions, ErrorKind};
use buffa_cases::{hex, s2};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator, watched.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: by the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: by the caller's contract.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn w18_length_without_bytes() {
    LARGEST.store(0, Ordering::Relaxed);
    for (length, kind) in [
        (hex::varint((1 << 31) - 1), ErrorKind::Truncated),
        (hex::varint(1 << 31), ErrorKind::TooLong),
        (hex::varint(u64::MAX), ErrorKind::TooLong),
    ] {
        let few = [length.clone(), vec![0x08]].concat();
        for mut input in [&length[..], &few[..]] {
            assert_eq!(buffa::read_delimited::<s2::M<'_>>(&mut input, &DecodeOptions::new()).unwrap_err().kind(), kind);
        }
        for field in [14, 15, 16, 20, 22, 5, 8, 900] {
            let input = [hex::tag(field, 2), length.clone(), vec![0; 40]].concat();
            let error = buffa::read_message::<s2::M<'_>>(&input[..], &DecodeOptions::new()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Truncated, "field {field}");
        }
    }
    let largest = LARGEST.load(Ordering::Relaxed);
    assert!(largest > 0 && largest <= 128 << 10, "{largest} bytes were asked for at once");
}

//! The memory that renderers say they take, against what the allocator gave.

#![allow(clippy::unwrap_used, reason = "tests unwrap")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use qrpress_image::{Colour, PngRenderer, Style, SvgRenderer};
use support::{colourful_logo, placed, random_symbol, version};

/// The system's allocator, which counts the bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps to the contract of `dealloc`, and the pointer came from `alloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn renderers_take_the_memory_that_they_say() {
    let logo = Arc::new(colourful_logo(1228, 1228));
    let style = Style::new(16, 4, Colour::Rgb([0; 3]), Colour::Rgb([255; 3])).unwrap();
    let symbols: Vec<_> = [1, 10, 20, 30, 40].map(|number| random_symbol(version(number), 1)).into();
    for logo in [None, Some(logo)] {
        let mut file = Vec::with_capacity(64 << 20);
        let before = IN_USE.load(Ordering::Relaxed);
        let (mut png, mut svg) = (PngRenderer::new(style.clone()), SvgRenderer::new(style.clone()));
        if let Some(logo) = &logo {
            png = png.with_logo(placed(logo, 300_000));
            svg = svg.with_logo(placed(logo, 300_000));
        }
        for symbol in &symbols {
            file.clear();
            png.render(symbol, None, &mut file);
            svg.render(symbol, None, &mut file);
        }
        let taken = IN_USE.load(Ordering::Relaxed) - before;
        let said = png.memory_bytes() + svg.memory_bytes();
        // Tables that have one size, for all styles, are not counted.
        assert!(said <= taken && taken - said < taken / 20 + 400_000, "{said} of {taken} bytes");
    }
}

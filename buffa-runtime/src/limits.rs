//! All limits, in one place.

use crate::extension::ExtensionRegistry;

/// The longest message that the format allows: 2 GiB − 1 byte.
pub const MAX_MESSAGE: usize = i32::MAX as usize;

/// The deepest nesting that decoding can be told to accept and that encoding writes.
///
/// A level takes about 200 bytes of stack, one that is a map or an extension a few times that, and each some 5 KB in a build without
/// optimization. (Hence the kernels' helpers are `inline` and not `inline(always)`: without optimization each forced copy has a place of
/// its own in the frame, which made 18 KB.)
pub const MAX_DEPTH: u32 = 2000;

/// Default of [`DecodeOptions::recursion_limit`].
pub const DEFAULT_RECURSION: u32 = 100;

/// What happens to fields that the schema does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnknownPolicy {
    /// Kept in order and encoded again.
    #[default]
    Keep,
    /// Checked for well-formedness and dropped. Numbers that a closed enum does not declare are dropped too.
    Discard,
    /// An error.
    Error,
}

/// Options of every decoder.
///
/// | option | default |
/// |---|---|
/// | [`recursion_limit`](DecodeOptions::recursion_limit) | 100 levels |
/// | [`max_size`](DecodeOptions::max_size) | 2 GiB − 1 |
/// | [`memory_limit`](DecodeOptions::memory_limit) | the larger of 32 MiB and 16 × the input |
/// | [`unknown`](DecodeOptions::unknown) | keep |
#[derive(Clone, Copy, Debug)]
pub struct DecodeOptions<'r> {
    pub(crate) recursion: u32,
    pub(crate) max_size: usize,
    pub(crate) memory: Option<usize>,
    pub(crate) unknown: UnknownPolicy,
    pub(crate) extensions: Option<&'r ExtensionRegistry<'r>>,
}

impl Default for DecodeOptions<'_> {
    fn default() -> Self {
        DecodeOptions::new()
    }
}

impl<'r> DecodeOptions<'r> {
    /// The defaults.
    pub const fn new() -> DecodeOptions<'r> {
        DecodeOptions {
            recursion: DEFAULT_RECURSION,
            max_size: MAX_MESSAGE,
            memory: None,
            unknown: UnknownPolicy::Keep,
            extensions: None,
        }
    }

    /// Levels of nested messages and groups that are accepted, the outermost message not counted; at most [`MAX_DEPTH`].
    #[must_use]
    pub const fn recursion_limit(mut self, levels: u32) -> Self {
        self.recursion = if levels < MAX_DEPTH { levels } else { MAX_DEPTH };
        self
    }

    /// Longest accepted input in bytes; at most [`MAX_MESSAGE`].
    #[must_use]
    pub const fn max_size(mut self, bytes: usize) -> Self {
        self.max_size = if bytes < MAX_MESSAGE { bytes } else { MAX_MESSAGE };
        self
    }

    /// Bytes of arena memory that one call may take.
    #[must_use]
    pub const fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// What happens to unknown fields.
    #[must_use]
    pub const fn unknown(mut self, policy: UnknownPolicy) -> Self {
        self.unknown = policy;
        self
    }

    /// Extensions that are checked while decoding (UTF-8, required fields, structure). They stay among the unknown fields until
    /// they are asked for, known or not.
    #[must_use]
    pub const fn extensions(mut self, registry: &'r ExtensionRegistry<'r>) -> Self {
        self.extensions = Some(registry);
        self
    }

    pub(crate) fn memory_for(&self, input: usize) -> usize {
        const FLOOR: usize = 32 << 20;
        self.memory.unwrap_or_else(|| input.saturating_mul(16).max(FLOOR))
    }
}

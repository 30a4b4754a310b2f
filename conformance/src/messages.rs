//! The generated types, and which of them a request means.

use crate::codec::{self, Codec};
use buffa::{ExtensionInfo, ExtensionRegistry, Message};

#[allow(missing_docs, unreachable_pub, dead_code, clippy::enum_variant_names, reason = "generated")]
mod packages {
    include!(concat!(env!("OUT_DIR"), "/packages.rs"));
}

pub(crate) use packages::{conformance, protobuf_test_messages};

use protobuf_test_messages::{edition_unstable, editions, proto2, proto3};

/// Without it an extension is an unknown field, whose contents nobody checks.
pub(crate) static EXTENSIONS: ExtensionRegistry<'_> = ExtensionRegistry::new(LISTS);

static LISTS: &[&[ExtensionInfo]] = &[
    proto2::__buffa::EXTENSIONS,
    edition_unstable::__buffa::EXTENSIONS,
    editions::__buffa::EXTENSIONS,
    editions::proto2::__buffa::EXTENSIONS,
];

/// A message that requests name: its full name and its codec.
struct Known {
    name: fn() -> &'static str,
    codec: Codec,
}

impl Known {
    const fn of<M: Message<'static>>() -> Known {
        Known { name: || M::NAMES.full_name(), codec: codec::run::<M> }
    }
}

static KNOWN: [Known; 6] = [
    Known::of::<proto2::TestAllTypesProto2<'static>>(),
    Known::of::<proto3::TestAllTypesProto3<'static>>(),
    Known::of::<editions::TestAllTypesEdition2023<'static>>(),
    Known::of::<editions::proto2::TestAllTypesProto2<'static>>(),
    Known::of::<editions::proto3::TestAllTypesProto3<'static>>(),
    Known::of::<edition_unstable::TestAllTypesEditionUnstable<'static>>(),
];

/// The codec of a message by its full name.
pub(crate) fn codec_of(full_name: &str) -> Option<Codec> {
    KNOWN.iter().find(|known| (known.name)() == full_name).map(|known| known.codec)
}

/// The numbers of the extensions of the message with this table.
#[cfg(test)]
pub(crate) fn extension_numbers(extendee: buffa::__rt::TableRef) -> Vec<u32> {
    LISTS.concat().iter().filter(|info| info.extendee() == extendee).map(ExtensionInfo::number).collect()
}

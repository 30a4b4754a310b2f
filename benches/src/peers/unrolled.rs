//! buffa 0.9.2, the generated-code predecessor: owned messages, views and lazy views.
//!
//! Entries named "lean" use its fastest settings: unknown fields are dropped, bytes fields are
//! `bytes::Bytes` and oneof messages are stored inline.

use bytes::Bytes;
use peer_buffa_unrolled::buffa::{HasMessageView, LazyMessageView, Message, MessageView, SizeCache, ViewEncode};
use peer_buffa_unrolled::{lean, plain};

use crate::contestant::{Entry, Op, decode_all, fresh, into_buffer, reused, to_vec};
use crate::kind::Kind;
use crate::set::Set;

const LIBRARY: &str = "buffa 0.9.2";

macro_rules! entries {
    ($($message:ident $lazy:ident,)*) => {
        pub(super) fn entries(set: &Set) -> Vec<Entry<'_>> {
            match set.kind {
                $(Kind::$message => {
                    let mut entries = entries_of::<plain::$message>(set, &PLAIN);
                    entries.extend(entries_of::<lean::$message>(set, &LEAN));
                    entries.push(lazy::<plain::$lazy<'_>>(set, "lazy"));
                    entries.push(lazy::<lean::$lazy<'_>>(set, "lean lazy"));
                    entries
                })*
            }
        }
    };
}

entries! {
    ApiResponse ApiResponseLazyView,
    LogRecord LogRecordLazyView,
    AnalyticsEvent AnalyticsEventLazyView,
    GoogleMessage1 GoogleMessage1LazyView,
    MediaFrame MediaFrameLazyView,
    PackedTile PackedTileLazyView,
    PackedSigned PackedSignedLazyView,
    TriMesh TriMeshLazyView,
    ColumnBatch ColumnBatchLazyView,
    DeviceStatus DeviceStatusLazyView,
}

struct Ways {
    owned: &'static str,
    reused: &'static str,
    view: &'static str,
}

const PLAIN: Ways = Ways { owned: "", reused: "reused", view: "view" };
const LEAN: Ways = Ways { owned: "lean", reused: "lean reused", view: "lean view" };

fn entries_of<'a, M>(set: &'a Set, ways: &Ways) -> Vec<Entry<'a>>
where
    M: HasMessageView + 'a,
    M::View<'a>: ViewEncode<'a>,
{
    let payloads = &set.payloads[..];
    let decode = |p: &'a Bytes| M::decode_from_slice(p);
    let view = |p: &'a Bytes| <M::View<'a> as MessageView<'a>>::decode_view(p);
    let merge = |message: &mut M, payload: &'a Bytes| {
        message.clear();
        message.merge_from_slice(payload)
    };
    let again = move |message: &mut M, payload: &'a Bytes| merge(message, payload).map(|()| message.encode_to_vec());
    let owned = || decode_all(payloads, decode);
    let views = || decode_all(payloads, view);
    let buffer = || (SizeCache::default(), Vec::new());
    vec![
        Entry::new(LIBRARY, ways.owned, Op::Decode, fresh(payloads, decode, M::encode_to_vec)),
        Entry::new(LIBRARY, ways.reused, Op::Decode, reused(payloads, M::default(), merge, again)),
        Entry::new(LIBRARY, ways.view, Op::Decode, fresh(payloads, view, ViewEncode::encode_to_vec)),
        Entry::new(LIBRARY, ways.owned, Op::ToVec, to_vec(owned(), M::encode_to_vec)),
        Entry::new(LIBRARY, ways.view, Op::ToVec, to_vec(views(), ViewEncode::encode_to_vec)),
        Entry::new(LIBRARY, ways.owned, Op::IntoBuffer, into_buffer(owned(), buffer(), encode_owned)),
        Entry::new(LIBRARY, ways.view, Op::IntoBuffer, into_buffer(views(), buffer(), encode_view)),
    ]
}

fn lazy<'a, L: LazyMessageView<'a> + 'a>(set: &'a Set, way: &'static str) -> Entry<'a>
where
    L::Owned: Message,
{
    let encode = |view: &L| view.to_owned_message().map_or_else(|_| Vec::new(), |m| m.encode_to_vec());
    Entry::new(LIBRARY, way, Op::Lazy, fresh(&set.payloads, |p| L::decode_lazy(p), encode))
}

fn encode_owned<'b, M: Message>(message: &M, buffer: &'b mut (SizeCache, Vec<u8>)) -> &'b [u8] {
    let (cache, bytes) = buffer;
    bytes.clear();
    message.encode_with_cache(cache, bytes);
    bytes
}

fn encode_view<'a, 'b, V: ViewEncode<'a>>(view: &V, buffer: &'b mut (SizeCache, Vec<u8>)) -> &'b [u8] {
    let (cache, bytes) = buffer;
    bytes.clear();
    view.encode_with_cache(cache, bytes);
    bytes
}

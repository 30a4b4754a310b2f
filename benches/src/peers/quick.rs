//! quick-protobuf 0.8: structs that borrow strings, bytes and packed fixed-width fields.

use bytes::Bytes;
use peer_quick_protobuf as quick;
use peer_quick_protobuf::quick_protobuf::{BytesReader, BytesWriter, MessageRead, MessageWrite, Result, Writer};

use crate::contestant::{Entry, Op, decode_all, fresh, into_buffer, to_vec, verified};
use crate::kind::Kind;
use crate::set::Set;

const LIBRARY: &str = "quick-protobuf";

const MISALIGNED: &str = "makes misaligned slices of packed fixed-width fields: undefined behaviour";

pub(super) fn entries(set: &Set) -> Vec<Entry<'_>> {
    match set.kind {
        Kind::ApiResponse => entries_of::<quick::api_response::ApiResponse<'_>>(set, None),
        Kind::LogRecord => entries_of::<quick::log_record::LogRecord<'_>>(set, None),
        Kind::AnalyticsEvent => entries_of::<quick::analytics_event::AnalyticsEvent<'_>>(set, None),
        Kind::GoogleMessage1 => entries_of::<quick::google_message1::GoogleMessage1<'_>>(set, None),
        Kind::MediaFrame => entries_of::<quick::media_frame::MediaFrame<'_>>(set, None),
        Kind::PackedTile => entries_of::<quick::packed_tile::PackedTile<'_>>(set, Some(MISALIGNED)),
        Kind::PackedSigned => entries_of::<quick::packed_signed::PackedSigned>(set, None),
        Kind::TriMesh => entries_of::<quick::tri_mesh::TriMesh>(set, None),
        Kind::ColumnBatch => entries_of::<quick::column_batch::ColumnBatch<'_>>(set, Some(MISALIGNED)),
        Kind::DeviceStatus => entries_of::<quick::device_status::DeviceStatus<'_>>(set, None),
    }
}

fn entries_of<'a, M: MessageRead<'a> + MessageWrite + 'a>(set: &'a Set, caveat: Option<&'static str>) -> Vec<Entry<'a>> {
    let payloads = &set.payloads[..];
    let messages = || decode_all(payloads, decode::<M>);
    let room = vec![0; payloads.iter().map(Bytes::len).max().unwrap_or(0)];
    [
        Entry::new(LIBRARY, "", Op::Decode, fresh(payloads, decode::<M>, encode)),
        Entry::new(LIBRARY, "", Op::ToVec, to_vec(messages(), encode)),
        Entry::new(LIBRARY, "", Op::IntoBuffer, into_buffer(messages(), Vec::new(), encode_into)),
        Entry::new(
            LIBRARY,
            "slice",
            Op::IntoBuffer,
            into_buffer(messages(), room, |message, room: &mut Vec<u8>| encode_slice(message, room)),
        ),
    ]
    .map(|entry| entry.with_caveat(caveat))
    .into()
}

fn decode<'a, M: MessageRead<'a>>(payload: &'a Bytes) -> Result<M> {
    M::from_reader(&mut BytesReader::from_bytes(payload), payload)
}

fn encode<M: MessageWrite>(message: &M) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(message.get_size());
    verified(message.write_message(&mut Writer::new(&mut bytes)));
    bytes
}

fn encode_into<'b, M: MessageWrite>(message: &M, buffer: &'b mut Vec<u8>) -> &'b [u8] {
    buffer.clear();
    verified(message.write_message(&mut Writer::new(&mut *buffer)));
    buffer
}

/// The writer does not tell how far it came, hence the extra walk for the size.
fn encode_slice<'b, M: MessageWrite>(message: &M, buffer: &'b mut [u8]) -> &'b [u8] {
    let out = &mut buffer[..message.get_size()];
    verified(message.write_message(&mut Writer::new(BytesWriter::new(out))));
    out
}

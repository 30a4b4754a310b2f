//! Payloads of the benchmark shapes from a fixed seed, for checkouts that have no payload files.
//!
//! Counts and lengths follow the payload files, so that the two give about the same timings.

use std::collections::HashMap;

use peer_prost::plain::{
    AnalyticsEvent, ApiResponse, ColumnBatch, DeviceStatus, GoogleMessage1, GoogleMessage1SubMessage, LogRecord, MediaFrame,
    PackedSigned, PackedTile, TriMesh,
    analytics_event::{Nested, Property, property::Value},
    device_status::SensorReading,
    log_record::Context,
    packed_tile::Cell,
    tri_mesh::{Face, Vertex},
};
use peer_prost::prost::Message;

use crate::kind::Kind;
use crate::rng::Rng;

/// Messages in each generated set, except where one message is the whole set.
const COUNT: usize = 50;

/// Fifty encoded messages of this kind.
pub fn payloads(kind: Kind) -> Vec<Vec<u8>> {
    let rng = &mut Rng::new(0xB0FFA ^ kind as u64);
    match kind {
        Kind::ApiResponse => encode(rng, api_response),
        Kind::LogRecord => encode(rng, log_record),
        Kind::AnalyticsEvent => encode(rng, analytics_event),
        Kind::GoogleMessage1 => vec![google_message1(rng).encode_to_vec()],
        Kind::MediaFrame => encode(rng, media_frame),
        Kind::PackedTile => encode(rng, packed_tile),
        Kind::PackedSigned => encode(rng, packed_signed),
        Kind::TriMesh => encode(rng, tri_mesh),
        Kind::ColumnBatch => encode(rng, column_batch),
        Kind::DeviceStatus => encode(rng, device_status),
    }
}

fn encode<M: Message>(rng: &mut Rng, make: fn(&mut Rng) -> M) -> Vec<Vec<u8>> {
    (0..COUNT).map(|_| make(rng).encode_to_vec()).collect()
}

fn api_response(rng: &mut Rng) -> ApiResponse {
    ApiResponse {
        request_id: rng.int(1, i64::MAX),
        status_code: rng.pick(&[200, 201, 204, 400, 404, 429, 500, 503]),
        message: rng.word(13, 98),
        latency_ms: rng.unit() * 250.0,
        cached: rng.chance(20),
        trace_id: rng.chance(66).then(|| rng.hex(32)),
        retry_after_ms: rng.chance(10).then(|| rng.int(100, 30_000)),
        tags: rng.list(0, 5, |r| r.word(3, 15)),
    }
}

fn log_record(rng: &mut Rng) -> LogRecord {
    LogRecord {
        timestamp_nanos: nanos(rng),
        service_name: rng.word(6, 12),
        instance_id: format!("{}-{}", rng.word(4, 8), rng.int::<u32>(0, 99)),
        severity: rng.int(0, 4),
        message: rng.word(50, 488),
        labels: rng.list(2, 8, |r| (r.word(3, 14), r.word(5, 45))).into_iter().collect(),
        trace_id: rng.hex(32),
        span_id: rng.hex(16),
        source: rng.chance(82).then(|| Context {
            file: format!("src/{}.rs", rng.word(6, 14)),
            line: rng.int(1, 2000),
            function: rng.word(8, 28),
        }),
    }
}

fn analytics_event(rng: &mut Rng) -> AnalyticsEvent {
    AnalyticsEvent {
        event_id: rng.hex(24),
        timestamp: rng.int(1_700_000_000, 1_770_000_000),
        user_id: format!("user-{}", rng.int::<u32>(0, 99_999)),
        properties: rng.list(3, 10, property),
        sections: rng.list(2, 5, |r| nested(r, 3)),
    }
}

fn property(rng: &mut Rng) -> Property {
    let key = rng.word(3, 18);
    let value = match rng.len(0, 3) {
        0 => Value::StringValue(rng.word(5, 40)),
        1 => Value::IntValue(rng.int(-1000, 1000)),
        2 => Value::DoubleValue(rng.unit() * 200.0 - 100.0),
        _ => Value::BoolValue(rng.chance(50)),
    };
    Property { key, value: Some(value) }
}

fn nested(rng: &mut Rng, depth: usize) -> Nested {
    let children = if depth == 0 { 0 } else { 3 };
    Nested {
        name: rng.word(5, 20),
        attributes: rng.list(1, 5, property),
        children: rng.list(0, children, |r| nested(r, depth - 1)),
    }
}

/// Sparse: about a dozen of more than forty fields are set.
fn google_message1(rng: &mut Rng) -> GoogleMessage1 {
    GoogleMessage1 {
        field2: 8,
        field3: 2_066_379,
        field4: rng.word(6, 6),
        field9: rng.word(89, 89),
        field12: true,
        field14: true,
        field15: Some(GoogleMessage1SubMessage {
            field1: 25,
            field2: 36,
            field15: rng.word(67, 67),
            field21: rng.draw() >> 2,
            field22: 38,
            field23: true,
            ..Default::default()
        }),
        field18: rng.word(10, 10),
        field67: 1_591_432,
        field100: 31,
        ..Default::default()
    }
}

fn media_frame(rng: &mut Rng) -> MediaFrame {
    MediaFrame {
        frame_id: rng.hex(32),
        timestamp_nanos: nanos(rng),
        content_type: rng.pick(&["image/jpeg", "audio/opus", "video/mp4", "image/webp"]).into(),
        body: rng.bytes(1200, 10_300),
        chunks: rng.list(2, 6, |r| r.bytes(300, 1700)),
        attachments: rng.list(0, 4, |r| (r.word(6, 20), r.bytes(100, 400))).into_iter().collect(),
    }
}

fn packed_tile(rng: &mut Rng) -> PackedTile {
    PackedTile { cells: (0..64).map(|id| cell(rng, id)).collect(), checksums: rng.list(32, 32, Rng::draw) }
}

fn cell(rng: &mut Rng, id: u32) -> Cell {
    Cell {
        id,
        geometry: rng.list(12, 20, |r| r.int(0, 4095)),
        samples: rng.list(4, 8, |r| r.unit32()),
        positions: rng.list(2, 4, Rng::unit),
    }
}

fn packed_signed(rng: &mut Rng) -> PackedSigned {
    PackedSigned {
        deltas: rng.list(64, 128, |r| r.int(-1_000_000, -1)),
        wide_deltas: rng.list(32, 64, |r| r.int(-1_000_000_000_000, -1)),
    }
}

fn tri_mesh(rng: &mut Rng) -> TriMesh {
    TriMesh { faces: rng.list(256, 256, face) }
}

fn face(rng: &mut Rng) -> Face {
    Face { a: vertex(rng), b: vertex(rng), c: vertex(rng), n: vertex(rng) }
}

fn vertex(rng: &mut Rng) -> Option<Vertex> {
    let mut coordinate = || rng.unit32() * 2.0 - 1.0;
    Some(Vertex { px: coordinate(), py: coordinate(), pz: coordinate() })
}

fn column_batch(rng: &mut Rng) -> ColumnBatch {
    let start = 1_767_225_600_000_000_000;
    ColumnBatch {
        symbol_dict: rng.list(32, 32, |r| r.word(4, 12)),
        symbol_ids: rng.list(1024, 1024, |r| r.int(0, 31)),
        timestamps: (0..1024).map(|row| start + row * 1_000_000 + rng.int::<i64>(0, 999)).collect(),
        values: rng.list(1024, 1024, |r| r.unit() * 2e6 - 1e6),
        weights: rng.list(1024, 1024, |r| r.unit32()),
    }
}

fn device_status(rng: &mut Rng) -> DeviceStatus {
    let metadata: HashMap<_, _> = ["fw", "hw", "at"].iter().map(|key| ((*key).into(), rng.word(2, 5))).collect();
    DeviceStatus {
        device_id: format!("dev-{}", rng.hex(6)),
        timestamp: rng.int(1_700_000_000, 1_770_000_000),
        battery: rng.unit32(),
        status: rng.int(1, 3),
        sensors: (1..=5).map(|id| reading(rng, id)).collect(),
        metadata,
    }
}

fn reading(rng: &mut Rng, sensor_id: u32) -> SensorReading {
    SensorReading {
        sensor_id,
        name: rng.pick(&["tmp", "hum", "co2", "lux", "bat"]).into(),
        value: rng.unit() * 100.0,
        ts: rng.int(1, 127),
    }
}

fn nanos(rng: &mut Rng) -> i64 {
    rng.int(1_700_000_000_000_000_000, 1_770_000_000_000_000_000)
}

//! One request, one answer.

use crate::codec::{self, Encoded, Fault};
use crate::messages;
use crate::messages::conformance::conformance_request::Payload;
use crate::messages::conformance::conformance_response::Result as Response;
use crate::messages::conformance::{ConformanceRequest, ConformanceResponse, FailureSet, WireFormat};
use buffa::{Arena, Message};
use std::mem::MaybeUninit;
use std::panic::catch_unwind;

/// Room for a request (strings and bytes stay in the frame).
const ROOM: usize = 4 << 10;

/// What the runner is told.
pub(crate) enum Answer {
    /// Binary to binary: what the codec said.
    Codec(Encoded),
    /// JSON in or out.
    NoJson,
    /// Text in or out.
    NoText,
    /// A request that this testee does not understand; always a failure.
    Unusable(String),
}

/// Answers a `ConformanceRequest`.
pub(crate) fn to(request: &[u8]) -> Answer {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let arena = Arena::from_buffer(&mut room);
    match ConformanceRequest::decode(request, &arena) {
        Ok(request) => to_request(&request),
        Err(error) => Answer::Unusable(format!("the request itself: {error}")),
    }
}

fn to_request(request: &ConformanceRequest<'_>) -> Answer {
    // Older runners begin by asking which failures to expect.
    if request.message_type.as_str() == "conformance.FailureSet" {
        return Answer::Codec(codec::encode(&FailureSet::default()));
    }
    let payload = match &request.payload {
        Payload::ProtobufPayload(payload) => payload.as_bytes(),
        Payload::JsonPayload(_) => return Answer::NoJson,
        Payload::TextPayload(_) => return Answer::NoText,
        Payload::JspbPayload(_) | Payload::Unset => return Answer::Unusable("no payload that this testee knows".into()),
    };
    match request.requested_output_format.get() {
        Ok(WireFormat::Protobuf) => {}
        Ok(WireFormat::Json) => return Answer::NoJson,
        Ok(WireFormat::TextFormat) => return Answer::NoText,
        other => return Answer::Unusable(format!("output format {other:?}")),
    }
    let name = request.message_type.as_str();
    let Some(codec) = messages::codec_of(name) else { return Answer::Unusable(format!("unknown message {name}")) };
    // A panic must fail the one test at hand, not the rest of the suite.
    let encoded = catch_unwind(|| codec(payload)).unwrap_or_else(|_| Err(Fault::Broken("panicked".into())));
    Answer::Codec(encoded)
}

impl Answer {
    /// The `ConformanceResponse`.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let text;
        let result = match self {
            Answer::Codec(Ok(bytes)) => Response::ProtobufPayload(bytes.as_slice().into()),
            Answer::Codec(Err(fault)) => {
                text = fault.to_string();
                match fault {
                    Fault::Parse { .. } => Response::ParseError(text.as_str().into()),
                    Fault::Encode(_) => Response::SerializeError(text.as_str().into()),
                    Fault::Broken(_) => Response::RuntimeError(text.as_str().into()),
                }
            }
            Answer::NoJson => Response::Skipped("JSON is not supported".into()),
            Answer::NoText => Response::Skipped("text is not supported".into()),
            Answer::Unusable(why) => Response::RuntimeError(why.as_str().into()),
        };
        let response = ConformanceResponse { result, ..Default::default() };
        // An empty answer would be a failed test, as it should.
        codec::encode(&response).unwrap_or_default()
    }
}

//! The benchmark messages, listed once.

/// Calls the macro `$then` with every message: its Rust name and the name of its payload set.
macro_rules! for_each_message {
    ($then:ident) => {
        $then! {
            ApiResponse "api_response",
            LogRecord "log_record",
            AnalyticsEvent "analytics_event",
            GoogleMessage1 "google_message1",
            MediaFrame "media_frame",
            PackedTile "packed_tile",
            PackedSigned "packed_signed",
            TriMesh "mesh",
            ColumnBatch "column_batch",
            DeviceStatus "device_status",
        }
    };
}
pub(crate) use for_each_message;

macro_rules! kinds {
    ($($message:ident $name:literal,)*) => {
        /// A benchmark message type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = $name] $message,)*
        }

        impl Kind {
            /// Every kind, in the order in which they are reported.
            pub const ALL: &[Kind] = &[$(Kind::$message,)*];

            /// The name of the payload set, as the reports say it.
            pub fn name(self) -> &'static str {
                match self { $(Kind::$message => $name,)* }
            }

            /// The message's name in its schema, without the package.
            pub fn message_name(self) -> &'static str {
                match self { $(Kind::$message => stringify!($message),)* }
            }
        }
    };
}
for_each_message!(kinds);

impl Kind {
    /// Whether the message holds a map, whose entries may be encoded in any order.
    pub fn has_map(self) -> bool {
        matches!(self, Kind::LogRecord | Kind::MediaFrame | Kind::DeviceStatus)
    }
}

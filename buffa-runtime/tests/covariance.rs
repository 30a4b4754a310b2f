//! Messages and containers are covariant: what lives long can stand where something shorter is asked for. This need only compile.
#![cfg(feature = "descriptor")]

use buffa::descriptor::{FileDescriptorProto, FileDescriptorSet};
use buffa::{Arena, Blob, Map, Message, MessageField, Optional, Owned, Repeated, Str, UnknownFields};

#[expect(clippy::type_complexity, reason = "the types are the test")]
fn shorter<'short, 'long: 'short>(
    message: FileDescriptorProto<'long>,
    list: Repeated<'long, FileDescriptorProto<'long>>,
    field: MessageField<'long, FileDescriptorProto<'long>>,
    map: Map<'long, Str<'long>, FileDescriptorProto<'long>>,
    others: (Str<'long>, Blob<'long>, UnknownFields<'long>, Optional<Str<'long>>),
) -> (
    FileDescriptorProto<'short>,
    Repeated<'short, FileDescriptorProto<'short>>,
    MessageField<'short, FileDescriptorProto<'short>>,
    Map<'short, Str<'short>, FileDescriptorProto<'short>>,
    (Str<'short>, Blob<'short>, UnknownFields<'short>, Optional<Str<'short>>),
) {
    (message, list, field, map, others)
}

fn lent<'o>(owned: &'o Owned<FileDescriptorSet<'static>>) -> &'o FileDescriptorSet<'o> {
    owned.get()
}

fn sent<T: Send + Sync>(value: T) -> T {
    value
}

#[test]
fn long_lived_values_shorten() {
    let parts = shorter(
        FileDescriptorProto { name: "static".into(), ..Default::default() },
        Repeated::default(),
        MessageField::default(),
        Map::default(),
        (Str::default(), Blob::default(), UnknownFields::EMPTY, Optional::default()),
    );
    let text = String::from("short");
    let mut message = parts.0;
    message.package = text.as_str().into();
    assert_eq!((&*message.name, &*message.package), ("static", "short"));
    let arena = Arena::new();
    let mut list = parts.1;
    list.push(message, &arena);
    assert_eq!(list.len(), 1);
}

#[test]
fn owners_are_send_and_sync() {
    let owned = sent(Owned::<FileDescriptorSet<'static>>::new());
    assert!(sent(lent(&owned)).file.is_empty());
    assert!(!core::mem::needs_drop::<FileDescriptorSet<'_>>());
}

/// Values of one lifetime can be exchanged, wherever they come from.
#[test]
fn swapped_messages_stay_valid() {
    let (a, b) = (Arena::new(), Arena::new());
    let input = FileDescriptorProto { name: "one".into(), ..Default::default() }.encode_to_vec();
    let mut one = FileDescriptorProto::decode(&input, &a).unwrap_or_default();
    let mut two = FileDescriptorProto { name: Str::copied("two", &b).unwrap_or_default(), ..Default::default() };
    two.dependency.push("x".into(), &b);
    core::mem::swap(&mut one, &mut two);
    one.dependency.push("y".into(), &a);
    assert_eq!((&*one.name, one.dependency.len(), &*two.name), ("two", 2, "one"));
}

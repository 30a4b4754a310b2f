//! Messages: made, encoded, decoded and changed.

use crate::tutorial::person::{Contact, PhoneNumber, PhoneType};
use crate::tutorial::{Address, AddressBook, Person};
use buffa::{Arena, DecodeError, EncodeError, Message, Owned};
use std::error::Error;

/// Builds an address book and encodes it.
///
/// # Errors
/// When the message is too long to be encoded (2 GiB), which is the only thing that can happen.
pub fn write() -> Result<Vec<u8>, EncodeError> {
    // A message is a plain struct. It borrows its parts, and they may live anywhere: strings in the program, in the input or in
    // an arena; sub-messages in variables, as here.
    let mut home = Address { street: "12 St James's Square".into(), city: "London".into(), ..Default::default() };
    let mut phones = [
        PhoneNumber { number: "+44 20 7946 0001".into(), r#type: PhoneType::Home.into(), ..Default::default() },
        PhoneNumber { number: "+44 7700 900123".into(), r#type: PhoneType::Mobile.into(), ..Default::default() },
    ];
    let ada = Person {
        name: "Ada Lovelace".into(),
        id: 1,
        phones: (&mut phones).into(),
        home: (&mut home).into(),
        // `optional` fields know whether they are set.
        last_seen: 1_700_000_000.into(),
        // A oneof is an enum.
        contact: Contact::Email("ada@example.com".into()),
        ..Default::default()
    };
    let mut people = [ada, Person { name: "Charles Babbage".into(), id: 2, ..Default::default() }];

    // What grows needs an arena: one block of memory that everything in a message is put into, and that goes all at once.
    let arena = Arena::new();
    for person in &mut people {
        person.tags.push("engine".into(), &arena);
        person.scores.insert("whist".into(), 7 * person.id, &arena);
    }

    let book = AddressBook { people: (&mut people).into(), ..Default::default() };
    // `encode_to_vec` does the same and panics if the message is too long; `encode` and `encode_into` write into your buffer.
    let bytes = book.try_encode_to_vec()?;
    println!("written:  {} people in {} bytes", book.people.len(), bytes.len());
    Ok(bytes)
}

/// Decodes without copying: strings are slices of `bytes`, everything else lies in the arena.
///
/// # Errors
/// When the bytes are not an address book. The error says what is wrong, and at which byte.
pub fn borrow(bytes: &[u8]) -> Result<(), DecodeError> {
    // The arena can be reused for the next message after `arena.reset()`, without asking the system for memory again.
    let arena = Arena::new();
    let book = AddressBook::decode(bytes, &arena)?;
    for person in &book.people {
        let reach = match &person.contact {
            Contact::Email(email) => format!("by mail to {email}"),
            Contact::Phone(phone) => format!("by phone at {}", phone.number),
            Contact::Unset => "not at all".to_owned(),
        };
        // A sub-message that is not set reads as an empty one, so there is nothing to unwrap.
        let city = if person.home.city.is_empty() { "?" } else { &person.home.city };
        println!("borrowed: {} of {city} can be reached {reach}", person.name);
    }

    // More input can be merged into a message that is there already. This adds another person.
    let mut book = book;
    let more = [0x0a, 0x05, 0x0a, 0x03, b'A', b'd', b'a'];
    book.merge(&more, &arena)?;
    println!("merged:   now {} people", book.people.len());

    // A deep copy into another arena borrows nothing from `bytes`.
    let other = Arena::new();
    match book.clone_in(&other) {
        Ok(copy) => println!("copied:   equal to the original: {}", copy == book),
        Err(error) => println!("copied:   not: {error:?}"),
    }
    Ok(())
}

/// Decodes into a message that owns what it is made of: it has no lifetime, and can be kept, returned and sent to other threads.
///
/// # Errors
/// When the bytes are not an address book.
pub fn own(bytes: &[u8]) -> Result<Owned<AddressBook<'static>>, DecodeError> {
    let mut book = AddressBook::decode_from_slice(bytes)?;
    // `edit` lends message and arena together, so that nothing can be put into the message that would not live long enough.
    book.edit(|book, arena| {
        for person in book.people.make_mut(arena) {
            person.tags.push("friend".into(), arena);
        }
        book.people.push(Person { name: "Mary Somerville".into(), id: 3, ..Default::default() }, arena);
    });
    println!("owned:    {} people after an edit", book.get().people.len());
    Ok(book)
}

/// Gives an address book to another thread.
///
/// # Errors
/// When the thread panics, which it does not.
pub fn in_the_background(book: Owned<AddressBook<'static>>) -> Result<(), Box<dyn Error>> {
    let thread = std::thread::spawn(move || {
        // All types print with `{:?}`. Here is one person with the names of the schema.
        book.get().people.last().map(|person| format!("{person:?}"))
    });
    let last = thread.join().map_err(|_| "the thread panicked")?;
    println!("sent:     {}", last.unwrap_or_default());
    Ok(())
}

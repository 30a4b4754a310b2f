//! A first program with buffa. Run it with `cargo run -p quickstart`.

use quickstart::{address_book, schema};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("An address book\n");
    let bytes = address_book::write()?;
    address_book::borrow(&bytes)?;
    let book = address_book::own(&bytes)?;
    address_book::in_the_background(book)?;

    println!("\nThe well-known types, read from protoc's own descriptor set\n");
    schema::print(schema::WELL_KNOWN)
}

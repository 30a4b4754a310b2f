//! Testee for the official protobuf conformance runner.
//!
//! ```text
//!  runner ──stdin──▶ frames ──▶ answer ──▶ messages (type by name) ──▶ codec (every way through the runtime) ──▶ answer ──stdout──▶ runner
//! ```
//! Binary input with binary output is answered; JSON and text are answered "skipped". Cargo features choose the mode: `std`, `alloc`,
//! or neither, which is the runtime in a fixed buffer without an allocator. `conformance/run` builds and runs all of them.

mod answer;
mod codec;
mod frames;
mod messages;
mod tally;

use std::io::{self, Write};
use std::process::ExitCode;
use tally::Tally;

fn main() -> ExitCode {
    let mut tally = Tally::default();
    match serve(&mut tally) {
        Ok(()) if tally.requests() > 0 => {
            eprintln!("testee ({}): {tally}", codec::MODE);
            ExitCode::SUCCESS
        }
        Ok(()) => {
            eprintln!("This answers the protobuf conformance runner on its standard input; start it with conformance/run.");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("testee ({}): {error}", codec::MODE);
            ExitCode::FAILURE
        }
    }
}

/// Answers requests until the runner closes the pipe.
fn serve(tally: &mut Tally) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    while let Some(request) = frames::read(&mut input)? {
        let answer = answer::to(&request);
        tally.count(&answer);
        frames::write(&mut output, &answer.encode())?;
        output.flush()?;
    }
    Ok(())
}

//! The command line around a plugin: what happens when a person starts it.

use crate::{Plugin, respond};
use std::fmt::Write as _;
use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;

/// Exit code for a command line that makes no sense.
const USAGE: u8 = 2;

/// Runs `plugin` for the process: `--help`, `--version`, or one request from stdin.
pub fn main(plugin: &Plugin) -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if let Some(argument) = arguments.next() {
        return match argument.to_str() {
            Some("--help" | "-h") => print(&help(plugin)),
            Some("--version" | "-V") => print(&format!("{} {}\n", plugin.name, env!("CARGO_PKG_VERSION"))),
            _ => {
                eprint!("{}: unknown argument {argument:?}: a plugin takes none\n\n{}", plugin.name, help(plugin));
                ExitCode::from(USAGE)
            }
        };
    }
    let mut stdin = std::io::stdin();
    if stdin.is_terminal() {
        return no_request(plugin);
    }
    let mut request = Vec::new();
    if let Err(error) = stdin.read_to_end(&mut request) {
        eprintln!("{}: cannot read the request from stdin: {error}", plugin.name);
        return ExitCode::FAILURE;
    }
    // What protoc sends is never empty: it names at least one file.
    if request.is_empty() {
        return no_request(plugin);
    }
    match respond(plugin, &request) {
        Ok(response) => write(&response),
        Err(error) => {
            eprintln!("{}: the response cannot be encoded: {error}", plugin.name);
            ExitCode::FAILURE
        }
    }
}

fn no_request(plugin: &Plugin) -> ExitCode {
    eprint!("{} waits for a request from protoc or buf on stdin, and there is none.\n\n{}", plugin.name, help(plugin));
    ExitCode::from(USAGE)
}

fn help(plugin: &Plugin) -> String {
    let mut text = format!("{}: {}\n\n{}\nParameters, as key=value,key=value:\n", plugin.name, plugin.summary, plugin.usage);
    let width = plugin.parameters.iter().map(|parameter| parameter.shape().len()).max().unwrap_or(0);
    for parameter in plugin.parameters {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {:width$}  {}", parameter.shape(), parameter.help);
    }
    text.push_str("A comma inside a value is written `\\,`, a backslash `\\\\`.\n");
    text
}

fn print(text: &str) -> ExitCode {
    write(text.as_bytes())
}

/// Writes to stdout; a reader that has gone away is no news.
fn write(bytes: &[u8]) -> ExitCode {
    let mut stdout = std::io::stdout();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write to stdout: {error}");
            ExitCode::FAILURE
        }
    }
}

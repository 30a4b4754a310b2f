//! Prints results: a table per operation with a line of ratios, or JSON.

use std::fmt::{self, Write};

use crate::contestant::{Entry, Op};
use crate::kind::Kind;
use crate::measure::Timing;
use crate::peers::C_COMPILER;

/// One contestant's figures for one set.
pub struct Row {
    pub kind: Kind,
    pub op: Op,
    pub label: String,
    pub ours: bool,
    pub caveat: Option<&'static str>,
    pub messages: usize,
    /// Bytes per pass: of the payloads for decoding, of the output for encoding.
    pub bytes: usize,
    pub timing: Timing,
}

impl Row {
    pub fn new(entry: &Entry<'_>, kind: Kind, messages: usize, bytes: usize, timing: Timing) -> Self {
        let (label, ours) = (entry.label(), entry.is_ours());
        Row { kind, op: entry.op, label, ours, caveat: entry.caveat, messages, bytes, timing }
    }

    fn mib_per_s(&self, seconds: f64) -> f64 {
        self.bytes as f64 / (1024.0 * 1024.0) / seconds
    }

    fn median(&self) -> f64 {
        self.mib_per_s(self.timing.median)
    }
}

/// The tables of every operation that has rows.
pub struct Tables<'a>(pub &'a [Row]);

impl fmt::Display for Tables<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "MiB/s: median (best). protobuf's C compiler: {C_COMPILER}.")?;
        writeln!(f, "allocator: {}", allocator())?;
        for &op in Op::ALL {
            let rows: Vec<&Row> = self.0.iter().filter(|row| row.op == op).collect();
            if !rows.is_empty() {
                writeln!(f, "\n{}", op.describe())?;
                table(f, &rows)?;
            }
        }
        summary(f, self.0)?;
        notes(f, self.0)
    }
}

/// A line per contestant, a column per set.
fn table(f: &mut fmt::Formatter<'_>, rows: &[&Row]) -> fmt::Result {
    let kinds = unique(rows.iter().map(|row| row.kind));
    let labels = unique(rows.iter().map(|row| row.label.as_str()));
    write!(f, "{:26}", "")?;
    kinds.iter().try_for_each(|kind| write!(f, "{:>18}", kind.name()))?;
    writeln!(f)?;
    for label in labels {
        write!(f, "{label:26}")?;
        for &kind in &kinds {
            let row = rows.iter().find(|row| row.kind == kind && row.label == label);
            write!(f, "{:>18}", row.map_or_else(|| "-".into(), |row| cell(row)))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

fn cell(row: &Row) -> String {
    let mark = match (row.timing.disturbed, row.caveat) {
        (true, _) => "~",
        (false, Some(_)) => "*",
        (false, None) => "",
    };
    format!("{mark}{:.0} ({:.0})", row.median(), row.mib_per_s(row.timing.best))
}

/// A line per set, a column per operation: our best way over the peers' best way, by medians.
fn summary(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    let best = |kind, op, ours| {
        let rows = rows.iter().filter(move |r| (r.kind, r.op, r.ours) == (kind, op, ours));
        rows.max_by(|a, b| a.median().total_cmp(&b.median()))
    };
    writeln!(f, "\nours / the best peer, by medians")?;
    write!(f, "{:18}", "")?;
    let ops = unique(rows.iter().map(|row| row.op));
    ops.iter().try_for_each(|op| write!(f, "{:32}", op.name()))?;
    for kind in unique(rows.iter().map(|row| row.kind)) {
        write!(f, "\n{:18}", kind.name())?;
        for &op in &ops {
            let (ours, peer) = (best(kind, op, true), best(kind, op, false));
            let ratio = match (ours, peer) {
                (Some(ours), Some(peer)) => format!("{:.2}", ours.median() / peer.median()),
                _ => "-".into(),
            };
            write!(f, "{ratio:5}/ {:25}", peer.map_or("-", |row| row.label.as_str()))?;
        }
    }
    writeln!(f)
}

fn notes(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    if rows.iter().any(|row| row.timing.disturbed) {
        writeln!(f, "\n~ busy machine, few undisturbed samples: all count, less the time without a core")?;
    }
    for caveat in unique(rows.iter().filter_map(|row| row.caveat)) {
        let by = unique(rows.iter().filter(|row| row.caveat == Some(caveat)).map(|row| &row.label));
        let names: Vec<&str> = by.iter().map(|label| label.as_str()).collect();
        writeln!(f, "\n* {}: {caveat}", names.join(", "))?;
    }
    Ok(())
}

/// Everything as one JSON object. No name in it needs escaping but the compiler's.
pub fn json(rows: &[Row]) -> String {
    let mut out = String::new();
    let compiler = C_COMPILER.replace(['"', '\\'], "'");
    // Writing to a string does not fail, here and below.
    let _ = write!(out, "{{\"c_compiler\":\"{compiler}\",\"allocator\":\"{}\",\"rows\":[", allocator());
    for (at, row) in rows.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let per_message = row.timing.median / row.messages as f64 * 1e9;
        let _ = write!(
            out,
            "{comma}\n{{\"message\":\"{}\",\"op\":\"{}\",\"contestant\":\"{}\",\"ours\":{},\
             \"median_mib_s\":{:.1},\"best_mib_s\":{:.1},\"median_ns_per_message\":{per_message:.1},\
             \"bytes\":{},\"messages\":{},\"samples\":{},\"disturbed\":{}}}",
            row.kind.name(),
            row.op.name(),
            row.label,
            row.ours,
            row.median(),
            row.mib_per_s(row.timing.best),
            row.bytes,
            row.messages,
            row.timing.samples,
            row.timing.disturbed,
        );
    }
    out + "\n]}"
}

fn allocator() -> &'static str {
    if cfg!(feature = "mimalloc") { "mimalloc" } else { "system" }
}

/// In order of first appearance.
fn unique<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for item in items {
        if !seen.contains(&item) {
            seen.push(item);
        }
    }
    seen
}

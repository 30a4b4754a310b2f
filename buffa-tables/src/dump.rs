//! Tables as text, for goldens and for people.

use crate::{Op, TableRef};
use core::fmt;

/// Shows one line for the header and one per field, e.g.
/// `3 Explicit Int64 tag=0x18 offset=40 aux=-`.
#[derive(Clone, Copy, Debug)]
pub struct Dump(pub TableRef);

impl fmt::Display for Dump {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.0;
        writeln!(
            out,
            "size={} fields={} dense={} aux={} flags={:#x} bytes={}",
            table.size(),
            table.count(),
            table.dense(),
            table.aux().len(),
            table.flags().bits(),
            table.bytes()
        )?;
        for entry in table.entries() {
            let wide = entry.op() == Op::WIDE;
            let index = if wide {
                Some(usize::from(entry.offset()))
            } else {
                (entry.aux() != crate::FieldEntry::NO_AUX).then_some(usize::from(entry.aux()))
            };
            let aux = index.and_then(|i| table.aux().get(i));
            let (op, offset) = match aux {
                Some(aux) if wide => (aux.op(), aux.offset() as usize),
                _ => (entry.op(), usize::from(entry.offset())),
            };
            write!(out, "  {} {:?} {:?} tag={:#x} offset={offset}", entry.number(), op.mode(), op.kind(), entry.tag())?;
            match (index, aux) {
                (Some(index), Some(aux)) => {
                    write!(out, " aux={index}")?;
                    if let Some(sub) = aux.table() {
                        write!(out, " table(size={} fields={})", sub.size(), sub.count())?;
                    }
                    if let Some(numbers) = aux.enum_table() {
                        write!(out, " enum{:?}+{}", numbers.dense_range(), numbers.sparse().len())?;
                    }
                    if aux.delta() != 0 {
                        write!(out, " case=-{}", aux.delta())?;
                    }
                }
                _ => write!(out, " aux=-")?,
            }
            if wide {
                write!(out, " wide")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

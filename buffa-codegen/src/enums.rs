//! An enum as Rust source.

use crate::context::Context;
use crate::message::child_path;
use crate::names;
use crate::options::Target;
use crate::schema::{Enum, join};
use crate::writer::{Writer, line, open};
use buffa_tables::build::longest_run;
use std::collections::HashMap;

/// Names of an enum's values, and which of them are variants.
pub(crate) struct EnumNames {
    /// Identifier of each declared value: a variant, or for aliases a constant.
    pub(crate) values: Vec<String>,
    /// For each value the first declared one with its number: itself, unless it is an alias.
    first: Vec<usize>,
    /// Variants with their numbers, ascending by number.
    ascending: Vec<(i32, usize)>,
}

impl EnumNames {
    pub(crate) fn new(proto: &Enum<'_>) -> EnumNames {
        let mut by_number: HashMap<i32, usize> = HashMap::new();
        let mut first = Vec::with_capacity(proto.proto.value.len());
        let mut declared = Vec::new();
        let mut ascending = Vec::new();
        for (index, value) in proto.proto.value.iter().enumerate() {
            let number = value.number.unwrap_or(0);
            first.push(*by_number.entry(number).or_insert_with(|| {
                declared.push(index);
                ascending.push((number, index));
                index
            }));
        }
        ascending.sort_unstable();
        EnumNames { values: names::values(proto, &declared), first, ascending }
    }
}

/// Prints an enum.
pub(crate) fn print(context: &Context<'_>, out: &mut Writer, id: usize) {
    let item = &context.schema.enums[id];
    if context.options.excludes(&item.full_name) {
        return;
    }
    let names = context.enum_names(id);
    let name = &context.names.enums[id].name;
    out.gap();
    context.preamble(out, item.file, &item.path, Target::Enum, &item.full_name);
    // The names are the schema's.
    line!(out, "#[allow(clippy::enum_variant_names)]");
    line!(out, "#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq)]");
    line!(out, "#[derive(::core::cmp::PartialOrd, ::core::cmp::Ord, ::core::hash::Hash, ::core::fmt::Debug)]");
    line!(out, "#[repr(i32)]");
    open!(out, "pub enum {name} {{");
    for (index, value) in item.proto.value.iter().enumerate() {
        if names.first[index] == index {
            let full_name = join(&item.full_name, value.name.as_str());
            context.preamble(out, item.file, &child_path(&item.path, 2, index), Target::Field, &full_name);
            if value.options.deprecated.get() == Some(true) {
                line!(out, "#[deprecated]");
            }
            line!(out, "{} = {},", names.values[index], value.number.unwrap_or(0));
        }
    }
    out.close("}");
    aliases(context, out, id, names);
    line!(out, "#[allow(unsafe_code, deprecated)]");
    open!(out, "const _: () = {{");
    line!(out, "use ::buffa::__rt;");
    let text = name_table(item);
    line!(out, "static NAMES: __rt::NameTable = __rt::NameTable::new({:?}, {text:?}, &[]);", item.full_name);
    open!(out, "impl ::core::default::Default for {name} {{");
    line!(out, "#[inline]");
    line!(out, "fn default() -> Self {{ Self::{} }}", names.values.first().map_or("", String::as_str));
    out.close("}");
    line!(out, "// SAFETY: repr(i32), and the table has exactly the numbers of the variants.");
    open!(out, "unsafe impl ::buffa::Enum for {name} {{");
    line!(out, "#[inline]");
    line!(out, "fn is_declared(number: i32) -> bool {{ <Self as ::buffa::EnumType>::TABLE.contains(number) }}");
    out.close("}");
    line!(out, "// SAFETY: no lifetime inside; stands in `Optional` and `Repeated`, where zero bytes hold no value of it.");
    open!(out, "unsafe impl __rt::FieldFamily for {name} {{");
    line!(out, "type In<'x> = {name};");
    out.close("}");
    open!(out, "impl ::buffa::EnumType for {name} {{");
    let default = item.proto.value.first().and_then(|value| value.number.get()).unwrap_or(0);
    let (low, dense, sparse) = ranges(&names.ascending);
    open!(out, "const TABLE: &'static __rt::EnumTable = {{");
    line!(out, "static TABLE: __rt::EnumTable = __rt::EnumTable::new({default}, {low}, {dense}, &{sparse:?});");
    line!(out, "&TABLE");
    out.close("};");
    line!(out, "const NAMES: __rt::NameRef = NAMES.names();");
    out.close("}");
    out.close("};");
}

fn aliases(context: &Context<'_>, out: &mut Writer, id: usize, names: &EnumNames) {
    let item = &context.schema.enums[id];
    if names.ascending.len() == names.values.len() {
        return;
    }
    out.gap();
    line!(out, "#[allow(deprecated)]");
    open!(out, "impl {} {{", context.names.enums[id].name);
    for (index, &first) in names.first.iter().enumerate() {
        if first != index {
            let full_name = join(&item.full_name, item.proto.value[index].name.as_str());
            context.preamble(out, item.file, &child_path(&item.path, 2, index), Target::Field, &full_name);
            line!(out, "pub const {}: Self = Self::{};", names.values[index], names.values[first]);
        }
    }
    out.close("}");
    out.gap();
}

/// The longest run of consecutive numbers as (first, count), and the numbers outside of it.
fn ranges(ascending: &[(i32, usize)]) -> (i32, u32, Vec<i32>) {
    let numbers: Vec<i32> = ascending.iter().map(|&(number, _)| number).collect();
    let run = longest_run(&numbers);
    let low = numbers.get(run.start).copied().unwrap_or(0);
    // Enums have far fewer than 2³² values: each takes bytes in the descriptor.
    let dense = u32::try_from(run.len()).unwrap_or(u32::MAX);
    let sparse = numbers[..run.start].iter().chain(&numbers[run.end..]).copied().collect();
    (low, dense, sparse)
}

/// See `NameTable`: `NUMBER NAME` per value, ascending by number, aliases behind the first declared name of their number; then
/// `-NAME` for each reserved name.
fn name_table(item: &Enum<'_>) -> String {
    use std::fmt::Write;
    let mut values: Vec<(i32, &str)> =
        item.proto.value.iter().map(|value| (value.number.unwrap_or(0), value.name.as_str())).collect();
    values.sort_by_key(|&(number, _)| number); // stable: the first declared name stays first
    let mut text = String::new();
    for (number, name) in values {
        let _ = writeln!(text, "{number} {name}"); // a String takes everything
    }
    for name in &*item.proto.reserved_name {
        let _ = writeln!(text, "-{}", name.as_str());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn longest_run_is_dense() {
        let of = |numbers: &[i32]| ranges(&numbers.iter().map(|&n| (n, 0)).collect::<Vec<_>>());
        assert_eq!(of(&[0, 1, 2, 9]), (0, 3, vec![9]));
        assert_eq!(of(&[-5, 7, 8]), (7, 2, vec![-5]));
        assert_eq!(of(&[i32::MIN, i32::MAX]), (i32::MIN, 1, vec![i32::MAX]));
        assert_eq!(of(&[4]), (4, 1, vec![]));
    }
}

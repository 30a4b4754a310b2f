//! The table of a message as Rust source.

use crate::context::Context;
use crate::ident;
use crate::model::Field;
use crate::names::{MemberNames, OneofNames, Scope};
use crate::schema::TypeId;
use crate::writer::{Writer, line, open};
use buffa_tables::build::{AuxBase, AuxPlan, EntryPlan, Layout, MapSpec, Sub};
use buffa_tables::{Flags, Kind, Mode, Op};

/// Fields past which the checks of `Table::new` take rustc longer than its lint on constant evaluation likes.
const LONG: usize = 2000;

/// What is printed into the table of one message.
pub(crate) struct TablePrinter<'p> {
    pub(crate) context: &'p Context<'p>,
    pub(crate) fields: &'p [Field<'p>],
    pub(crate) names: &'p MemberNames,
    /// The real oneofs, in declaration order.
    pub(crate) oneofs: &'p [&'p OneofNames],
    pub(crate) layout: &'p Layout,
    /// Module that holds the message.
    pub(crate) scope: &'p Scope,
    /// Module of the message, relative to `scope`: where the oneof enums are.
    pub(crate) module: &'p str,
}

impl TablePrinter<'_> {
    /// Prints `static TABLE` and the tables of the maps.
    pub(crate) fn print(&self, out: &mut Writer, flags: Flags) {
        for index in 0..self.layout.maps.len() {
            self.map(out, index);
        }
        if self.layout.entries.len() > LONG {
            line!(out, "#[allow(long_running_const_eval)]");
        }
        let (count, aux) = (self.layout.entries.len(), self.layout.aux.len());
        open!(out, "static TABLE: __rt::Table<{count}, {aux}> = __rt::Table::new(");
        line!(out, "::core::mem::size_of::<__This>(),");
        line!(out, "{},", flags_text(flags));
        list(out, &self.layout.entries, |out, entry| self.entry(out, entry));
        list(out, &self.layout.aux, |out, aux| self.aux(out, aux));
        out.close(");");
    }

    fn entry(&self, out: &mut Writer, entry: &EntryPlan) {
        let number = self.fields[entry.field].spec.number;
        let op = op_text(entry.op);
        match (entry.wide, entry.aux) {
            (true, Some(aux)) => line!(out, "__rt::Entry::wide({number}, {op}, {aux}),"),
            (_, Some(aux)) => line!(out, "__rt::Entry::with_aux({number}, {op}, {}, {aux}),", self.offset(entry.field)),
            (_, None) => line!(out, "__rt::Entry::new({number}, {op}, {}),", self.offset(entry.field)),
        }
    }

    fn aux(&self, out: &mut Writer, aux: &AuxPlan) {
        let base = match aux.base {
            AuxBase::None => "__rt::Aux::none()".to_owned(),
            AuxBase::Message(id) => message_aux(self.context, id, self.scope),
            AuxBase::Enum(id) => enum_aux(self.context, id, self.scope),
            AuxBase::Map(index) => format!("__rt::Aux::message({}.table())", self.map_name(index)),
        };
        let oneof = aux.oneof.map(|oneof| format!(".in_oneof({})", self.oneof_align(oneof))).unwrap_or_default();
        let wide = aux.wide.map(|(op, field)| format!(".wide({}, {})", op_text(op), self.offset(field))).unwrap_or_default();
        line!(out, "{base}{oneof}{wide},");
    }

    /// Of a oneof member that of the payload, which stands one alignment behind the case.
    fn offset(&self, field: usize) -> String {
        match self.fields[field].spec.oneof {
            None => format!("::core::mem::offset_of!(__This, {})", self.names.fields[field]),
            Some(oneof) => {
                format!("::core::mem::offset_of!(__This, {}) + {}", self.oneofs[oneof].member, self.oneof_align(oneof))
            }
        }
    }

    fn oneof_align(&self, oneof: usize) -> String {
        let members = self.fields.iter().filter(|field| field.spec.oneof == Some(oneof));
        let generics = if borrows(members.map(|field| field.spec.kind)) { "<'static>" } else { "" };
        format!("::core::mem::align_of::<{}::{}{generics}>()", self.module, self.oneofs[oneof].type_name)
    }

    fn map_name(&self, index: usize) -> String {
        let (_, field) = self.layout.maps[index];
        format!("MAP_{}", ident::bare(&self.names.fields[field]).to_ascii_uppercase())
    }

    fn map(&self, out: &mut Writer, index: usize) {
        let (map, field) = self.layout.maps[index];
        let value_type = self.context.paths.value(map.value.0, self.fields[field].type_id, self.scope, "'static");
        let entry = format!("__rt::MapEntry<{}, {value_type}>", key_type(map, "'static"));
        let aux = match map.value_sub() {
            Sub::Message(id) => Some(message_aux(self.context, id, self.scope)),
            Sub::Enum(id) => Some(enum_aux(self.context, id, self.scope)),
            Sub::None | Sub::Map(_) => None,
        };
        let deep = map.message.is_some_and(|id| self.context.models[id].spec.flags.has(Flags::REQUIRED_DEEP));
        let flags = if deep { "__rt::Flags::MAP_ENTRY.with(__rt::Flags::REQUIRED_DEEP)" } else { "__rt::Flags::MAP_ENTRY" };
        let (key_op, value_op) = (op_text(Op::new(map.key.0, Mode::Always)), op_text(Op::new(map.value.0, Mode::Always)));
        let count = usize::from(aux.is_some());
        open!(out, "static {}: __rt::Table<2, {count}> = __rt::Table::new(", self.map_name(index));
        line!(out, "::core::mem::size_of::<{entry}>(),");
        line!(out, "{flags},");
        open!(out, "[");
        line!(out, "__rt::Entry::new(1, {key_op}, 0),");
        let offset = format!("::core::mem::offset_of!({entry}, value)");
        match &aux {
            Some(_) => line!(out, "__rt::Entry::with_aux(2, {value_op}, {offset}, 0),"),
            None => line!(out, "__rt::Entry::new(2, {value_op}, {offset}),"),
        }
        out.close("],");
        line!(out, "[{}],", aux.unwrap_or_default());
        out.close(");");
    }
}

/// Prints `[…],` with one element a line.
fn list<T>(out: &mut Writer, items: &[T], mut print: impl FnMut(&mut Writer, &T)) {
    if items.is_empty() {
        line!(out, "[],");
        return;
    }
    open!(out, "[");
    for item in items {
        print(out, item);
    }
    out.close("],");
}

/// `__rt::Aux::message(…)`.
pub(crate) fn message_aux(context: &Context<'_>, id: usize, scope: &Scope) -> String {
    let path = context.paths.of(TypeId::Message(id), scope);
    format!("__rt::Aux::message(<{path}<'static> as ::buffa::Message<'static>>::TABLE)")
}

/// `__rt::Aux::closed_enum(…)`.
pub(crate) fn enum_aux(context: &Context<'_>, id: usize, scope: &Scope) -> String {
    let path = context.paths.of(TypeId::Enum(id), scope);
    format!("__rt::Aux::closed_enum(<{path} as ::buffa::EnumType>::TABLE)")
}

/// The names of a type.
pub(crate) fn names_of(context: &Context<'_>, id: TypeId, scope: &Scope) -> String {
    let path = context.paths.of(id, scope);
    match id {
        TypeId::Message(_) => format!("<{path}<'static> as ::buffa::Message<'static>>::NAMES"),
        TypeId::Enum(_) => format!("<{path} as ::buffa::EnumType>::NAMES"),
    }
}

/// `__rt::Op::new(…)`.
pub(crate) fn op_text(op: Op) -> String {
    format!("__rt::Op::new(__rt::Kind::{:?}, __rt::Mode::{:?})", op.kind(), op.mode())
}

/// Rust type of a map's key.
pub(crate) fn key_type(map: MapSpec, lifetime: &str) -> String {
    match map.key.0 {
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => "i32".into(),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "i64".into(),
        Kind::Uint32 | Kind::Fixed32 => "u32".into(),
        Kind::Uint64 | Kind::Fixed64 => "u64".into(),
        Kind::Bool => "bool".into(),
        Kind::String => format!("::buffa::Str<{lifetime}>"),
        // The rest are strings whose UTF-8 is not verified; other kinds are no keys.
        _ => format!("::buffa::Blob<{lifetime}>"),
    }
}

/// Whether a type with members of these kinds needs the lifetime.
pub(crate) fn borrows(mut kinds: impl Iterator<Item = Kind>) -> bool {
    use buffa_tables::Storage;
    kinds.any(|kind| matches!(kind.storage(), Storage::Slice | Storage::Message | Storage::Map))
}

/// The flags that a table cannot find out itself.
pub(crate) fn flags_text(flags: Flags) -> String {
    let named = [(Flags::MESSAGE_SET, "MESSAGE_SET"), (Flags::EXTENDABLE, "EXTENDABLE"), (Flags::REQUIRED_DEEP, "REQUIRED_DEEP")];
    let mut text = String::new();
    for (flag, name) in named {
        if flags.has(flag) {
            text = if text.is_empty() { format!("__rt::Flags::{name}") } else { format!("{text}.with(__rt::Flags::{name})") };
        }
    }
    if text.is_empty() { "__rt::Flags::NONE".into() } else { text }
}

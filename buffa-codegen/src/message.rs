//! A message as Rust source: struct, trait implementations with the table, and the module of what is nested in it.

use crate::context::Context;
use crate::model::Field;
use crate::names::{MemberNames, OneofNames};
use crate::options::Target;
use crate::schema::{TypeId, join};
use crate::table::{TablePrinter, key_type, names_of};
use crate::writer::{Writer, line, open};
use crate::{Error, defaults, enums, extension, oneof};
use buffa_tables::build::{Layout, Member, Sub};
use buffa_tables::{Kind, Mode};

/// Prints a message and everything nested in it; `extensions` collects numbers and paths of extension constants, relative
/// to the package.
pub(crate) fn print(
    context: &Context<'_>,
    out: &mut Writer,
    id: usize,
    extensions: &mut Vec<(u32, String)>,
) -> Result<(), Error> {
    let schema = context.schema;
    let message = &schema.messages[id];
    if message.is_map_entry() || context.options.excludes(&message.full_name) {
        return Ok(());
    }
    let model = &context.models[id];
    let names = context.names.members(message, &model.oneof_of, &model.synthetic);
    let oneofs: Vec<&OneofNames> = names.oneofs.iter().flatten().collect();
    let layout = Layout::new(&model.spec)
        .map_err(|error| Error::new(schema.file_name(message.file), &*message.full_name, error.to_string()))?;
    let type_name = &context.names.messages[id];
    let inner = &context.names.inner[id];
    let module = inner.last().map_or("", String::as_str);
    let printer = MessagePrinter { context, id, names: &names, oneofs: &oneofs, layout: &layout, module };

    out.gap();
    printer.definition(out);
    printer.getters(out)?;
    line!(out, "#[allow(unsafe_code, deprecated)]");
    open!(out, "const _: () = {{");
    line!(out, "use ::buffa::__rt;");
    line!(out, "type __This = {}<'static>;", type_name.name);
    TablePrinter {
        context,
        fields: &model.fields,
        names: &names,
        oneofs: &oneofs,
        layout: &layout,
        scope: &type_name.scope,
        module,
    }
    .print(out, model.spec.flags);
    printer.traits(out);
    out.close("};");

    let nested = message.messages.iter().any(|&id| !schema.messages[id].is_map_entry());
    if nested || !message.enums.is_empty() || !oneofs.is_empty() || !message.proto.extension.is_empty() {
        out.gap();
        line!(out, "/// What is nested in [`{}`].", type_name.name);
        open!(out, "pub mod {module} {{");
        for (index, oneof) in names.oneofs.iter().enumerate() {
            if let Some(oneof) = oneof {
                oneof::print(context, out, id, index, oneof, &names);
            }
        }
        for &id in &message.enums {
            enums::print(context, out, id);
        }
        for &id in &message.messages {
            print(context, out, id, extensions)?;
        }
        let place = extension::Place {
            scope: inner,
            full_name: &message.full_name,
            file: message.file,
            features: message.features,
            path: &message.path,
            tag: 6,
        };
        extension::print(context, out, &message.proto.extension, &place, extensions)?;
        out.close("}");
    }
    Ok(())
}

struct MessagePrinter<'p> {
    context: &'p Context<'p>,
    id: usize,
    names: &'p MemberNames,
    oneofs: &'p [&'p OneofNames],
    layout: &'p Layout,
    module: &'p str,
}

impl MessagePrinter<'_> {
    fn fields(&self) -> &[Field<'_>] {
        &self.context.models[self.id].fields
    }

    fn definition(&self, out: &mut Writer) {
        let context = self.context;
        let message = &context.schema.messages[self.id];
        context.preamble(out, message.file, &message.path, Target::Message, &message.full_name);
        line!(out, "#[repr(C)]");
        open!(out, "pub struct {}<'a> {{", context.names.messages[self.id].name);
        line!(out, "#[doc(hidden)]");
        line!(out, "pub __unknown: ::buffa::__rt::UnknownFields<'a>,");
        let real: Vec<usize> = (0..self.names.oneofs.len()).filter(|&index| self.names.oneofs[index].is_some()).collect();
        for member in &self.layout.members {
            match *member {
                Member::Field(index) => self.field(out, index),
                Member::Oneof(dense) => {
                    let path = child_path(&message.path, 8, real[dense]);
                    let full_name = join(&message.full_name, message.proto.oneof_decl[real[dense]].name.as_str());
                    context.preamble(out, message.file, &path, Target::Field, &full_name);
                    let members = self.fields().iter().filter(|field| field.spec.oneof == Some(dense));
                    let generics = if crate::table::borrows(members.map(|field| field.spec.kind)) { "<'a>" } else { "" };
                    let OneofNames { member, type_name } = self.oneofs[dense];
                    line!(out, "pub {member}: {}::{type_name}{generics},", self.module);
                }
            }
        }
        out.close("}");
    }

    fn field(&self, out: &mut Writer, index: usize) {
        let message = &self.context.schema.messages[self.id];
        let field = &self.fields()[index];
        let path = child_path(&message.path, 2, index);
        let full_name = join(&message.full_name, field.proto.name.as_str());
        self.context.preamble(out, message.file, &path, Target::Field, &full_name);
        if field.proto.options.deprecated.get() == Some(true) {
            line!(out, "#[deprecated]");
        }
        let scope = &self.context.names.messages[self.id].scope;
        line!(out, "pub {}: {},", self.names.fields[index], member_type(self.context, field, scope, "'a"));
    }

    /// Getters that fall back to the declared default (of a closed enum: its first value).
    fn getters(&self, out: &mut Writer) -> Result<(), Error> {
        let context = self.context;
        let message = &context.schema.messages[self.id];
        let scope = &context.names.messages[self.id].scope;
        let mut getters = Vec::new();
        for (index, field) in self.fields().iter().enumerate() {
            if let Some((result, value)) =
                defaults::getter(context, field, scope, &self.names.fields[index]).map_err(|problem| {
                    let item = join(&message.full_name, field.proto.name.as_str());
                    Error::new(context.schema.file_name(message.file), item, problem)
                })?
            {
                getters.push((index, result, value));
            }
        }
        if getters.is_empty() {
            return Ok(());
        }
        out.gap();
        if self.fields().iter().any(|field| field.proto.options.deprecated.get() == Some(true)) {
            line!(out, "#[allow(deprecated)]");
        }
        open!(out, "impl<'a> {}<'a> {{", context.names.messages[self.id].name);
        for (index, result, value) in getters {
            out.gap();
            line!(out, "/// `{}`, or its default when unset.", self.fields()[index].proto.name.as_str());
            line!(out, "#[inline]");
            open!(out, "pub fn {}(&self) -> {result} {{", self.names.getters[index]);
            line!(out, "{value}");
            out.close("}");
        }
        out.close("}");
        out.gap();
        Ok(())
    }

    fn traits(&self, out: &mut Writer) {
        let name = &self.context.names.messages[self.id].name;
        self.name_table(out);
        line!(
            out,
            "// SAFETY: the table describes this struct: offsets by offset_of!, ops by the field types, zero bytes are its default."
        );
        open!(out, "unsafe impl<'a> ::buffa::Message<'a> for {name}<'a> {{");
        line!(out, "type With<'x> = {name}<'x>;");
        line!(out, "const TABLE: __rt::TableRef = TABLE.table();");
        line!(out, "const NAMES: __rt::NameRef = NAMES.names();");
        out.close("}");
        line!(out, "// SAFETY: the lifetime is the message's own.");
        line!(out, "unsafe impl<'a> __rt::LivesIn<'a> for {name}<'a> {{}}");
        line!(out, "// SAFETY: the same with another lifetime; zero bytes are its default.");
        line!(out, "unsafe impl __rt::FieldFamily for {name}<'_> {{");
        line!(out, "    type In<'x> = {name}<'x>;");
        line!(out, "}}");
        line!(
            out,
            "// SAFETY: every type of a field is Send and Sync. Spelled out, because rustc would look through the whole schema for it."
        );
        line!(out, "unsafe impl<'a> ::core::marker::Send for {name}<'a> {{}}");
        line!(out, "// SAFETY: as above.");
        line!(out, "unsafe impl<'a> ::core::marker::Sync for {name}<'a> {{}}");
        line!(out, "// SAFETY: zero bytes are the default of a message; messages are never Copy and own nothing.");
        open!(out, "unsafe impl<'a> __rt::DefaultInstance for {name}<'a> {{");
        line!(out, "#[inline]");
        open!(out, "fn default_instance<'x>() -> &'x Self where Self: 'x {{");
        line!(out, "// SAFETY: as above.");
        line!(out, "static DEFAULT: __This = unsafe {{ ::core::mem::zeroed() }};");
        line!(out, "&DEFAULT");
        out.close("}");
        out.close("}");
        open!(out, "impl<'a> ::core::default::Default for {name}<'a> {{");
        line!(out, "#[inline]");
        line!(out, "fn default() -> Self {{ __rt::default() }}");
        out.close("}");
        open!(out, "impl<'a> ::core::cmp::PartialEq for {name}<'a> {{");
        line!(out, "#[inline]");
        line!(out, "fn eq(&self, other: &Self) -> bool {{ __rt::eq(self, other) }}");
        out.close("}");
        open!(out, "impl<'a> ::core::fmt::Debug for {name}<'a> {{");
        line!(out, "#[inline]");
        line!(out, "fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{ __rt::debug(self, f) }}");
        out.close("}");
    }

    /// Prints `static NAMES`: names of the fields, and of the types of those that have one.
    fn name_table(&self, out: &mut Writer) {
        let scope = &self.context.names.messages[self.id].scope;
        let full_name = &self.context.schema.messages[self.id].full_name;
        let text = self.field_names();
        let types: Vec<TypeId> = self.layout.entries.iter().filter_map(|entry| self.fields()[entry.field].type_id).collect();
        if types.is_empty() {
            line!(out, "static NAMES: __rt::NameTable = __rt::NameTable::new({full_name:?}, {text:?}, &[]);");
            return;
        }
        open!(out, "static NAMES: __rt::NameTable = __rt::NameTable::new({full_name:?}, {text:?}, &[");
        for id in types {
            line!(out, "{},", names_of(self.context, id, scope));
        }
        out.close("]);");
    }

    /// One line per entry (see `NameTable`): the proto name; behind a tab the JSON name where it is not the usual one; behind
    /// another the text-format name, which group-like fields take from their type. Then `-name` for each reserved name.
    fn field_names(&self) -> String {
        let message = &self.context.schema.messages[self.id];
        let mut text = String::new();
        for entry in &self.layout.entries {
            let field = &self.fields()[entry.field];
            let name = field.proto.name.as_str();
            text.push_str(name);
            let json = field.proto.json_name.as_str();
            let json = if json == json_name(name) { "" } else { json };
            let group = self.group_name(field).unwrap_or("");
            if !json.is_empty() || !group.is_empty() {
                text.push('\t');
                text.push_str(json);
            }
            if !group.is_empty() {
                text.push('\t');
                text.push_str(group);
            }
            text.push('\n');
        }
        for name in &*message.proto.reserved_name {
            text.push('-');
            text.push_str(name);
            text.push('\n');
        }
        text
    }

    /// The type's name, for fields that were or could have been declared with `group`: the text format calls them by it.
    fn group_name(&self, field: &Field<'_>) -> Option<&str> {
        let (Kind::Group, Some(TypeId::Message(id))) = (field.spec.kind, field.type_id) else { return None };
        let (own, group) = (&self.context.schema.messages[self.id], &self.context.schema.messages[id]);
        let name = group.proto.name.as_str();
        let like =
            group.parent == Some(self.id) && group.file == own.file && field.proto.name.as_str() == name.to_ascii_lowercase();
        like.then_some(name)
    }
}

/// The JSON name that a field gets unless it says otherwise ("JSON Mapping": lowerCamelCase).
fn json_name(proto: &str) -> String {
    let mut result = String::with_capacity(proto.len());
    let mut upper = false;
    for c in proto.chars() {
        if c == '_' {
            upper = true;
        } else {
            result.push(if upper { c.to_ascii_uppercase() } else { c });
            upper = false;
        }
    }
    result
}

/// The type of a field that is a struct member of its own.
pub(crate) fn member_type(context: &Context<'_>, field: &Field<'_>, scope: &crate::names::Scope, lifetime: &str) -> String {
    let kind = field.spec.kind;
    if let Sub::Map(map) = field.spec.sub {
        let value = context.paths.value(map.value.0, field.type_id, scope, lifetime);
        return format!("::buffa::Map<{lifetime}, {}, {value}>", key_type(map, lifetime));
    }
    let value = context.paths.value(kind, field.type_id, scope, lifetime);
    match field.spec.mode {
        Mode::Repeated | Mode::Packed => format!("::buffa::Repeated<{lifetime}, {value}>"),
        _ if matches!(kind, Kind::Message | Kind::Group) => format!("::buffa::MessageField<{lifetime}, {value}>"),
        Mode::Explicit | Mode::Required if !matches!(kind, Kind::String | Kind::RawString | Kind::Bytes) => {
            format!("::buffa::Optional<{value}>")
        }
        _ => value,
    }
}

/// Where the source code info files the comment of the `index`-th child.
pub(crate) fn child_path(path: &[i32], tag: i32, index: usize) -> Vec<i32> {
    path.iter().copied().chain([tag, i32::try_from(index).unwrap_or(i32::MAX)]).collect()
}

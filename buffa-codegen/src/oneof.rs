//! A oneof as a Rust enum: the discriminant is the field number, 0 is unset.

use crate::context::Context;
use crate::message::{child_path, member_type};
use crate::names::{MemberNames, OneofNames};
use crate::options::Target;
use crate::schema::join;
use crate::table::borrows;
use crate::writer::{Writer, line, open};

/// Prints the enum of the oneof declared at `index` of message `id`.
pub(crate) fn print(context: &Context<'_>, out: &mut Writer, id: usize, index: usize, names: &OneofNames, members: &MemberNames) {
    let message = &context.schema.messages[id];
    let model = &context.models[id];
    let scope = &context.names.inner[id];
    let fields = || (0..model.fields.len()).filter(|&field| model.oneof_of[field] == Some(index));
    let generics = if borrows(fields().map(|field| model.fields[field].spec.kind)) { "<'a>" } else { "" };
    let full_name = join(&message.full_name, message.proto.oneof_decl[index].name.as_str());
    out.gap();
    context.preamble(out, message.file, &child_path(&message.path, 8, index), Target::Oneof, &full_name);
    line!(out, "#[derive(::core::default::Default, ::core::cmp::PartialEq, ::core::fmt::Debug)]");
    line!(out, "#[repr(C, u32)]");
    open!(out, "pub enum {}{generics} {{", names.type_name);
    line!(out, "/// None of the members is set.");
    line!(out, "#[default]");
    line!(out, "Unset = 0,");
    for field in fields() {
        let name = &members.fields[field];
        let field_name = join(&message.full_name, model.fields[field].proto.name.as_str());
        context.preamble(out, message.file, &child_path(&message.path, 2, field), Target::Field, &field_name);
        let field = &model.fields[field];
        if field.proto.options.deprecated.get() == Some(true) {
            line!(out, "#[deprecated]");
        }
        line!(out, "{name}({}) = {},", member_type(context, field, scope, "'a"), field.spec.number);
    }
    out.close("}");
}

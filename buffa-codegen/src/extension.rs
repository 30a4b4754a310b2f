//! Extensions as constants.

use crate::Error;
use crate::context::Context;
use crate::features::Features;
use crate::ident::{self, Namespace};
use crate::message::{child_path, member_type};
use crate::model;
use crate::names::Scope;
use crate::options::Target;
use crate::schema::{TypeId, join};
use crate::table::{enum_aux, flags_text, message_aux, names_of, op_text};
use crate::writer::{Writer, line, open};
use buffa::descriptor::FieldDescriptorProto;
use buffa_tables::build::Sub;
use buffa_tables::{FieldEntry, Flags};

/// Where extensions are declared: a file or a message.
pub(crate) struct Place<'p> {
    pub(crate) scope: &'p Scope,
    pub(crate) full_name: &'p str,
    pub(crate) file: usize,
    pub(crate) features: Features,
    /// Path and tag under which the source code info files them.
    pub(crate) path: &'p [i32],
    pub(crate) tag: i32,
}

/// Prints the extensions of one place and appends their numbers and paths from the package's module to `paths`.
pub(crate) fn print<'d>(
    context: &Context<'_>,
    out: &mut Writer,
    protos: &'d [FieldDescriptorProto<'d>],
    place: &Place<'_>,
    paths: &mut Vec<(u32, String)>,
) -> Result<(), Error> {
    print_in(context, out, protos, place, paths, &mut Namespace::default())
}

/// The same, with the names that are taken already: several files may share the package's module.
pub(crate) fn print_in<'d>(
    context: &Context<'_>,
    out: &mut Writer,
    protos: &'d [FieldDescriptorProto<'d>],
    place: &Place<'_>,
    paths: &mut Vec<(u32, String)>,
    space: &mut Namespace,
) -> Result<(), Error> {
    let package = crate::names::package_scope(context.schema.files[place.file].proto.package.as_str()).len();
    let constants = space.take_all(protos.iter().map(|proto| proto.name.as_str()), ident::constant);
    for (index, (proto, constant)) in protos.iter().zip(constants).enumerate() {
        let full_name = join(place.full_name, proto.name.as_str());
        if context.options.excludes(&full_name) {
            continue;
        }
        let error = |problem: &str| Error::new(context.schema.file_name(place.file), &*full_name, problem);
        let field = model::field(context.schema, context.options, place.full_name, place.file, place.features, proto)?;
        let Some(extendee @ TypeId::Message(_)) = context.schema.find(proto.extendee.as_str(), place.full_name) else {
            return Err(error("extends an unknown message"));
        };
        let extendee = context.paths.of(extendee, place.scope);
        let value = member_type(context, &field, place.scope, "'static");
        let (aux, deep) = match field.spec.sub {
            Sub::Message(id) => {
                let deep = context.models[id].spec.flags.has(Flags::REQUIRED_DEEP);
                (Some(message_aux(context, id, place.scope)), deep)
            }
            Sub::Enum(id) => (Some(enum_aux(context, id, place.scope)), false),
            Sub::None => (None, false),
            Sub::Map(_) => return Err(error("extensions cannot be maps")),
        };
        let flags = flags_text(if deep { Flags::REQUIRED_DEEP } else { Flags::NONE });
        let op = op_text(field.spec.op());
        let number = field.spec.number;
        if number > FieldEntry::MAX_NUMBER {
            return Err(error("message set extensions with numbers above 536870911 are not supported"));
        }
        out.gap();
        context.preamble(out, place.file, &child_path(place.path, place.tag, index), Target::Field, &full_name);
        open!(out, "pub const {constant}: ::buffa::Extension<{extendee}<'static>, {value}> = {{");
        line!(out, "use ::buffa::__rt;");
        line!(out, "type __Carrier = __rt::Carrier<'static, {value}>;");
        open!(out, "static TABLE: __rt::Table<1, {}> = __rt::Table::new(", u8::from(aux.is_some()));
        line!(out, "::core::mem::size_of::<__Carrier>(),");
        line!(out, "{flags},");
        match &aux {
            Some(_) => line!(out, "[__rt::Entry::with_aux({number}, {op}, ::core::mem::offset_of!(__Carrier, value), 0)],"),
            None => line!(out, "[__rt::Entry::new({number}, {op}, ::core::mem::offset_of!(__Carrier, value))],"),
        }
        line!(out, "[{}],", aux.unwrap_or_default());
        out.close(");");
        let types = match field.type_id {
            Some(id) => names_of(context, id, place.scope),
            None => String::new(),
        };
        line!(out, "static NAMES: __rt::NameTable = __rt::NameTable::new(\"\", {:?}, &[{types}]);", format!("{full_name}\n"));
        line!(out, "// SAFETY: the table describes the carrier.");
        line!(out, "#[allow(unsafe_code)]");
        open!(out, "unsafe {{");
        line!(out, "::buffa::Extension::new(TABLE.table(), NAMES.names())");
        out.close("}");
        out.close("};");
        let modules = place.scope[package..].iter().map(|module| format!("{module}::")).collect::<String>();
        paths.push((number, format!("{modules}{constant}")));
    }
    Ok(())
}

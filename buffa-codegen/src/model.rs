//! Fields resolved: kind, mode, oneof and type of each, as the layout builder wants them.

use crate::features::{Features, Presence};
use crate::options::Options;
use crate::schema::{Schema, TypeId};
use crate::{Error, schema};
use buffa::descriptor::FieldDescriptorProto;
use buffa::descriptor::field_descriptor_proto::{Label, Type};
use buffa_tables::build::{FieldSpec, MapSpec, MessageSpec, Sub};
use buffa_tables::{Flags, Kind, Mode};

/// One field (or extension) of a message.
pub(crate) struct Field<'d> {
    pub(crate) proto: &'d FieldDescriptorProto<'d>,
    pub(crate) spec: FieldSpec,
    /// Type of the field, or of the value of a map, where it has a name.
    pub(crate) type_id: Option<TypeId>,
}

/// Everything the printers need of one message.
pub(crate) struct Model<'d> {
    pub(crate) fields: Vec<Field<'d>>,
    /// Which of the declared oneofs only exist for a proto3 `optional` field.
    pub(crate) synthetic: Vec<bool>,
    /// The oneof of each field among the declared ones, synthetic ones left out.
    pub(crate) oneof_of: Vec<Option<usize>>,
    /// What the layout builder gets; its oneofs are the real ones, numbered in declaration order.
    pub(crate) spec: MessageSpec,
}

/// Resolves all messages, so that `Model::spec.flags` knows about required fields further down.
pub(crate) fn resolve<'d>(schema: &Schema<'d>, options: &Options) -> Result<Vec<Model<'d>>, Error> {
    let mut models = Vec::with_capacity(schema.messages.len());
    for id in 0..schema.messages.len() {
        models.push(message(schema, options, id)?);
    }
    let mut specs: Vec<MessageSpec> = models.iter().map(|model| model.spec.clone()).collect();
    for (model, deep) in models.iter_mut().zip(buffa_tables::build::required_deep(&specs)) {
        if deep {
            model.spec.flags = model.spec.flags.with(Flags::REQUIRED_DEEP);
        }
    }
    specs.clear();
    Ok(models)
}

fn message<'d>(schema: &Schema<'d>, options: &Options, id: usize) -> Result<Model<'d>, Error> {
    let message = &schema.messages[id];
    let proto = message.proto;
    let mut synthetic = vec![false; proto.oneof_decl.len()];
    for field in &*proto.field {
        if let (Some(true), Some(oneof)) = (field.proto3_optional.get(), oneof_index(field)) {
            synthetic[oneof] = true;
        }
    }
    let dense: Vec<usize> = synthetic
        .iter()
        .scan(0, |next, &synthetic| {
            let index = *next;
            *next += usize::from(!synthetic);
            Some(index)
        })
        .collect();
    let mut flags = Flags::NONE;
    if !proto.extension_range.is_empty() {
        flags = flags.with(Flags::EXTENDABLE);
    }
    if proto.options.message_set_wire_format.get() == Some(true) {
        flags = flags.with(Flags::MESSAGE_SET);
    }
    let oneof_features: Vec<Features> =
        proto.oneof_decl.iter().map(|oneof| message.features.merge(&oneof.options.features)).collect();
    let mut model =
        Model { fields: Vec::new(), synthetic, oneof_of: Vec::new(), spec: MessageSpec { fields: Vec::new(), oneofs: 0, flags } };
    model.spec.oneofs = model.synthetic.iter().filter(|synthetic| !**synthetic).count();
    for proto in &*proto.field {
        let declared = oneof_index(proto);
        let parent = declared.map_or(message.features, |oneof| oneof_features[oneof]);
        let real = declared.filter(|&oneof| !model.synthetic[oneof]);
        let mut field = field(schema, options, &message.full_name, message.file, parent, proto)?;
        if let Some(oneof) = real {
            field.spec.oneof = Some(dense[oneof]);
            field.spec.mode = Mode::Oneof;
        }
        model.oneof_of.push(real);
        model.spec.fields.push(field.spec);
        model.fields.push(field);
    }
    Ok(model)
}

/// The declared oneof of a field; `validate` has checked the range.
fn oneof_index(field: &FieldDescriptorProto<'_>) -> Option<usize> {
    field.oneof_index.get().and_then(|index| usize::try_from(index).ok())
}

/// Resolves a field, or an extension declared in `scope`; `parent` is what its features start from.
pub(crate) fn field<'d>(
    schema: &Schema<'d>,
    options: &Options,
    scope: &str,
    file: usize,
    parent: Features,
    proto: &'d FieldDescriptorProto<'d>,
) -> Result<Field<'d>, Error> {
    let error = |problem: String| Error::new(schema.file_name(file), schema::join(scope, proto.name.as_str()), problem);
    let mut features = parent.of_field(proto);
    let full_name = schema::join(scope, proto.name.as_str());
    features.utf8 |= options.verifies_utf8(&full_name);
    let repeated = proto.label.get() == Some(Label::Repeated);
    let number = proto.number.get().and_then(|number| u32::try_from(number).ok()).unwrap_or(0);

    if let Some(entry) = schema.map_entry(proto, scope).filter(|_| repeated) {
        let entry = &schema.messages[entry];
        // Entries never are groups, whatever the file says; neither are their values.
        let inherit = Features { delimited: false, ..features };
        let mut sides = [None, None];
        for side in &*entry.proto.field {
            let mut side_features = inherit.of_field(side);
            side_features.delimited = false;
            let slot = match side.number.get() {
                Some(1) => 0,
                Some(2) => 1,
                _ => continue,
            };
            sides[slot] = Some(typed(schema, &entry.full_name, side, side_features).map_err(error)?);
        }
        let [Some((key, _, _)), Some((value, type_id, sub))] = sides else {
            return Err(error("its map entry lacks key or value".into()));
        };
        let sub = Sub::Map(MapSpec::new(key, value, sub));
        let spec = FieldSpec { number, kind: Kind::Map, mode: Mode::Repeated, oneof: None, sub };
        return Ok(Field { proto, spec, type_id });
    }

    let (kind, type_id, sub) = typed(schema, scope, proto, features).map_err(error)?;
    let is_message = matches!(kind, Kind::Message | Kind::Group);
    let mode = if repeated {
        if features.packed && kind.is_packable() { Mode::Packed } else { Mode::Repeated }
    } else if proto.extendee.is_empty() {
        match features.presence {
            Presence::Required => Mode::Required,
            Presence::Explicit => Mode::Explicit,
            Presence::Implicit if is_message => Mode::Explicit,
            Presence::Implicit => Mode::Implicit,
        }
    } else {
        Mode::Explicit
    };
    // Members of a oneof have presence anyway.
    if mode == Mode::Implicit && kind == Kind::ClosedEnum && proto.oneof_index.get().is_none() {
        return Err(error("a closed enum in a field with implicit presence".into())
            .fix("declare the enum open, or give the field explicit presence"));
    }
    Ok(Field { proto, spec: FieldSpec { number, kind, mode, oneof: None, sub }, type_id })
}

/// Kind of one value, with the type it refers to.
fn typed(
    schema: &Schema<'_>,
    scope: &str,
    proto: &FieldDescriptorProto<'_>,
    features: Features,
) -> Result<(Kind, Option<TypeId>, Sub), String> {
    let name = proto.type_name.as_str();
    let found = if name.is_empty() { None } else { schema.find(name, scope) };
    // Parsers that leave names to others leave the type open too.
    let declared = proto.r#type.get().or(match found {
        Some(TypeId::Message(_)) => Some(Type::Message),
        Some(TypeId::Enum(_)) => Some(Type::Enum),
        None => None,
    });
    let unknown = || format!("unknown type {name:?}");
    let kind = match declared.ok_or_else(unknown)? {
        Type::Double => Kind::Double,
        Type::Float => Kind::Float,
        Type::Int64 => Kind::Int64,
        Type::Uint64 => Kind::Uint64,
        Type::Int32 => Kind::Int32,
        Type::Fixed64 => Kind::Fixed64,
        Type::Fixed32 => Kind::Fixed32,
        Type::Bool => Kind::Bool,
        Type::String if features.utf8 => Kind::String,
        Type::String => Kind::RawString,
        Type::Bytes => Kind::Bytes,
        Type::Uint32 => Kind::Uint32,
        Type::Sfixed32 => Kind::Sfixed32,
        Type::Sfixed64 => Kind::Sfixed64,
        Type::Sint32 => Kind::Sint32,
        Type::Sint64 => Kind::Sint64,
        Type::Message | Type::Group => {
            let Some(TypeId::Message(id)) = found else { return Err(unknown()) };
            let kind = if features.delimited { Kind::Group } else { Kind::Message };
            return Ok((kind, found, Sub::Message(id)));
        }
        Type::Enum => {
            let Some(TypeId::Enum(id)) = found else { return Err(unknown()) };
            let closed = schema.enums[id].closed;
            return Ok(if closed { (Kind::ClosedEnum, found, Sub::Enum(id)) } else { (Kind::OpenEnum, found, Sub::None) });
        }
    };
    Ok((kind, None, Sub::None))
}

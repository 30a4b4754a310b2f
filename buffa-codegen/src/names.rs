//! Every name of the generated code, decided in one place.
//!
//! * A package segment and a message's module are snake_case, types and variants CamelCase, constants SCREAMING_CASE
//!   ([`crate::case`]); keywords are written raw or get a `_` ([`crate::ident`]).
//! * Names that only differ in case are told apart by a trailing `_`, `2_`, …; the one that is already spelled the Rust way
//!   keeps its name.
//! * Message `Oof` with nested types and package `p.oof` both want the module `p::oof`. The package keeps it (users write that
//!   module themselves), the message's module is `oof_`, whenever the descriptor set has a package `p.oof` or below it.
//! * Synthetic oneofs (proto3 `optional`) have no name at all. The enum of a oneof gets the suffix `Oneof` when a nested type
//!   has its name.
//! * The module `__buffa` and the field `__unknown` are ours; no protobuf name converts to a name with two leading underscores
//!   and a letter.

use crate::case;
use crate::ident::{self, Namespace};
use crate::schema::{Enum, Message, Schema, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A module path from the root of the user's module tree.
pub(crate) type Scope = Rc<[String]>;

/// Name and place of a type.
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    /// The module that holds it.
    pub(crate) scope: Scope,
    /// Its identifier there.
    pub(crate) name: String,
}

/// Names of all types of a schema.
pub(crate) struct Names {
    pub(crate) messages: Vec<TypeName>,
    /// The module of each message.
    pub(crate) inner: Vec<Scope>,
    pub(crate) enums: Vec<TypeName>,
}

/// Names inside one message.
pub(crate) struct MemberNames {
    /// Struct member of each field; variant for members of a oneof. In declaration order.
    pub(crate) fields: Vec<String>,
    /// Getter that falls back to the default, of each field that is a struct member.
    pub(crate) getters: Vec<String>,
    /// Struct member and enum type of each oneof; `None` for synthetic ones.
    pub(crate) oneofs: Vec<Option<OneofNames>>,
}

#[derive(Clone, Debug)]
pub(crate) struct OneofNames {
    pub(crate) member: String,
    pub(crate) type_name: String,
}

impl Names {
    pub(crate) fn new(schema: &Schema<'_>) -> Names {
        let empty = TypeName { scope: Rc::from([]), name: String::new() };
        let mut names = Names {
            messages: vec![empty.clone(); schema.messages.len()],
            inner: vec![Rc::from([]); schema.messages.len()],
            enums: vec![empty; schema.enums.len()],
        };
        let mut packages: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        // Modules that packages take inside other packages: scope → names.
        let mut children: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
        for file in &schema.files {
            let package = packages.entry(file.proto.package.as_str()).or_default();
            package.0.extend(&file.messages);
            package.1.extend(&file.enums);
            let mut scope = Vec::new();
            for segment in package_scope(file.proto.package.as_str()) {
                children.entry(scope.clone()).or_default().insert(segment.clone());
                scope.push(segment);
            }
        }
        for (package, (messages, enums)) in packages {
            let scope = package_scope(package);
            let mut space = Namespace::default();
            for module in children.remove(&scope).into_iter().flatten() {
                space.take(module);
            }
            names.fill(schema, &Rc::from(scope), space, &messages, &enums);
        }
        names
    }

    /// Names the types of one scope: the types first, then the modules, which nobody looks at as closely.
    fn fill(&mut self, schema: &Schema<'_>, scope: &Scope, mut space: Namespace, messages: &[usize], enums: &[usize]) {
        let protos = messages.iter().map(|&id| schema.messages[id].proto.name.as_str());
        let protos = protos.chain(enums.iter().map(|&id| schema.enums[id].proto.name.as_str()));
        let mut types = space.take_all(protos, ident::upper_camel).into_iter();
        for &id in messages {
            self.messages[id] = TypeName { scope: scope.clone(), name: types.next().unwrap_or_default() };
        }
        for &id in enums {
            self.enums[id] = TypeName { scope: scope.clone(), name: types.next().unwrap_or_default() };
        }
        let modules = space.take_all(messages.iter().map(|&id| schema.messages[id].proto.name.as_str()), ident::module);
        for (&id, module) in messages.iter().zip(modules) {
            let inner: Scope = scope.iter().cloned().chain([module]).collect();
            self.inner[id] = inner.clone();
            let message = &schema.messages[id];
            self.fill(schema, &inner, Namespace::default(), &message.messages, &message.enums);
        }
    }

    /// Name and place of a type.
    pub(crate) fn of(&self, id: TypeId) -> &TypeName {
        match id {
            TypeId::Message(id) => &self.messages[id],
            TypeId::Enum(id) => &self.enums[id],
        }
    }

    /// Names inside a message. `oneof_of` is each field's real oneof.
    pub(crate) fn members(&self, message: &Message<'_>, oneof_of: &[Option<usize>], synthetic: &[bool]) -> MemberNames {
        let proto = message.proto;
        let mut space = Namespace::default();
        let plain = proto.field.iter().zip(oneof_of).filter(|(_, oneof)| oneof.is_none()).map(|(field, _)| field.name.as_str());
        let oneofs = proto.oneof_decl.iter().zip(synthetic).filter(|(_, synthetic)| !**synthetic);
        let members = space.take_all(plain.chain(oneofs.map(|(oneof, _)| oneof.name.as_str())), ident::field);

        // Types of the message's module: nested types are there already, oneof enums step aside.
        let mut types = Namespace::default();
        for &id in &message.messages {
            types.take(self.messages[id].name.clone());
            types.take(self.inner[id].last().cloned().unwrap_or_default());
        }
        for &id in &message.enums {
            types.take(self.enums[id].name.clone());
        }
        let mut variants: Vec<Namespace> = proto.oneof_decl.iter().map(|_| Namespace::default()).collect();
        for space in &mut variants {
            space.take("Unset".into());
        }
        let mut result = MemberNames { fields: Vec::new(), getters: Vec::new(), oneofs: Vec::new() };
        let mut getters = Namespace::default();
        let mut members = members.into_iter();
        for (field, oneof) in proto.field.iter().zip(oneof_of) {
            let name = match oneof {
                None => members.next().unwrap_or_default(),
                Some(oneof) => variants[*oneof].take(ident::upper_camel(field.name.as_str())),
            };
            result.getters.push(match oneof {
                None => getters.take(format!("{}_or_default", ident::bare(&name).trim_end_matches('_'))),
                Some(_) => String::new(),
            });
            result.fields.push(name);
        }
        for (oneof, &synthetic) in proto.oneof_decl.iter().zip(synthetic) {
            result.oneofs.push((!synthetic).then(|| {
                let member = members.next().unwrap_or_default();
                let wanted = ident::upper_camel(oneof.name.as_str());
                let wanted = if types.has(&wanted) { wanted + "Oneof" } else { wanted };
                OneofNames { member, type_name: types.take(wanted) }
            }));
        }
        result
    }
}

/// Modules of a package.
pub(crate) fn package_scope(package: &str) -> Vec<String> {
    package.split('.').filter(|segment| !segment.is_empty()).map(ident::module).collect()
}

/// Names of an enum's values in declaration order. The values at `declared` become variants: CamelCase, without the enum's name
/// in front where that leaves an identifier; the prefix stays everywhere if two variants would become the same without it.
/// The others are aliases and become constants.
pub(crate) fn values(proto: &Enum<'_>, declared: &[usize]) -> Vec<String> {
    let enum_name = case::camel(proto.proto.name.as_str());
    let full: Vec<String> = proto.proto.value.iter().map(|value| case::camel(value.name.as_str())).collect();
    let short: BTreeSet<&str> = declared.iter().map(|&index| strip(&full[index], &enum_name)).collect();
    let unique = short.len() == declared.len();
    let mut space = Namespace::default();
    let mut result = vec![String::new(); full.len()];
    for &index in declared {
        let name = if unique { strip(&full[index], &enum_name) } else { &full[index] };
        result[index] = space.take(ident::escape(name.to_owned()));
    }
    let prefix = case::screaming(proto.proto.name.as_str()) + "_";
    for (value, name) in proto.proto.value.iter().zip(&mut result) {
        if name.is_empty() {
            let full = case::screaming(value.name.as_str());
            let short = full.strip_prefix(&prefix).filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
            *name = space.take(ident::escape(short.unwrap_or(&full).to_owned()));
        }
    }
    result
}

/// `PhoneTypeMobile` → `Mobile`, unless that leaves nothing that starts like a variant.
fn strip<'n>(name: &'n str, prefix: &str) -> &'n str {
    match name.strip_prefix(prefix) {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_uppercase()) => rest,
        _ => name,
    }
}

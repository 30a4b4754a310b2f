//! What every printer needs, in one place.

use crate::comments::Comments;
use crate::enums::EnumNames;
use crate::model::Model;
use crate::names::Names;
use crate::options::{Options, Target};
use crate::paths::Paths;
use crate::schema::Schema;
use crate::writer::{Writer, line};
use std::cell::OnceCell;
use std::collections::HashMap;

pub(crate) struct Context<'s> {
    pub(crate) schema: &'s Schema<'s>,
    pub(crate) models: &'s [Model<'s>],
    pub(crate) names: &'s Names,
    pub(crate) paths: Paths<'s>,
    pub(crate) options: &'s Options,
    /// Comments of the files to generate, by file index.
    pub(crate) comments: HashMap<usize, Comments<'s>>,
    /// Names of enum values, made when first asked for.
    pub(crate) enum_names: Vec<OnceCell<EnumNames>>,
}

impl Context<'_> {
    /// Prints comment and attributes of an item.
    pub(crate) fn preamble(&self, out: &mut Writer, file: usize, path: &[i32], target: Target, full_name: &str) {
        if !self.options.omits_comments(full_name) {
            if let Some(comments) = self.comments.get(&file) {
                comments.print(out, path);
            }
        }
        for attribute in self.options.attributes(target, full_name) {
            line!(out, "{attribute}");
        }
    }

    /// Names of an enum's values.
    pub(crate) fn enum_names(&self, id: usize) -> &EnumNames {
        self.enum_names[id].get_or_init(|| EnumNames::new(&self.schema.enums[id]))
    }
}

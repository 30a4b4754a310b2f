//! What must hold for an enum.

use super::Checker;
use super::ranges::Ranges;
use crate::Error;
use std::collections::HashMap;
use std::collections::HashSet;

impl Checker<'_> {
    pub(super) fn enumeration(&mut self, id: usize) -> Result<(), Error> {
        let item = &self.schema.enums[id];
        let (proto, full_name) = (item.proto, item.full_name.as_str());
        let scope = full_name.rsplit_once('.').map_or("", |(scope, _)| scope);
        self.symbol(scope, &proto.name)?;
        let Some(first) = proto.value.first() else {
            return Err(self.error(full_name, "has no values").fix("an enum needs at least one"));
        };
        if !item.closed && first.number.get().unwrap_or(0) != 0 {
            return Err(self
                .error(full_name, "the first value of an open enum must be 0")
                .fix("add a value 0 in front, or declare the enum closed"));
        }
        // Unlike those of messages, reserved ranges of enums include their end.
        let bounds = proto.reserved_range.iter();
        let bounds = bounds.map(|range| (i64::from(range.start.unwrap_or(0)), i64::from(range.end.unwrap_or(0)) + 1));
        let reserved = Ranges::new(bounds).map_err(|problem| self.error(full_name, problem))?;
        let reserved_names: HashSet<&str> = proto.reserved_name.iter().map(|name| name.as_str()).collect();
        let aliases = proto.options.allow_alias.get() == Some(true);
        let mut numbers: HashMap<i32, &str> = HashMap::with_capacity(proto.value.len());
        for value in &*proto.value {
            // Values are siblings of their enum, as in C++.
            let name = self.symbol(scope, &value.name)?;
            let number = value.number.unwrap_or(0);
            if reserved.contains(number) || reserved_names.contains(value.name.as_str()) {
                return Err(self.error(&name, "uses a reserved number or name").fix("choose another"));
            }
            if let Some(other) = numbers.insert(number, &value.name) {
                if !aliases {
                    return Err(self
                        .error(&name, format!("has the number {number} of {other}"))
                        .fix("choose another, or set `option allow_alias = true;`"));
                }
            }
        }
        Ok(())
    }
}

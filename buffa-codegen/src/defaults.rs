//! Declared defaults: from the text in a descriptor to a Rust expression.
//!
//! Text forms ("FieldDescriptorProto.default_value"): numbers in decimal, `inf`, `-inf`, `nan`, `true`, `false`, strings as
//! they are, bytes C-escaped, enums by the name of the value.

use crate::context::Context;
use crate::model::Field;
use crate::names::Scope;
use crate::schema::TypeId;
use buffa_tables::{Kind, Mode};

/// Result type and body of the getter that falls back to the default, or `None` for fields that need none.
pub(crate) fn getter(
    context: &Context<'_>,
    field: &Field<'_>,
    scope: &Scope,
    name: &str,
) -> Result<Option<(String, String)>, String> {
    let kind = field.spec.kind;
    let text = field.proto.default_value.as_str();
    let declared = field.proto.default_value.is_set();
    if !matches!(field.spec.mode, Mode::Explicit | Mode::Required) || !(declared || kind == Kind::ClosedEnum) {
        return Ok(None);
    }
    let value = match kind {
        Kind::Message | Kind::Group | Kind::Map => return Err("messages have no default".into()),
        Kind::String => return Ok(Some(("&'a str".into(), format!("self.{name}.get().unwrap_or({text:?})")))),
        Kind::RawString => {
            let literal = text.as_bytes().escape_ascii();
            return Ok(Some(("&'a [u8]".into(), format!("self.{name}.get().unwrap_or(b\"{literal}\")"))));
        }
        Kind::Bytes => {
            let bytes = unescape(text)?;
            let literal = bytes.escape_ascii();
            return Ok(Some(("&'a [u8]".into(), format!("self.{name}.get().unwrap_or(b\"{literal}\")"))));
        }
        Kind::ClosedEnum | Kind::OpenEnum => {
            let Some(TypeId::Enum(id)) = field.type_id else { return Err("unknown enum".into()) };
            let path = context.paths.of(TypeId::Enum(id), scope);
            let values = &context.schema.enums[id].proto.value;
            let index = if declared { values.iter().position(|value| value.name.as_str() == text) } else { Some(0) };
            let index = index.ok_or_else(|| format!("the default {text:?} is no value of its enum"))?;
            let value = format!("{path}::{}", context.enum_names(id).values[index]);
            if kind == Kind::OpenEnum { format!("::buffa::EnumValue::from({value})") } else { value }
        }
        _ => number(kind, text)?,
    };
    let result = context.paths.value(kind, field.type_id, scope, "'a");
    Ok(Some((result, format!("self.{name}.unwrap_or({value})"))))
}

/// A number or truth value as a literal.
fn number(kind: Kind, text: &str) -> Result<String, String> {
    fn parse<T: std::str::FromStr + std::fmt::Debug>(text: &str) -> Option<String> {
        text.parse::<T>().ok().map(|value| format!("{value:?}"))
    }
    fn special(text: &str, name: &str) -> String {
        text.strip_prefix('-').map_or_else(|| format!("{name}::INFINITY"), |_| format!("{name}::NEG_INFINITY"))
    }
    let literal = match kind {
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => parse::<i32>(text),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => parse::<i64>(text),
        Kind::Uint32 | Kind::Fixed32 => parse::<u32>(text),
        Kind::Uint64 | Kind::Fixed64 => parse::<u64>(text),
        Kind::Bool => parse::<bool>(text),
        Kind::Float => match text.parse::<f32>() {
            Ok(value) if value.is_nan() => Some("f32::NAN".into()),
            Ok(value) if value.is_infinite() => Some(special(text, "f32")),
            Ok(value) => Some(format!("{value:?}")),
            Err(_) => None,
        },
        Kind::Double => match text.parse::<f64>() {
            Ok(value) if value.is_nan() => Some("f64::NAN".into()),
            Ok(value) if value.is_infinite() => Some(special(text, "f64")),
            Ok(value) => Some(format!("{value:?}")),
            Err(_) => None,
        },
        _ => None,
    };
    literal.ok_or_else(|| format!("the default {text:?} does not fit the type"))
}

/// Undoes C escapes.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let bad = || format!("the default {text:?} has a malformed escape");
    let mut bytes = text.bytes().peekable();
    let mut result = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            result.push(byte);
            continue;
        }
        let escape = bytes.next().ok_or_else(bad)?;
        result.push(match escape {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => escape,
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    match bytes.peek() {
                        Some(&digit @ b'0'..=b'7') => value = value * 8 + u32::from(digit - b'0'),
                        _ => break,
                    }
                    bytes.next();
                }
                u8::try_from(value).map_err(|_| bad())?
            }
            b'x' | b'X' => {
                let mut value = 0_u32;
                let mut digits = 0;
                while let Some(digit) = bytes.peek().and_then(|&digit| char::from(digit).to_digit(16)) {
                    if digits == 2 {
                        break;
                    }
                    value = value * 16 + digit;
                    digits += 1;
                    bytes.next();
                }
                if digits == 0 {
                    return Err(bad());
                }
                u8::try_from(value).map_err(|_| bad())?
            }
            _ => return Err(bad()),
        });
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_escapes() {
        assert_eq!(unescape(r#"\000\001\376\"\'\\a\x7Fb"#).unwrap(), b"\0\x01\xfe\"'\\a\x7fb");
        for bad in ["\\", "\\q", "\\x", "\\777"] {
            assert!(unescape(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(number(Kind::Float, "-inf").unwrap(), "f32::NEG_INFINITY");
        assert_eq!(number(Kind::Double, "nan").unwrap(), "f64::NAN");
        assert_eq!(number(Kind::Float, "1e39").unwrap(), "f32::INFINITY");
        assert_eq!(number(Kind::Double, "1e300").unwrap(), "1e300");
        assert_eq!(number(Kind::Double, "-0").unwrap(), "-0.0");
        assert_eq!(number(Kind::Int32, "-2147483648").unwrap(), "-2147483648");
        assert!(number(Kind::Int32, "2147483648").is_err() && number(Kind::Bool, "1").is_err());
    }
}

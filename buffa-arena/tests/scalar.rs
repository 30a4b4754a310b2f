//! `Optional` and `EnumValue`.
#![allow(unsafe_code)] // declares an enum, looks at bytes

use buffa_arena::{Enum, EnumValue, Optional};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
enum Phone {
    Mobile = 0,
    Home = 1,
    Lost = -5,
}

// SAFETY: `repr(i32)`, and the numbers are those of the declaration.
unsafe impl Enum for Phone {
    fn is_declared(number: i32) -> bool {
        matches!(number, 0 | 1 | -5)
    }
}

#[test]
fn optional_holds_or_not() {
    let mut field = Optional::default();
    assert_eq!((field, field.is_set(), field.get(), field.as_ref()), (Optional::Unset, false, None, None));
    assert_eq!((field.unwrap_or(3), field.unwrap_or_default(), field.as_mut()), (3, 0, None));
    field.set(0);
    assert_eq!((field, field.is_set(), field.get(), field.as_ref()), (Optional::Set(0), true, Some(0), Some(&0)));
    if let Some(value) = field.as_mut() {
        *value = 9;
    }
    assert_eq!((field.unwrap_or(3), field.unwrap_or_default()), (9, 9));
    assert_eq!((field.take(), field.take(), field), (Some(9), None, Optional::Unset));
    assert_eq!(
        (Optional::from(4), Optional::from(Some(4)), Optional::<i32>::from(None)),
        (4.into(), Optional::Set(4), Optional::Unset)
    );
    assert_eq!((Option::from(Optional::Set(4)), Option::<i32>::from(Optional::Unset)), (Some(4), None));
    assert!(Optional::Unset < Optional::Set(i32::MIN));
}

#[test]
fn optional_is_a_tag_and_the_value_at_its_alignment() {
    #[repr(C)]
    struct Mirror {
        tag: u8,
        value: u32,
    }
    let set = Optional::Set(0xAABB_CCDDu32);
    let mirror = core::ptr::from_ref(&set).cast::<Mirror>();
    // SAFETY: `repr(C, u8)` has this layout while set; the bytes between are not read.
    let (tag, value) = unsafe { ((*mirror).tag, (*mirror).value) };
    assert_eq!((tag, value, size_of::<Mirror>()), (1, 0xAABB_CCDD, size_of_val(&set)));
}

#[test]
fn enums_convert_checked() {
    assert_eq!((Phone::from_i32(-5), Phone::from_i32(2), Phone::Home.to_i32()), (Some(Phone::Lost), None, 1));
}

#[test]
fn open_enums_keep_every_number() {
    let (known, other) = (EnumValue::from(Phone::Lost), EnumValue::<Phone>::from_i32(i32::MAX));
    assert_eq!((known.get(), known.known(), known.to_i32()), (Ok(Phone::Lost), Some(Phone::Lost), -5));
    assert_eq!((other.get(), other.known(), other.to_i32()), (Err(i32::MAX), None, i32::MAX));
    assert_eq!(EnumValue::default(), Phone::Mobile);
    assert!(known == Phone::Lost && known != Phone::Home && known != other);
    assert_eq!(format!("{known:?} {other:?}"), "Lost 2147483647");
    assert_eq!(std::collections::HashSet::from([known, other, known]).len(), 2);
}

//! Words and numbers of the schemas as enums.

use crate::core::findings::shown_text;

/// A text or a number that is not one of an enum's members.
///
/// ```
/// let error = "won".parse::<reward_receipts::RewardOutcomeV1>().unwrap_err();
/// assert_eq!(error.to_string(), "\"won\" is not a RewardOutcomeV1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{shown} is not a {name}")]
pub struct UnknownWord {
    name: &'static str,
    shown: String,
}

impl UnknownWord {
    pub(crate) fn new(name: &'static str, word: &str) -> Self {
        Self { name, shown: shown_text(word) }
    }

    pub(crate) fn of_number(name: &'static str, number: u8) -> Self {
        Self { name, shown: number.to_string() }
    }
}

macro_rules! text_enum {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::documents::vocabulary::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().copied().find(|each| each.as_str() == word);
                found.ok_or_else(|| $crate::documents::vocabulary::UnknownWord::new(stringify!($name), word))
            }
        }

        impl $crate::documents::model::Word for $name {
            const FIRST: Self = Self::ALL[0];

            fn of_checked(value: &$crate::documents::model::Given<'_, '_>) -> Option<Self> {
                value.as_str().and_then(|word| word.parse().ok())
            }
        }
    };
}

macro_rules! integer_enum {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.number())
            }
        }

        impl TryFrom<u8> for $name {
            type Error = $crate::documents::vocabulary::UnknownWord;

            fn try_from(number: u8) -> Result<Self, Self::Error> {
                let found = Self::ALL.iter().copied().find(|each| each.number() == number);
                found.ok_or_else(|| $crate::documents::vocabulary::UnknownWord::of_number(stringify!($name), number))
            }
        }

        impl $crate::documents::model::Word for $name {
            const FIRST: Self = Self::ALL[0];

            fn of_checked(value: &$crate::documents::model::Given<'_, '_>) -> Option<Self> {
                let number = value.as_f64()?;
                Self::ALL.iter().copied().find(|each| f64::from(each.number()) == number)
            }
        }
    };
}

pub(crate) use {integer_enum, text_enum};

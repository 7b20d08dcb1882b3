//! Documents and JSON values from and to any serde format, through the same checks as text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap as _, SerializeSeq as _};
use serde::{Deserialize, Serialize, Serializer};

use crate::core::strict_json::document;
use crate::core::value::{Integer, Json, Value};
use crate::documents::model::Document;
use crate::generated::documents::{RewardCertificateV1, RewardContractV1, RewardEvidenceReceiptV1, RewardSpec};
use crate::generated::tables::MAX_TEXT_DEPTH;

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Integer(Integer::Small(number)) => serializer.serialize_i64(*number),
            Value::Integer(Integer::Large(digits)) => match digits.parse() {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => Err(S::Error::custom("the integer fits no 64 bits")),
            },
            Value::Double(double) => serializer.serialize_f64(*double),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut array = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    array.serialize_element(item)?;
                }
                array.end()
            }
            Value::Object(members) => {
                let mut object = serializer.serialize_map(Some(members.len()))?;
                for (name, member) in members {
                    object.serialize_entry(&**name, member)?;
                }
                object.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nested(0).deserialize(deserializer)
    }
}

/// A value inside so many containers. A format need not bound them, so they are bounded here.
#[derive(Clone, Copy)]
struct Nested(usize);

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Json<'static>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Nested {
    fn inside<E: de::Error>(self) -> Result<Self, E> {
        if self.0 < MAX_TEXT_DEPTH {
            return Ok(Self(self.0 + 1));
        }
        Err(E::custom(format_args!("more than {MAX_TEXT_DEPTH} containers are open")))
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Json<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::from(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::from(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Json::from(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Json::double(value).ok_or_else(|| E::custom(format_args!("{value} is not a JSON number")))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Json::from(value.to_owned()))
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Self::Value, E> {
        Ok(Json::from(value))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(Json::null())
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(Json::null())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let inside = self.inside()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inside)? {
            array.push(item);
        }
        Json::array(array).map_err(de::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let inside = self.inside()?;
        let mut object: Vec<(Cow<'static, str>, Json<'static>)> = Vec::new();
        while let Some(name) = members.next_key::<String>()? {
            object.push((Cow::Owned(name), members.next_value_seed(inside)?));
        }
        Json::object(object).map_err(de::Error::custom)
    }
}

macro_rules! through_json {
    ($name:ident) => {
        /// The completed document, in canonical order.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                document(self.canonical_text()).map_err(S::Error::custom)?.serialize(serializer)
            }
        }

        /// Through the schema and every rule; the error has all findings.
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Json::deserialize(deserializer)?;
                <Self as Document>::of_value(&value).map_err(de::Error::custom)
            }
        }
    };
}

through_json!(RewardContractV1);
through_json!(RewardCertificateV1);
through_json!(RewardEvidenceReceiptV1);
through_json!(RewardSpec);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn documents_go_through_the_same_checks() {
        let receipt = samples::receipt();
        let text = serde_json::to_string(&receipt).unwrap();
        assert_eq!(text, receipt.canonical_text());
        assert_eq!(serde_json::from_str::<RewardEvidenceReceiptV1>(&text).unwrap(), receipt);
        let refused =
            serde_json::from_str::<RewardEvidenceReceiptV1>(&text.replace("\"oracle_tier\":2", "\"oracle_tier\":1"));
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("receipt.development-only"), "{message}");
    }

    #[test]
    fn a_member_named_twice_and_deep_values_are_refused() {
        let twice = serde_json::from_str::<Json<'static>>(r#"{"a": 1, "a": 1}"#).unwrap_err().to_string();
        assert!(twice.contains("json.duplicate"), "{twice}");
        let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
        assert!(serde_json::from_str::<Json<'static>>(&deep).unwrap_err().to_string().contains("64"));
        assert!(serde_json::from_str::<Json<'static>>(&deep[1..130 - 1]).is_ok());
    }
}

//! JSON in which no key is there twice: of two values, nobody could say which one was meant.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Any JSON value whose objects have each key once.
pub(crate) struct UniqueKeys(pub(crate) Value);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(UniqueKeys(element)) = elements.next_element()? {
            list.push(element);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut keys = Map::new();
        while let Some((key, UniqueKeys(value))) = entries.next_entry::<String, UniqueKeys>()? {
            if keys.contains_key(&key) {
                let key: String = key.chars().take(80).collect();
                return Err(A::Error::custom(format_args!("the key `{key}` is there twice")));
            }
            keys.insert(key, value);
        }
        Ok(Value::Object(keys))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        serde_json::from_str(text).map(|UniqueKeys(value)| value).map_err(|error| error.to_string())
    }

    #[test]
    fn whatever_is_unique_reads_as_ever() {
        let text = r#"{"a":[null,true,-1,18446744073709551615,0.5,"ä\n",{"a":{"a":1}}],"b":{},"c":[]}"#;
        let usual: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(read(text), Ok(usual));
        assert_eq!(read("[{\"a\":1},{\"a\":2}]"), Ok(json!([{"a": 1}, {"a": 2}])));
    }

    #[test]
    fn a_key_that_is_there_twice_is_named() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"\u0061":3}}]"#] {
            let error = read(text).expect_err("twice");
            assert!(error.starts_with("the key `a` is there twice at line 1"), "{error}");
        }
        assert!(read("{\"a\":1").is_err() && read("{} {}").is_err());
    }
}

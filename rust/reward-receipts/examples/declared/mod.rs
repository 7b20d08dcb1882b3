//! Parameters of a component as the corpus and the comparison declare them.

use std::error::Error;

use reward_receipts::Json;
use reward_receipts::rewards::{Component, Param, ParamType};

/// A component with the `params` of its declaration.
pub(crate) fn with_params(component: Component, own: &Json<'_>) -> Result<Component, Box<dyn Error>> {
    let declared = own.get("params").and_then(Json::members).into_iter().flatten();
    declared.into_iter().try_fold(component, |component, (name, own)| Ok(component.with_param(name, param(own)?)))
}

/// A parameter as a case declares it.
fn param(own: &Json<'_>) -> Result<Param, Box<dyn Error>> {
    let kind = match own.get("type").and_then(Json::as_str) {
        Some("number") => ParamType::Number,
        Some("integer") => ParamType::Integer,
        Some("boolean") => ParamType::Boolean,
        Some("text") => ParamType::Text,
        Some("json") => ParamType::Json,
        _ => return Err("no type of a parameter".into()),
    };
    let bound = |name: &str| own.get(name).and_then(Json::as_f64);
    let mut param = Param::new(kind);
    if let Some(value) = own.get("default") {
        param = param.with_default(value.clone().into_owned());
    }
    if let Some(least) = bound("minimum") {
        param = param.with_minimum(least);
    }
    if let Some(most) = bound("maximum") {
        param = param.with_maximum(most);
    }
    Ok(param)
}

//! The models of the package, made directly of what was accepted.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyMappingProxy, PySet, PyString, PyTuple};
use reward_receipts::direct::{Direct, Field, Member, fields};
use reward_receipts::{Kind, sha256_digest};

use crate::{kind_named, text_of};

/// Makes models: instances of the classes it was given, as validation makes them.
#[pyclass(frozen, module = "reward_receipts_core")]
pub(crate) struct Models {
    layouts: HashMap<&'static str, Layout>,
    new: Py<PyAny>,
}

/// How an instance of a class is made.
struct Layout {
    class: Py<PyAny>,
    /// What each member is by default, in the order of the class.
    defaults: Py<PyDict>,
    /// In the order of the schema's tables: sorted by name.
    members: Vec<Making>,
    /// The names of what is given, by the members that are, a bit each.
    given: std::sync::Mutex<HashMap<u64, Py<PySet>>>,
}

/// How a member is made.
struct Making {
    name: Py<PyString>,
    /// The objects that the choices are.
    choices: Vec<Py<PyAny>>,
    /// The class of the map that it is, and the name of the slot that has its members.
    map: Option<(Py<PyAny>, Py<PyString>)>,
    /// The parts that it is, or that it has.
    part: Option<Layout>,
}

/// So many sets of given members are remembered for a class.
const MOST_GIVEN: usize = 64;

#[pymethods]
impl Models {
    /// For each kind a tuple: the class, the default of each of its members in their order, and for some members how
    /// they are made: a dict of the objects of its texts or integers, the class of a map and the slot of its members, or
    /// the tuple of a part.
    #[new]
    fn new(py: Python<'_>, layouts: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut made = HashMap::new();
        for (name, layout) in layouts {
            let name: String = name.extract()?;
            let kind: Kind = name.parse().map_err(|_| PyValueError::new_err("an unknown kind of document"))?;
            made.insert(kind.as_str(), Layout::new(&layout, &mut fields(kind))?);
        }
        let new = py.import("builtins")?.getattr("object")?.getattr("__new__")?.unbind();
        Ok(Self { layouts: made, new })
    }

    /// The model of the document in a text; None for what is not accepted.
    #[pyo3(signature = (text, kind=None))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        kind: Option<&str>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (Some(bytes), Ok(kind)) = (text_of(text), kind_named(kind)) else { return Ok(None) };
        let Some(found) = Direct::decode(bytes, kind) else { return Ok(None) };
        let Some(layout) = self.layouts.get(found.kind().as_str()) else { return Ok(None) };
        let canonical = found.canonical_text();
        let known = PyDict::new(py);
        known.set_item(intern!(py, "digest"), sha256_digest(canonical.as_bytes()))?;
        known.set_item(intern!(py, "canonical text"), canonical)?;
        self.made(py, layout, &mut found.members(), &known).map(Some)
    }
}

impl Models {
    fn made<'py>(
        &self,
        py: Python<'py>,
        layout: &Layout,
        members: &mut dyn Iterator<Item = Member<'_>>,
        known: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let held = layout.defaults.bind(py).copy()?;
        let mut given = 0_u64;
        for (place, (making, member)) in layout.members.iter().zip(members).enumerate() {
            if let Some(value) = self.value(py, making, member)? {
                held.set_item(making.name.bind(py), value)?;
                given |= 1 << place;
            }
        }
        let made = self.new.bind(py).call1((layout.class.bind(py),))?;
        set(&made, intern!(py, "__dict__"), held.as_any())?;
        set(&made, intern!(py, "__pydantic_fields_set__"), &layout.given(py, given)?)?;
        set(&made, intern!(py, "__pydantic_extra__"), py.None().bind(py))?;
        set(&made, intern!(py, "__pydantic_private__"), py.None().bind(py))?;
        set(&made, intern!(py, "_known"), known.as_any())?;
        Ok(made)
    }

    fn value<'py>(&self, py: Python<'py>, making: &Making, member: Member<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(Some(match (member, &making.part) {
            (Member::Absent, _) => return Ok(None),
            (Member::Null, _) => py.None().into_bound(py),
            (Member::Boolean(value), _) => value.into_pyobject(py)?.to_owned().into_any(),
            (Member::Integer(value), _) => value.into_pyobject(py)?.into_any(),
            (Member::Double(value), _) => PyFloat::new(py, value).into_any(),
            (Member::Text(text), _) => PyString::new(py, text).into_any(),
            (Member::Choice(place), _) => making.choices[place].bind(py).clone(),
            (Member::Object(mut members), Some(part)) => self.made(py, part, &mut members, &PyDict::new(py))?,
            (Member::Array(items), part) => {
                let items = items.map(|item| match (item, part) {
                    (Member::Object(mut members), Some(part)) => self.made(py, part, &mut members, &PyDict::new(py)),
                    (Member::Text(text), _) => Ok(PyString::new(py, text).into_any()),
                    _ => Err(unforeseen()),
                });
                PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            (Member::Map(members), _) => {
                let held = PyDict::new(py);
                for (name, value) in members {
                    held.set_item(name, value)?;
                }
                let (class, slot) = making.map.as_ref().ok_or_else(unforeseen)?;
                let made = self.new.bind(py).call1((class.bind(py),))?;
                set(&made, slot.bind(py), PyMappingProxy::new(py, held.as_mapping()).as_any())?;
                made
            }
            (Member::Object(_), None) => return Err(unforeseen()),
        }))
    }
}

/// Sets an attribute as `object.__setattr__` does, past the class, which refuses changes.
fn set(object: &Bound<'_, PyAny>, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: three objects that are alive; the interpreter is held, as there is a Bound.
    let failed = unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if failed == 0 { Ok(()) } else { Err(PyErr::fetch(object.py())) }
}

fn unforeseen() -> PyErr {
    PyValueError::new_err("the package and the extension differ in what a document is")
}

impl Layout {
    fn new(given: &Bound<'_, PyAny>, fields: &mut dyn Iterator<Item = Field>) -> PyResult<Self> {
        let (class, defaults, makings): (Bound<'_, PyAny>, Bound<'_, PyDict>, Bound<'_, PyDict>) = given.extract()?;
        let members = fields.map(|field| Making::new(&field, &defaults, &makings)).collect::<PyResult<Vec<_>>>()?;
        if members.len() != defaults.len() {
            return Err(unforeseen());
        }
        Ok(Self { class: class.unbind(), defaults: defaults.unbind(), members, given: std::sync::Mutex::default() })
    }

    /// A set of the names of members, a new one.
    fn given<'py>(&self, py: Python<'py>, given: u64) -> PyResult<Bound<'py, PyAny>> {
        let known = self.given.lock().ok().and_then(|sets| sets.get(&given).map(|set| set.clone_ref(py)));
        let set = if let Some(set) = known {
            set
        } else {
            let names = self.members.iter().enumerate().filter(|(place, _)| given >> place & 1 == 1);
            let set = PySet::new(py, names.map(|(_, making)| making.name.bind(py)))?.unbind();
            if let Ok(mut sets) = self.given.lock() {
                if sets.len() >= MOST_GIVEN {
                    sets.clear();
                }
                sets.insert(given, set.clone_ref(py));
            }
            set
        };
        set.bind(py).call_method0(intern!(py, "copy"))
    }
}

impl Making {
    fn new(field: &Field, defaults: &Bound<'_, PyDict>, makings: &Bound<'_, PyDict>) -> PyResult<Self> {
        let py = defaults.py();
        // The very object that the class has as the name.
        let name = defaults.keys().iter().find(|name| name.eq(field.name()).unwrap_or(false)).ok_or_else(unforeseen)?;
        let name = name.cast_into::<PyString>()?.unbind();
        let making = makings.get_item(&name)?;
        let choices = field.choices().map(|choice| {
            let constant = match choice {
                Ok(text) => text.into_pyobject(py)?.into_any(),
                Err(number) => number.into_pyobject(py)?.into_any(),
            };
            Ok(match &making {
                Some(objects) => objects.get_item(constant)?.unbind(),
                None => constant.unbind(),
            })
        });
        let choices = choices.collect::<PyResult<Vec<_>>>()?;
        let mut parts = field.fields().peekable();
        let (part, map) = match making {
            Some(making) if parts.peek().is_some() => (Some(Layout::new(&making, &mut parts)?), None),
            Some(making) if choices.is_empty() => (None, Some(making.extract()?)),
            _ => (None, None),
        };
        Ok(Self { name, choices, map, part })
    }
}

//! A spec against a registry: every weight and clip filled in, every term with its cadence and gates.

use std::collections::BTreeMap;

use crate::core::canonical::sha256_digest;
use crate::core::codes::{Code, Given};
use crate::core::findings::{Finding, InvalidDocument, Path};
use crate::core::strict_json::document;
use crate::core::value::{Json, NOWHERE};
use crate::documents::complete::canonical_text;
use crate::generated::documents::RewardSpec;
use crate::generated::schemas::REWARD_SPEC;
use crate::rewards::components::component::{Cadence, Clip, Registry, quoted};
use crate::rewards::components::params::{param_findings, resolved_params};
use crate::validation::spec_rules::{gate_order, listed};

/// One term of a spec, with nothing left to its component's defaults.
///
/// ```
/// let resolved = reward_receipts::rewards::samples::resolved();
/// assert_eq!(resolved.terms()[0].name(), "upright");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedTerm {
    pub(crate) name: Box<str>,
    pub(crate) type_: Box<str>,
    pub(crate) params: Vec<(Box<str>, Json<'static>)>,
    pub(crate) cadence: Cadence,
    pub(crate) weight: f64,
    pub(crate) clip: Option<Clip>,
    pub(crate) requires: Vec<usize>,
}

impl ResolvedTerm {
    /// What contributions and gates call it.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().terms()[1].name(), "effort");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of its component.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().terms()[1].type_(), "effort");
    /// ```
    #[must_use]
    pub fn type_(&self) -> &str {
        &self.type_
    }

    /// All parameters of the component, sorted by name: those that the term gives, and the defaults of the others.
    ///
    /// ```
    /// assert!(reward_receipts::rewards::samples::resolved().terms()[0].params().next().is_none());
    /// ```
    pub fn params(&self) -> impl ExactSizeIterator<Item = (&str, &Json<'static>)> {
        self.params.iter().map(|(name, value)| (&**name, value))
    }

    /// When it is due.
    ///
    /// ```
    /// use reward_receipts::rewards::{Cadence, samples};
    ///
    /// assert_eq!(samples::resolved().terms()[0].cadence(), Cadence::Step);
    /// ```
    #[must_use]
    pub fn cadence(&self) -> Cadence {
        self.cadence
    }

    /// What the clipped value is multiplied by; finite.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().terms()[1].weight(), 0.2);
    /// ```
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The bounds of the raw value; `None` for no clip at all.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().terms()[0].clip(), Some([Some(0.0), Some(1.0)]));
    /// ```
    #[must_use]
    pub fn clip(&self) -> Option<Clip> {
        self.clip
    }

    /// The terms that must have contributed more than 0 for this one to count, by their places in the spec, sorted.
    ///
    /// ```
    /// assert!(reward_receipts::rewards::samples::resolved().terms()[0].requires().is_empty());
    /// ```
    #[must_use]
    pub fn requires(&self) -> &[usize] {
        &self.requires
    }
}

/// A spec as it is run.
///
/// ```
/// let resolved = reward_receipts::rewards::samples::resolved();
/// assert_eq!(resolved.name(), "balance");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedSpec {
    name: Box<str>,
    spec_digest: Box<str>,
    digest: Box<str>,
    terms: Vec<ResolvedTerm>,
    gates: Vec<(usize, usize)>,
}

impl ResolvedSpec {
    /// What people call the reward.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().name(), "balance");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The digest of the spec as written.
    ///
    /// ```
    /// use reward_receipts::rewards::samples;
    ///
    /// assert_eq!(samples::resolved().spec_digest(), samples::spec().digest());
    /// ```
    #[must_use]
    pub fn spec_digest(&self) -> &str {
        &self.spec_digest
    }

    /// The digest of the spec with the components' own weights, clips and parameters filled in.
    ///
    /// ```
    /// assert!(reward_receipts::rewards::samples::resolved().digest().starts_with("sha256:"));
    /// ```
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The terms, in the order in which their contributions are added.
    ///
    /// ```
    /// assert_eq!(reward_receipts::rewards::samples::resolved().terms().len(), 2);
    /// ```
    #[must_use]
    pub fn terms(&self) -> &[ResolvedTerm] {
        &self.terms
    }

    /// The gates as pairs of places, the term and what it requires, in the order in which they settle.
    ///
    /// ```
    /// assert!(reward_receipts::rewards::samples::resolved().gates().is_empty());
    /// ```
    #[must_use]
    pub fn gates(&self) -> &[(usize, usize)] {
        &self.gates
    }
}

impl RewardSpec {
    /// The spec with each component found, and each weight, clip and parameter filled in.
    ///
    /// ```
    /// use reward_receipts::rewards::{Registry, samples};
    ///
    /// let refused = samples::spec().resolve(&Registry::default()).unwrap_err();
    /// assert_eq!(refused.findings()[0].code.id(), "compose.component-unknown");
    /// ```
    ///
    /// # Errors
    ///
    /// `compose.component-unknown` for each type that the registry does not have; if it has all, `compose.param-...` for
    /// params that a component does not declare, needs, or refuses.
    pub fn resolve(&self, registry: &Registry) -> Result<ResolvedSpec, InvalidDocument> {
        let mut unknown = Vec::new();
        let mut terms = Vec::new();
        let mut wrong = Vec::new();
        let names: Vec<&str> = self.components().iter().map(|each| each.name().unwrap_or(each.type_())).collect();
        let places: BTreeMap<&str, usize> = names.iter().enumerate().map(|(place, name)| (*name, place)).collect();
        for (place, each) in self.components().iter().enumerate() {
            let Some(own) = registry.get(each.type_()) else {
                unknown.push(unknown_component(each.type_(), place, registry));
                continue;
            };
            wrong.extend(param_findings(each.type_(), own, each.params(), place));
            let gates = self.gates().iter().filter(|gate| gate.component() == names[place]);
            let mut requires: Vec<usize> = gates.filter_map(|gate| places.get(gate.requires()).copied()).collect();
            requires.sort_unstable();
            requires.dedup();
            terms.push(ResolvedTerm {
                name: names[place].into(),
                type_: each.type_().into(),
                params: resolved_params(own, each.params()),
                cadence: own.cadence(),
                weight: each.weight().unwrap_or(own.default_weight()),
                clip: each.clip().unwrap_or(own.clip()),
                requires,
            });
        }
        if !unknown.is_empty() {
            return Err(InvalidDocument::new(unknown));
        }
        if !wrong.is_empty() {
            return Err(InvalidDocument::new(wrong));
        }
        let needs: Vec<Vec<usize>> = terms.iter().map(|term| term.requires.clone()).collect();
        let order = gate_order(&needs);
        let gates = order.into_iter().flat_map(|place| needs[place].iter().map(move |need| (place, *need))).collect();
        Ok(ResolvedSpec {
            name: self.name().into(),
            spec_digest: self.digest().into(),
            digest: completed_digest(self, &terms)?.into(),
            terms,
            gates,
        })
    }
}

fn unknown_component(name: &str, place: usize, registry: &Registry) -> Finding {
    let code = Code::ComposeComponentUnknown;
    let known = listed(registry.names(), ", ");
    let known = if known.is_empty() { "none" } else { &known };
    let shown = quoted(name);
    let sentence = code.sentence_with(&[("name", Given::Text(&shown)), ("known", Given::Text(known))]);
    let components = Path::Name(&Path::Root, "components");
    let component = Path::Index(&components, place);
    Finding::new(code, sentence, &Path::Name(&component, "type"), NOWHERE)
}

fn completed_digest(spec: &RewardSpec, terms: &[ResolvedTerm]) -> Result<String, InvalidDocument> {
    let bound = |bound: Option<f64>| bound.and_then(Json::double).unwrap_or(Json::null());
    let components = terms.iter().map(|term| {
        let clip = term.clip.map_or(Ok(Json::null()), |bounds| Json::array(bounds.map(bound)));
        let weight = Json::double(term.weight).unwrap_or(Json::null());
        let mut members = vec![("type", Json::from(&*term.type_)), ("weight", weight), ("clip", clip?)];
        if term.name != term.type_ {
            members.push(("name", Json::from(&*term.name)));
        }
        if !term.params.is_empty() {
            let params = term.params.iter().map(|(name, value)| (&**name, value.clone()));
            members.push(("params", Json::object(params)?));
        }
        Json::object(members)
    });
    let components = Json::array(components.collect::<Result<Vec<_>, _>>()?)?;
    let value = document(spec.canonical_text())?.with_member("components", components);
    Ok(sha256_digest(canonical_text(&REWARD_SPEC, &value).as_bytes()))
}

"""The components that a spec can name: registered in this process, or offered by installed packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, distributions, entry_points
from inspect import isabstract
from math import isfinite
from threading import Lock
from typing import Final

from ...core.findings import shown
from ...core.foreign import describe_error, quote_repr
from ...core.numbers import plain_double
from ...validation.names import LONGEST_NAME, is_name
from .component import Cadence, RewardComponent
from .context import PROVIDABLE
from .params import Param

ENTRY_POINTS: Final = "reward_receipts.components"
"""The group of entry points under which other packages offer components: NAME = "module:Class"."""


Offer = type[RewardComponent] | EntryPoint


class ComponentNameTaken(ValueError):
    """A component is registered or offered under the name already."""


class ComponentNotLoaded(ImportError):
    """What an installed package offers as a component cannot be loaded, or is none; the message names the package."""


class Registry(Mapping[str, type[RewardComponent]]):
    """Component classes by the name that a spec's ``type`` gives them.

    Beside those that are registered it has the built-in ones, a mapping in another module (``module:NAME``), and those
    of a group of entry points. Both are looked at once, when needed, and an entry point is loaded when its name is
    asked for. Looking a name up raises KeyError where there is none, ComponentNameTaken where several have it, and
    ComponentNotLoaded where what has it is not a component; what is wrong with other names is of no matter.
    """

    def __init__(
        self,
        components: Mapping[str, type[RewardComponent]] | None = None,
        group: str | None = None,
        builtin: str | None = None,
    ) -> None:
        self._components: dict[str, type[RewardComponent]] = {}
        self._offered: dict[str, list[Offer]] | None = None
        self._group = group
        self._builtin = builtin
        # Held for the table alone and never over an import: a module that is imported may well register components,
        # and would wait for whoever waits for the module.
        self._lock = Lock()
        for name, component in (components or {}).items():
            self.register(name, component)

    def register(self, name: str, component: type[RewardComponent], overwrite: bool = False) -> None:
        """Registers a component class under a name.

        Raises ComponentNameTaken where the name is taken and ``overwrite`` is not given; TypeError for anything but a
        RewardComponent, and ValueError for a name or class attributes that no spec could use.
        """
        require_component(name, component)
        offers = self._offers().get(name, [])
        with self._lock:
            taken = [self._components[name]] if name in self._components else offers
            if taken and not overwrite:
                own = "" if isinstance(taken[0], type) else "; what an entry point offers, its module need not register"
                raise ComponentNameTaken(
                    f"{shown(name)} is taken already, by {' and '.join(map(_of, taken))}; choose another name, or give "
                    f"overwrite=True{own}"
                )
            self._components[name] = component

    def __getitem__(self, name: str) -> type[RewardComponent]:
        component = self._components.get(name)
        if component is None:
            component = _loaded(name, self._offers()[name])
            with self._lock:
                component = self._components.setdefault(name, component)
        return component

    def __contains__(self, name: object) -> bool:
        return name in self._components or name in self._offers()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._components, *self._offers()}))

    def __len__(self) -> int:
        return len({*self._components, *self._offers()})

    def _offers(self) -> dict[str, list[Offer]]:
        """What was not registered, by name: the classes that are built in, and entry points. Several with one name."""
        if self._offered is None:
            offered: dict[str, list[Offer]] = {}
            if self._builtin is not None:
                module, _, names = self._builtin.partition(":")
                offered |= {name: [component] for name, component in getattr(import_module(module), names).items()}
            installed = () if self._group is None else _installed(self._group)
            for entry in sorted(installed, key=lambda entry: (entry.name, entry.value)):
                others = offered.setdefault(entry.name, [])
                if all(isinstance(other, type) or other.value != entry.value for other in others):
                    others.append(entry)  # once, though two packages offer the same class
            self._offered = offered  # two threads that look at once find the same
        return self._offered


REGISTRY: Final = Registry(group=ENTRY_POINTS, builtin=f"{__package__}.builtin:COMPONENTS")
"""The registry of this process. The components of ``builtin`` are built in."""


def register(name: str, component: type[RewardComponent], overwrite: bool = False) -> None:
    """Registers a component class under a name, for the specs of this process; see ``Registry.register``."""
    REGISTRY.register(name, component, overwrite)


def _installed(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group. A package whose list of them cannot be read offers nothing; others still do."""
    try:
        return entry_points(group=group)
    except Exception:  # one list that cannot be read fails them all
        found: list[EntryPoint] = []
        for package in distributions():
            try:
                found += package.entry_points.select(group=group)
            except Exception:  # noqa: S112 - this is the one; a lookup of one of its names reports that there is none
                continue
        return found


def _loaded(name: str, offers: list[Offer]) -> type[RewardComponent]:
    """The component that is offered under a name."""
    offer, *others = offers
    if others:
        raise ComponentNameTaken(
            f"the component {shown(name)} is offered more than once: by {' and by '.join(map(_of, offers))}; whoever "
            "made one of the packages can give its entry point another name; until then, uninstall one, or register "
            "the class that is meant with overwrite=True"
        )
    if isinstance(offer, type):
        return offer
    try:
        component = offer.load()
        require_component(name, component)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # it is not known what a module does; one that exits is not a reason to exit
        raise ComponentNotLoaded(
            f"the component {shown(name)} cannot be loaded from {_of(offer)}: {describe_error(error, place=False)}; "
            "an entry point is NAME = MODULE:CLASS, and its class a RewardComponent"
        ) from error
    return component  # type: ignore[no-any-return]  # it was looked at


def _of(offer: Offer) -> str:
    if isinstance(offer, type):
        return f"{offer.__module__}.{offer.__qualname__}"
    try:
        package = f"the package {offer.dist.name} {offer.dist.version}"  # type: ignore[union-attr]
    except Exception:  # its metadata need not be there, or whole
        package = "a package without a name"
    return f"the entry point {shown(f'{offer.name} = {offer.value}', 120)} of {package}"


def require_component(name: str, component: object) -> None:
    """Raises TypeError for anything but a RewardComponent, ValueError for a name or attributes that no spec can use."""
    if not is_name(name):
        raise ValueError(
            f"a component's name is a text of 1 to {LONGEST_NAME} characters, without unpaired surrogates, not "
            f"{shown(name)}"
        )
    if not isinstance(component, type) or not issubclass(component, RewardComponent):
        raise TypeError(
            f"the component {shown(name)} is {quote_repr(component)}, which is not a subclass of RewardComponent; give "
            "the class itself"
        )
    what = f"the component {shown(name)} ({component.__qualname__})"
    if not isinstance(getattr(component, "name", None), str):
        raise ValueError(f"{what} has no name; give it a class attribute name")
    if not isinstance(component.cadence, Cadence):
        raise ValueError(
            f"{what} has the cadence {quote_repr(component.cadence)}; give it Cadence.STEP or Cadence.EPISODE_END"
        )
    if not isinstance(component.reads, (tuple, list, set, frozenset)) or not all(
        name in PROVIDABLE for name in component.reads
    ):
        raise ValueError(f"{what} reads {quote_repr(component.reads)}; a step has {', '.join(PROVIDABLE)}")
    if not _finite(component.default_weight):
        raise ValueError(
            f"{what} has the default_weight {quote_repr(component.default_weight)}; give it a finite number"
        )
    match component.clip:
        case None:
            pass
        case [low, high] if all(bound is None or _finite(bound) for bound in (low, high)) and (
            low is None or high is None or low <= high
        ):
            pass
        case clip:
            raise ValueError(
                f"{what} has the clip {quote_repr(clip)}; give it None or two bounds, the first at most the "
                "second; a bound is a finite number, or None if that side is unbounded"
            )
    if not isinstance(component.params, Mapping) or not all(
        is_name(name) and isinstance(param, Param) for name, param in component.params.items()
    ):
        raise ValueError(f"{what} has the params {quote_repr(component.params)}; give it a Param by each name")
    if isabstract(component):
        missing = ", ".join(sorted(component.__abstractmethods__))
        raise ValueError(f"{what} has no {missing} of its own; define it")


def _finite(value: object) -> bool:
    try:
        double = plain_double(value)
    except OverflowError:
        return False
    return double is not None and isfinite(double)

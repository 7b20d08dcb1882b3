"""The components that a spec can name: registered in this process, or offered by installed packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from inspect import isabstract
from sys import float_info
from threading import RLock
from typing import Any, Final

from .component import PROVIDABLE, Cadence, RewardComponent

ENTRY_POINTS: Final = "reward_receipts.components"
"""The group of entry points under which other packages offer components: NAME = "module:Class"."""


class ComponentNameTaken(ValueError):
    """A component is registered under the name already."""


class Registry(Mapping[str, type[RewardComponent]]):
    """Component classes by the name that a spec's ``type`` gives them.

    Beside those that are registered it has the built-in ones, a mapping in another module (``module:NAME``), and those
    of a group of entry points. Both are looked at once, when needed.
    """

    def __init__(
        self,
        components: Mapping[str, type[RewardComponent]] | None = None,
        group: str | None = None,
        builtin: str | None = None,
    ) -> None:
        self._components: dict[str, type[RewardComponent]] = {}
        self._offered: dict[str, Any] | None = {} if group is None and builtin is None else None
        self._group = group
        self._builtin = builtin
        self._lock = RLock()
        for name, component in (components or {}).items():
            self.register(name, component)

    def register(self, name: str, component: type[RewardComponent], overwrite: bool = False) -> None:
        """Registers a component class under a name.

        Raises ComponentNameTaken where the name is taken and ``overwrite`` is not given; TypeError for what is no
        RewardComponent, and ValueError for a name or class attributes that no spec could use.
        """
        _require_component(name, component)
        with self._lock:
            taken = self._components.get(name) or self._offers().get(name)
            if taken is not None and not overwrite:
                raise ComponentNameTaken(
                    f"{name!r} is registered already, as {_of(taken)}; choose another name, or give overwrite=True"
                )
            self._components[name] = component

    def __getitem__(self, name: str) -> type[RewardComponent]:
        with self._lock:
            if name not in self._components:
                offer = self._offers()[name]
                component = offer if isinstance(offer, type) else offer.load()
                _require_component(name, component)
                self._components[name] = component
            return self._components[name]

    def __contains__(self, name: object) -> bool:
        with self._lock:
            return name in self._components or name in self._offers()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._components, *self._offers()}))

    def __len__(self) -> int:
        return len({*self._components, *self._offers()})

    def _offers(self) -> dict[str, Any]:
        """What was not registered, by name: the classes that are built in, and entry points."""
        if self._offered is None:
            offered: dict[str, Any] = {}
            if self._builtin is not None:
                module, _, names = self._builtin.partition(":")
                offered.update(getattr(import_module(module), names))
            for entry in () if self._group is None else entry_points(group=self._group):
                other = offered.setdefault(entry.name, entry)
                if isinstance(other, type):
                    raise ComponentNameTaken(
                        f"an installed package offers a component {entry.name!r}, {_of(entry)}, and {_of(other)} is "
                        "built in under that name; uninstall the package"
                    )
                if other != entry:
                    raise ComponentNameTaken(
                        f"two installed packages offer a component {entry.name!r}: {_of(other)} and {_of(entry)}; "
                        "uninstall one of them"
                    )
            self._offered = offered
        return self._offered


REGISTRY: Final = Registry(group=ENTRY_POINTS, builtin=f"{__package__}.operations:COMPONENTS")
"""The registry of this process. The components for operational records are built in."""


def register(name: str, component: type[RewardComponent], overwrite: bool = False) -> None:
    """Registers a component class under a name, for the specs of this process; see ``Registry.register``."""
    REGISTRY.register(name, component, overwrite)


def _require_component(name: str, component: object) -> None:
    if not isinstance(name, str) or not 1 <= len(name) <= 128:
        raise ValueError(f"a component's name is a text of 1 to 128 characters, not {name!r}")
    if not isinstance(component, type) or not issubclass(component, RewardComponent):
        raise TypeError(f"{component!r} is no subclass of RewardComponent")
    what = f"the component {name!r} ({component.__qualname__})"
    if not isinstance(getattr(component, "name", None), str):
        raise ValueError(f"{what} has no name; give it a class attribute name")
    if not isinstance(component.cadence, Cadence):
        raise ValueError(f"{what} has the cadence {component.cadence!r}; give it Cadence.STEP or Cadence.EPISODE_END")
    if not isinstance(component.reads, (tuple, list, set, frozenset)) or not all(
        name in PROVIDABLE for name in component.reads
    ):
        raise ValueError(f"{what} reads {component.reads!r:.80}; a step has {', '.join(PROVIDABLE)}")
    if not _finite(component.default_weight):
        raise ValueError(f"{what} has the default_weight {component.default_weight!r:.80}; give it a finite number")
    match component.clip:
        case None:
            pass
        case [low, high] if _finite(low) and _finite(high) and low <= high:
            pass
        case clip:
            raise ValueError(
                f"{what} has the clip {clip!r:.80}; give it None or two finite numbers, the first at most the second"
            )
    if isabstract(component):
        missing = ", ".join(sorted(component.__abstractmethods__))
        raise ValueError(f"{what} has no {missing} of its own; define it")


def _finite(value: object) -> bool:
    # A whole number is held against the greatest double: what is beyond it has none.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= float_info.max


def _of(component: Any) -> str:
    return f"{component.__module__}.{component.__qualname__}" if isinstance(component, type) else str(component.value)

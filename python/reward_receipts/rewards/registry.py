"""The components that a spec can name: registered in this process, or offered by installed packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from threading import RLock
from typing import Any, Final

from .component import PROVIDABLE, Cadence, RewardComponent

ENTRY_POINTS: Final = "reward_receipts.components"
"""The group of entry points under which other packages offer components: NAME = "module:Class"."""


class ComponentNameTaken(ValueError):
    """A component is registered under the name already."""


class Registry(Mapping[str, type[RewardComponent]]):
    """Component classes by the name that a spec's ``type`` gives them. Entry points are looked at once, when needed."""

    def __init__(self, components: Mapping[str, type[RewardComponent]] | None = None, group: str | None = None) -> None:
        self._components: dict[str, type[RewardComponent]] = {}
        self._offered: dict[str, Any] | None = {} if group is None else None
        self._group = group
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
                component = self._offers()[name].load()
                _require_component(name, component)
                self._components[name] = component
            return self._components[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._components, *self._offers()}))

    def __len__(self) -> int:
        return len({*self._components, *self._offers()})

    def _offers(self) -> dict[str, Any]:
        if self._offered is None:
            offered: dict[str, Any] = {}
            for entry in entry_points(group=self._group):
                if (other := offered.setdefault(entry.name, entry)) != entry:
                    raise ComponentNameTaken(
                        f"two installed packages offer a component {entry.name!r}: {_of(other)} and {_of(entry)}; "
                        "uninstall one of them"
                    )
            self._offered = offered
        return self._offered


REGISTRY: Final = Registry(group=ENTRY_POINTS)
"""The registry of this process."""


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
    if isinstance(component.reads, str) or not {*component.reads} <= {*PROVIDABLE}:
        raise ValueError(f"{what} reads {component.reads!r}; a step has {', '.join(PROVIDABLE)}")
    if not _finite(component.default_weight):
        raise ValueError(f"{what} has the default_weight {component.default_weight!r}; give it a finite number")
    clip = component.clip
    if clip is not None and not (len(clip) == 2 and all(map(_finite, clip)) and clip[0] <= clip[1]):
        raise ValueError(
            f"{what} has the clip {clip!r}; give it None or two finite numbers, the first at most the second"
        )


def _finite(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0


def _of(component: Any) -> str:
    return f"{component.__module__}.{component.__qualname__}" if isinstance(component, type) else str(component.value)

"""Rewards as data: specs, components, and the engines that run them (spec, section 9).

A name's module is loaded when the name is first used, as in the package above.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..generated.reward_spec import RewardSpec as RewardSpec
    from ..generated.reward_spec import RewardSpecComponent as RewardSpecComponent
    from ..generated.reward_spec import RewardSpecGate as RewardSpecGate
    from ..generated.reward_trace_row import ZeroReason as ZeroReason
    from .batched import BatchedEngine as BatchedEngine
    from .batched import BatchResult as BatchResult
    from .batched import StepBatch as StepBatch
    from .bridge import NotForAContract as NotForAContract
    from .bridge import component_vector as component_vector
    from .bridge import contract_components as contract_components
    from .ceiling import Ceiling as Ceiling
    from .compiled import CompiledReward as CompiledReward
    from .compiled import compile_reward as compile_reward
    from .component import Cadence as Cadence
    from .component import RewardComponent as RewardComponent
    from .component import RewardSignal as RewardSignal
    from .component import StepContext as StepContext
    from .engine import CompositionEngine as CompositionEngine
    from .engine import CompositionError as CompositionError
    from .engine import RewardReadsNothing as RewardReadsNothing
    from .engine import RewardResult as RewardResult
    from .operations import FillRate as FillRate
    from .operations import IncidentResolution as IncidentResolution
    from .operations import IncidentSeverity as IncidentSeverity
    from .operations import OnTimeDelivery as OnTimeDelivery
    from .operations import OperatingCost as OperatingCost
    from .operations import Throughput as Throughput
    from .operations import VerifiedEffects as VerifiedEffects
    from .registry import ComponentNameTaken as ComponentNameTaken
    from .registry import ComponentNotLoaded as ComponentNotLoaded
    from .registry import Registry as Registry
    from .registry import register as register
    from .resolved import ResolvedSpec as ResolvedSpec
    from .resolved import ResolvedTerm as ResolvedTerm
    from .resolved import RewardSpecRequired as RewardSpecRequired
    from .spec_diff import SpecChange as SpecChange
    from .spec_diff import SpecDiff as SpecDiff
    from .spec_diff import diff_specs as diff_specs
    from .vectorised import VectorisedResult as VectorisedResult
    from .vectorised import VectorisedReward as VectorisedReward

# The same names again, for use at run time; a test compares the two.
_MODULES = {
    "..generated.reward_spec": "RewardSpec RewardSpecComponent RewardSpecGate",
    "..generated.reward_trace_row": "ZeroReason",
    ".batched": "BatchResult BatchedEngine StepBatch",
    ".bridge": "NotForAContract component_vector contract_components",
    ".ceiling": "Ceiling",
    ".compiled": "CompiledReward compile_reward",
    ".component": "Cadence RewardComponent RewardSignal StepContext",
    ".engine": "CompositionEngine CompositionError RewardReadsNothing RewardResult",
    ".operations": (
        "FillRate IncidentResolution IncidentSeverity OnTimeDelivery OperatingCost Throughput VerifiedEffects"
    ),
    ".registry": "ComponentNameTaken ComponentNotLoaded Registry register",
    ".resolved": "ResolvedSpec ResolvedTerm RewardSpecRequired",
    ".spec_diff": "SpecChange SpecDiff diff_specs",
    ".vectorised": "VectorisedResult VectorisedReward",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_HOMES)

_EXTRA = ("gymnasium", "numpy", "pyarrow")  # packages of the extra 'envs'


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(_HOMES[name], __name__)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        raise ModuleNotFoundError(
            f"{__name__}.{name} needs {error.name}: pip install 'reward-receipts[envs]'", name=error.name
        ) from error
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

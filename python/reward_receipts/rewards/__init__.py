"""Rewards as data: specs, components, and the engines that run them (spec, section 9).

A name's module is loaded when the name is first used, as in the package above.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from ..core.generated.vocabulary import ZeroReason as ZeroReason
    from .bridge import NotForAContract as NotForAContract
    from .bridge import component_vector as component_vector
    from .bridge import contract_components as contract_components
    from .components.batch import StepBatch as StepBatch
    from .components.component import Cadence as Cadence
    from .components.component import RewardComponent as RewardComponent
    from .components.component import RewardSignal as RewardSignal
    from .components.context import StepContext as StepContext
    from .components.operations import FillRate as FillRate
    from .components.operations import IncidentResolution as IncidentResolution
    from .components.operations import IncidentSeverity as IncidentSeverity
    from .components.operations import OnTimeDelivery as OnTimeDelivery
    from .components.operations import OperatingCost as OperatingCost
    from .components.operations import Throughput as Throughput
    from .components.operations import VerifiedEffects as VerifiedEffects
    from .components.params import Param as Param
    from .components.registry import ComponentNameTaken as ComponentNameTaken
    from .components.registry import ComponentNotLoaded as ComponentNotLoaded
    from .components.registry import Registry as Registry
    from .components.registry import register as register
    from .engines.batched import BatchedEngine as BatchedEngine
    from .engines.batched import BatchResult as BatchResult
    from .engines.compiled import CompiledReward as CompiledReward
    from .engines.compiled import compile_reward as compile_reward
    from .engines.plain import CompositionEngine as CompositionEngine
    from .engines.plain import CompositionError as CompositionError
    from .engines.plain import RewardReadsNothing as RewardReadsNothing
    from .engines.plain import RewardResult as RewardResult
    from .engines.vectorised import VectorisedResult as VectorisedResult
    from .engines.vectorised import VectorisedReward as VectorisedReward
    from .spec.ceiling import Ceiling as Ceiling
    from .spec.diff import SpecChange as SpecChange
    from .spec.diff import SpecDiff as SpecDiff
    from .spec.diff import diff_specs as diff_specs
    from .spec.generated.reward_spec import RewardSpec as RewardSpec
    from .spec.generated.reward_spec import RewardSpecComponent as RewardSpecComponent
    from .spec.generated.reward_spec import RewardSpecGate as RewardSpecGate
    from .spec.resolved import ResolvedSpec as ResolvedSpec
    from .spec.resolved import ResolvedTerm as ResolvedTerm
    from .spec.resolved import RewardSpecRequired as RewardSpecRequired

# The same names again, for use at run time; a test compares the two.
_MODULES = {
    ".spec.generated.reward_spec": "RewardSpec RewardSpecComponent RewardSpecGate",
    "..core.generated.vocabulary": "ZeroReason",
    ".components.batch": "StepBatch",
    ".components.context": "StepContext",
    ".components.params": "Param",
    ".engines.batched": "BatchResult BatchedEngine",
    ".bridge": "NotForAContract component_vector contract_components",
    ".spec.ceiling": "Ceiling",
    ".engines.compiled": "CompiledReward compile_reward",
    ".components.component": "Cadence RewardComponent RewardSignal",
    ".engines.plain": "CompositionEngine CompositionError RewardReadsNothing RewardResult",
    ".components.operations": (
        "FillRate IncidentResolution IncidentSeverity OnTimeDelivery OperatingCost Throughput VerifiedEffects"
    ),
    ".components.registry": "ComponentNameTaken ComponentNotLoaded Registry register",
    ".spec.resolved": "ResolvedSpec ResolvedTerm RewardSpecRequired",
    ".spec.diff": "SpecChange SpecDiff diff_specs",
    ".engines.vectorised": "VectorisedResult VectorisedReward",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)

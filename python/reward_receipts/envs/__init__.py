"""Environments of two tiers (spec, section 10): wrappers, traces, regimes, and the checker.

A name's module is loaded when the name is first used, as in the package above. Needs ``reward-receipts[envs]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..generated.regime_report import RegimeReport as RegimeReport
    from ..generated.reward_trace_row import RewardTraceRow as RewardTraceRow
    from .checking import VectorEnvRefused as VectorEnvRefused
    from .checking import check_env as check_env
    from .composing import ComposedReward as ComposedReward
    from .composing import TraceMissing as TraceMissing
    from .manifest import ManifestRefused as ManifestRefused
    from .manifest import run_manifest as run_manifest
    from .manifest import write_manifest as write_manifest
    from .metrics import EpisodeMetrics as EpisodeMetrics
    from .metrics import scalars_of as scalars_of
    from .monitors import MonitorInside as MonitorInside
    from .operations import OPERATIONS_SPEC as OPERATIONS_SPEC
    from .operations import DeskAction as DeskAction
    from .operations import OperationsEnv as OperationsEnv
    from .regimes import RegimeSchedule as RegimeSchedule
    from .reward_parts import RewardParts as RewardParts
    from .reward_parts import part_components as part_components
    from .rows import StepRefused as StepRefused
    from .spec_schedule import SpecSchedule as SpecSchedule
    from .spec_schedule import SpecStage as SpecStage
    from .step import EpisodeStep as EpisodeStep
    from .summary import ScoredMean as ScoredMean
    from .summary import SumOverflows as SumOverflows
    from .summary import TooManyRegimes as TooManyRegimes
    from .summary import TraceSummary as TraceSummary
    from .summary import mean_of_scored as mean_of_scored
    from .summary import summarise as summarise
    from .tensorboard import TensorBoardMetrics as TensorBoardMetrics
    from .tier_report import Capability as Capability
    from .tier_report import EnvReport as EnvReport
    from .tier_report import Verdict as Verdict
    from .trace_files import JsonLinesTrace as JsonLinesTrace
    from .trace_files import ParquetTrace as ParquetTrace
    from .trace_files import TraceWriter as TraceWriter
    from .trace_files import open_trace as open_trace
    from .trace_files import read_trace as read_trace
    from .tracing import TraceRecorder as TraceRecorder
    from .vector import VectorComposedReward as VectorComposedReward
    from .vector import VectorEpisodeMetrics as VectorEpisodeMetrics
    from .vector import VectorTraceRecorder as VectorTraceRecorder
    from .vector_steps import environment_info as environment_info
    from .vector_steps import vector_rows as vector_rows
    from .wrapper_order import WrapperOrder as WrapperOrder

# The same names again, for use at run time; a test compares the two.
_MODULES = {
    "..generated.regime_report": "RegimeReport",
    "..generated.reward_trace_row": "RewardTraceRow",
    ".checking": "VectorEnvRefused check_env",
    ".composing": "ComposedReward TraceMissing",
    ".manifest": "ManifestRefused run_manifest write_manifest",
    ".metrics": "EpisodeMetrics scalars_of",
    ".monitors": "MonitorInside",
    ".operations": "OPERATIONS_SPEC DeskAction OperationsEnv",
    ".regimes": "RegimeSchedule",
    ".reward_parts": "RewardParts part_components",
    ".rows": "StepRefused",
    ".spec_schedule": "SpecSchedule SpecStage",
    ".step": "EpisodeStep",
    ".summary": "ScoredMean SumOverflows TooManyRegimes TraceSummary mean_of_scored summarise",
    ".tensorboard": "TensorBoardMetrics",
    ".tier_report": "Capability EnvReport Verdict",
    ".trace_files": "JsonLinesTrace ParquetTrace TraceWriter open_trace read_trace",
    ".tracing": "TraceRecorder",
    ".vector": "VectorComposedReward VectorEpisodeMetrics VectorTraceRecorder",
    ".vector_steps": "environment_info vector_rows",
    ".wrapper_order": "WrapperOrder",
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

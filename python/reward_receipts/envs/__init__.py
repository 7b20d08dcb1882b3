"""Environments of two tiers (spec, section 10): wrappers, traces, regimes, and the checker.

A name's module is loaded when the name is first used, as in the package above. Needs ``reward-receipts[envs]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.lazy import lazy_names

if TYPE_CHECKING:
    from ..rewards.spec.schedule import SpecSchedule as SpecSchedule
    from ..rewards.spec.schedule import SpecStage as SpecStage
    from ..traces.generated.regime_report import RegimeReport as RegimeReport
    from ..traces.generated.reward_trace_row import RewardTraceRow as RewardTraceRow
    from ..traces.manifest import ManifestRefused as ManifestRefused
    from ..traces.read import read_trace as read_trace
    from ..traces.summary import ScoredMean as ScoredMean
    from ..traces.summary import SumOverflows as SumOverflows
    from ..traces.summary import TooManyRegimes as TooManyRegimes
    from ..traces.summary import TraceSummary as TraceSummary
    from ..traces.summary import mean_of_scored as mean_of_scored
    from ..traces.summary import summarise as summarise
    from ..traces.write import JsonLinesTrace as JsonLinesTrace
    from ..traces.write import ParquetTrace as ParquetTrace
    from ..traces.write import TraceWriter as TraceWriter
    from ..traces.write import open_trace as open_trace
    from .check.checker import VectorEnvRefused as VectorEnvRefused
    from .check.checker import check_env as check_env
    from .check.report import Capability as Capability
    from .check.report import EnvReport as EnvReport
    from .check.report import Verdict as Verdict
    from .compose import ComposedReward as ComposedReward
    from .compose import TraceMissing as TraceMissing
    from .manifest import run_manifest as run_manifest
    from .manifest import write_manifest as write_manifest
    from .metrics import EpisodeMetrics as EpisodeMetrics
    from .metrics import scalars_of as scalars_of
    from .monitors import MonitorInside as MonitorInside
    from .observed import NamedObservation as NamedObservation
    from .order_desk import OPERATIONS_SPEC as OPERATIONS_SPEC
    from .order_desk import DeskAction as DeskAction
    from .order_desk import OperationsEnv as OperationsEnv
    from .record import StepRefused as StepRefused
    from .regimes import RegimeSchedule as RegimeSchedule
    from .reward_parts import RewardParts as RewardParts
    from .reward_parts import part_components as part_components
    from .step import EpisodeStep as EpisodeStep
    from .tensorboard import TensorBoardMetrics as TensorBoardMetrics
    from .tracing import TraceRecorder as TraceRecorder
    from .vector import VectorComposedReward as VectorComposedReward
    from .vector import VectorEpisodeMetrics as VectorEpisodeMetrics
    from .vector import VectorTraceRecorder as VectorTraceRecorder
    from .vector_steps import environment_info as environment_info
    from .vector_steps import vector_rows as vector_rows
    from .wrapper_order import WrapperOrder as WrapperOrder

# The same names again, for use at run time; a test compares the two.
_MODULES = {
    "..traces.generated.regime_report": "RegimeReport",
    "..traces.generated.reward_trace_row": "RewardTraceRow",
    ".check.checker": "VectorEnvRefused check_env",
    ".compose": "ComposedReward TraceMissing",
    "..traces.manifest": "ManifestRefused",
    ".manifest": "run_manifest write_manifest",
    ".metrics": "EpisodeMetrics scalars_of",
    ".monitors": "MonitorInside",
    ".observed": "NamedObservation",
    ".order_desk": "OPERATIONS_SPEC DeskAction OperationsEnv",
    ".regimes": "RegimeSchedule",
    ".reward_parts": "RewardParts part_components",
    ".record": "StepRefused",
    "..rewards.spec.schedule": "SpecSchedule SpecStage",
    ".step": "EpisodeStep",
    "..traces.summary": "ScoredMean SumOverflows TooManyRegimes TraceSummary mean_of_scored summarise",
    ".tensorboard": "TensorBoardMetrics",
    ".check.report": "Capability EnvReport Verdict",
    "..traces.write": "JsonLinesTrace ParquetTrace TraceWriter open_trace",
    "..traces.read": "read_trace",
    ".tracing": "TraceRecorder",
    ".vector": "VectorComposedReward VectorEpisodeMetrics VectorTraceRecorder",
    ".vector_steps": "environment_info vector_rows",
    ".wrapper_order": "WrapperOrder",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)

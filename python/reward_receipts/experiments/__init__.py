"""Experiments: a training run as a document, its harness, its measures, and what its policies were trained on."""

from __future__ import annotations

from .document import Experiment, experiment_schema
from .task import Policy, Task, Trainer

__all__ = ["Experiment", "Policy", "Task", "Trainer", "experiment_schema"]

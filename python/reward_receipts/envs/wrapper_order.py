"""In which order wrappers can stand; where they cannot, the numbers would be wrong without a word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

ROWS: Final = "takes_rows"
"""What a wrapper that turns steps into rows has as a class attribute."""


class WrapperOrder(ValueError):
    """A wrapper is where it would see other rewards, regimes or episodes than were meant."""


def inner(env: Any) -> Iterator[Any]:
    """An environment and all that it wraps, from the outside.

    What an environment that is not a wrapper keeps under ``env`` is its own affair: its steps need not be those.
    """
    import gymnasium

    if isinstance(env, type):
        raise TypeError(f"the environment is the class {env.__name__}; make one of it first: {env.__name__}(...)")
    yield env
    while True:
        if isinstance(env, (gymnasium.Wrapper, gymnasium.vector.VectorWrapper)):
            env = env.env
        elif is_vec_env(env, "VecEnvWrapper"):
            env = env.venv
        else:
            return
        yield env


def is_vec_env(env: Any, kind: str = "VecEnv") -> bool:
    """Whether something is a VecEnv of Stable-Baselines3, or another class of its module, which is not imported."""
    return any(
        each.__name__ == kind and each.__module__.startswith("stable_baselines3.common.vec_env")
        for each in type(env).__mro__
    )


def composes(wrapper: Any) -> bool:
    """Whether a wrapper is one that composes the reward, or a subclass of one."""
    return hasattr(type(wrapper), "reward_spec") and hasattr(type(wrapper), "resolved_spec")


def require_no_rows_below(env: Any, what: str) -> None:
    """Raises WrapperOrder where a recorder or metrics stand below what changes what they record."""
    for each in inner(env):
        if hasattr(type(each), ROWS):
            name = type(each).__name__
            raise WrapperOrder(f"{name} is inside {what} and would not see it; put {name} outside")


def require_not_composed(env: Any) -> None:
    """Raises WrapperOrder where a spec composes the reward already."""
    for each in inner(env):
        if composes(each):
            raise WrapperOrder(
                f"a spec composes the reward already ({each.reward_spec.name}); one environment has one spec"
            )


def require_environment(env: Any) -> None:
    """Raises TypeError for an environment of several agents, which no wrapper for one can take."""
    import gymnasium

    if not isinstance(env, gymnasium.Env) and hasattr(env, "possible_agents"):
        raise TypeError(
            f"{type(env).__name__} is an environment of several agents, with a reward for each; give a gymnasium.Env "
            "of one of them, or take all of them as a vector environment with a place for each agent (SuperSuit's "
            "pettingzoo_env_to_vec_env_v1, with its autoreset mode in metadata) and the wrappers for those"
        )


def require_no_autoreset_below(env: Any, what: str) -> None:
    """Raises WrapperOrder where resets below would pass for steps."""
    require_environment(env)
    for each in inner(env):
        if type(each).__name__ == "Autoreset" and type(each).__module__.startswith("gymnasium."):
            raise WrapperOrder(f"Autoreset is inside {what}, where its resets pass for steps; put it outside")

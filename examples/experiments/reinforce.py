"""A trainer in plain PyTorch, to copy: REINFORCE with a mean baseline, one loop in one file.

trainer: {name: "reinforce:Reinforce", arguments: {learning_rate: 0.01}}
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from reward_receipts.experiments import Policy, Task


class Reinforce:
    """Arguments: ``learning_rate``, ``discount`` and ``hidden``, the units of the hidden layer."""

    def versions(self) -> Mapping[str, str]:
        return {"torch": version("torch")}

    def train(self, task: Task) -> Policy:
        settings = {"learning_rate": 0.01, "discount": 0.99, "hidden": 32, **task.arguments}
        if unknown := settings.keys() - {"learning_rate", "discount", "hidden"}:
            raise ValueError(f"Reinforce does not take {', '.join(sorted(unknown))}")
        torch.manual_seed(task.seed)
        (env,) = task.environments  # this loop has one environment
        size, actions = env.observation_space.shape[0], int(env.action_space.n)
        net = torch.nn.Sequential(
            torch.nn.Linear(size, settings["hidden"]), torch.nn.Tanh(), torch.nn.Linear(settings["hidden"], actions)
        )
        optimizer = torch.optim.Adam(net.parameters(), lr=settings["learning_rate"])
        policy = Greedy(net)
        task.progress(0, policy)
        observation, _ = env.reset(seed=task.seed)
        logs: list[torch.Tensor] = []
        rewards: list[float] = []
        for step in range(1, task.total_steps + 1):
            chosen = torch.distributions.Categorical(logits=net(torch.as_tensor(observation)))
            action = chosen.sample()
            observation, reward, terminated, truncated, _ = env.step(int(action))
            logs.append(chosen.log_prob(action))
            rewards.append(float(reward))
            if terminated or truncated:
                returns, total = [], 0.0
                for each in reversed(rewards):
                    total = each + settings["discount"] * total
                    returns.append(total)
                advantages = torch.tensor(returns[::-1])
                advantages = advantages - advantages.mean()
                optimizer.zero_grad()
                (-(torch.stack(logs) * advantages).sum() / len(logs)).backward()
                optimizer.step()
                logs, rewards = [], []
                task.progress(step, policy)
                observation, _ = env.reset()
        return policy


class Greedy:
    """The most probable action."""

    def __init__(self, net: torch.nn.Module) -> None:
        self._net = net

    def act(self, observation: Any) -> int:
        with torch.no_grad():
            return int(self._net(torch.as_tensor(observation)).argmax())

    def save(self, folder: Path) -> None:
        torch.save(self._net.state_dict(), folder / "policy.pt")

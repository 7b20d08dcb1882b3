"""The report of runs and their pictures; here, since Altair is in this environment."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from reward_receipts.experiments.document import Experiment
from reward_receipts.experiments.harness import run
from reward_receipts.experiments.pictures import charts_of_runs, write_picture
from reward_receipts.experiments.report import write_run_report
from reward_receipts.experiments.summary import RunSummary, summarise_run

MEMBERS: dict[str, Any] = {
    "name": "desk <script>alert(1)</script>",
    "environment": {"class": "reward_receipts.envs.order_desk:OperationsEnv", "kwargs": {"surge_from": 40}},
    "reward": {
        "spec": {
            "name": "desk",
            "components": [{"type": "on_time_delivery", "weight": 1.0}, {"type": "operating_cost", "weight": 0.25}],
        }
    },
    "regimes": {
        "schedule": [{"start": 0, "label": "calm"}, {"start": 400, "label": "surge", "set": {"surge_from": 0}}]
    },
    "trainer": {"name": "random"},
    "total_steps": 800,
    "seeds": [0, 1, 2],
    "outputs": {"window": 80},
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[RunSummary]:
    other = copy.deepcopy(MEMBERS)
    other["reward"]["spec"]["components"][0]["weight"] = 2.0
    found = []
    for members in (MEMBERS, other):
        folder = tmp_path_factory.mktemp("runs") / "run"
        run(Experiment.from_dict(members), folder, say=lambda line: None)
        found.append(summarise_run(folder))
    return found


def test_the_page_has_everything_and_loads_nothing(runs: list[RunSummary], tmp_path: Path) -> None:
    write_run_report(runs, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    own = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert "<script>alert" not in own
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in own
    assert not re.findall(r"(?:src|href)=\"(?!#)", own)
    assert "default-src &#x27;none&#x27;" in own or "default-src 'none'" in own
    for summary in runs:
        assert summary.experiment.digest in own
        assert summary.experiment.spec is not None
        assert summary.experiment.spec.digest in own
    assert "The weight of &quot;on_time_delivery&quot; was 1.0 and is 2.0." in own
    performance = runs[1].visits[1].measures["performance"].value
    assert f"{performance:.4g} [" in own
    assert "no boundary begins the first visit" in own
    again = tmp_path / "again.html"
    write_run_report(runs, again)
    assert again.read_text(encoding="utf-8") == page


def test_charts_have_the_numbers_of_the_summary(runs: list[RunSummary]) -> None:
    spec = charts_of_runs(runs[:1])
    assert [view["title"] for view in spec["vconcat"]] == [
        "Interquartile mean over seeds, with 95 % intervals",
        "Contribution of each term per step",
        "Gap to the ceiling of the spec",
    ]
    text = json.dumps(spec)
    values = [each.value for visit in runs[0].visits for each in visit.curve if each.value is not None]
    assert len(values) == 10
    assert all(json.dumps(value) in text for value in values)
    shaded = [{"regime": "calm", "first": 0, "end": 400}, {"regime": "surge", "first": 400, "end": 800}]
    assert all(json.dumps(each)[1:-1] in text or str(each["end"]) in text for each in shaded)
    assert len(charts_of_runs(runs)["vconcat"]) == 4


@pytest.mark.parametrize(("suffix", "begins"), [(".svg", b"<svg"), (".png", b"\x89PNG")])
def test_pictures(runs: list[RunSummary], tmp_path: Path, suffix: str, begins: bytes) -> None:
    write_picture(runs, tmp_path / f"run{suffix}")
    assert (tmp_path / f"run{suffix}").read_bytes().startswith(begins)


def test_an_output_that_cannot_be_drawn_is_refused(runs: list[RunSummary], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.svg or \.png"):
        write_picture(runs, tmp_path / "run.gif")
    with pytest.raises(ValueError, match="at least one run"):
        write_run_report([], tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []

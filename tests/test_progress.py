"""The bar that shows how far a simulation is."""

from __future__ import annotations

from types import SimpleNamespace

from rulekit.probability.estimate import Estimate
from rulekit.widgets.progress import ProgressBar


def test_a_bar_shows_trials_and_the_estimate_so_far():
    bar = ProgressBar()
    widget = bar._live()
    bar(SimpleNamespace(done=50, trials=200, name="<b>land</b>", estimate=Estimate(4.0, 3.9, 4.1, 50, share=False)))

    assert 'value="50"' in widget.value
    assert "50 of 200 trials; mean &lt;b&gt;land&lt;/b&gt; 4.00 ± 0.10" in widget.value


def test_a_bar_reads_without_a_kernel():
    bundle = ProgressBar()._repr_mimebundle_()

    assert "trials" in bundle["text/plain"]
    assert "trials" in bundle["text/html"]

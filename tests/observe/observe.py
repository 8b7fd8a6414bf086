#!/usr/bin/env python3
"""observe.py --program RONDO [TEST...]: runs HTTP servers, and looks at their metrics, spans and traces.

Each test is a function `test_*` of a module beside this file; without names all are run."""
import sys

sys.path.append(f"{sys.path[0]}/../support")
import metrics  # noqa: E402
import otlp  # noqa: E402
import requests_in_traces as requests  # noqa: E402
from context import Context  # noqa: E402
from harness import cases  # noqa: E402

if __name__ == "__main__":
    tests = cases.collect(metrics, otlp, is_qualified=True)
    tests.update({f"requests.{name}": test for name, test in cases.collect(requests).items()})
    cases.main(__doc__, tests, Context, prefix="observe-")

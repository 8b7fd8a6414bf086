#!/usr/bin/env python3
"""why.py --program RONDO [TEST...]: starts programs, and queries them with `rondo why` and `rondo top`.

Each test is a function `test_*` of a module beside this file; without names all are run. Ends with 77 if the only one that
is required cannot be run here."""
import sys

sys.path.append(f"{sys.path[0]}/../support")
import alive  # noqa: E402
import http_servers  # noqa: E402
import loop  # noqa: E402
import top  # noqa: E402
import trust  # noqa: E402
from context import Context  # noqa: E402
from harness import cases  # noqa: E402

if __name__ == "__main__":
    cases.main(__doc__, cases.collect(alive, trust, top, loop, http_servers), Context, prefix="why")

#!/usr/bin/env python3
"""example.py --program HTTP_HELLO: examples/http_hello.cc answers a client."""
import sys
import urllib.request

sys.path.append(f"{sys.path[0]}/../../support")
from harness import cases, context  # noqa: E402
from harness.checks import check  # noqa: E402


def test_hello(run):
    with run.started("0") as process:
        url = process.stdout.readline().split()[-1]
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(url, timeout=60) as response:
            check(response.read() == b"Hello, world!\n", "another answer")
            check(response.headers["Content-Type"] == "text/plain", str(response.headers))


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), context.Context)

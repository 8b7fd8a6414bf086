#!/usr/bin/env python3
"""modules_test.py RONDO: docs/COMPATIBILITY.md lists exactly the modules that the program has."""
import os
import re
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import programs  # noqa: E402

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/COMPATIBILITY.md")


def main(rondo):
    has = set(programs.run([rondo, "-p", "require('module').builtinModules.join()"]).stdout.strip().split(","))
    with open(PAGE, encoding="utf-8") as file:
        table = file.read().split("## Modules", 1)[1].split("\n## ", 1)[0]
    there, missing = set(), set()
    for row in re.findall(r"^\| (`.*?) \| (.*) \|$", table, re.M):
        (missing if row[1] == "not here" else there).update(re.findall(r"`([\w/:]+)`", row[0]))
    wrong = [f"{name} is there, and the page does not say so" for name in sorted(has - there)]
    wrong += [f"the page says that there is {name}, and there is not" for name in sorted(there - has)]
    wrong += [f"the page says that there is no {name}, and there is" for name in sorted(missing & has)]
    print("\n".join(wrong) or f"{len(has)} modules")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

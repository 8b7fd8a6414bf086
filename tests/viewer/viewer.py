#!/usr/bin/env python3
"""Tests of the page that shows traces, in headless Chromium.

  viewer.py fetch --store DIR                        the browser driver, from npm by lock file
  viewer.py page --store DIR --rondo RONDO [NAME...] all tests of pages.mjs, or some
  viewer.py run --rondo RONDO NAME                   NAME.js under rondo, compared with NAME.out
  viewer.py docs                                     quotations and pictures in docs/LOOP-IN-TEN-MINUTES.md
  viewer.py pictures --store DIR --rondo RONDO DIR   the pictures of the documentation, into DIR

Ends with 77 (skipped), with a message, without Chromium, Node or a registry. CHROMIUM names another browser."""
import os
import re
import shutil
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, files, programs, reference  # noqa: E402
from harness.differences import unified  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
TIMEOUT = 280


def chromium():
    named = os.environ.get("CHROMIUM")
    candidates = [named] if named else ["chromium", "chromium-browser", "google-chrome"]
    return next(filter(None, map(shutil.which, candidates)), None)


def node():
    """A node that is recent enough to drive the browser, or None."""
    found = reference.node()
    if found is None:
        return None
    version = reference.version_of(found)
    return found if version.startswith("v") and int(version[1:].split(".")[0]) >= 20 else None


def fetch(store):
    result = programs.run([os.path.join(ROOT, "tools/fetch_npm"), store, FOLDER], timeout=TIMEOUT)
    if result.returncode != 0:
        return checks.skip("viewer", result.stderr.strip() or "npm packages cannot be had")
    return 0


def with_browser(store, script, *arguments):
    browser, runner = chromium(), node()
    if browser is None:
        return checks.skip("viewer", "there is no Chromium; run: apt-get install chromium")
    if runner is None:
        return checks.skip("viewer", "there is no Node 20 or newer to drive the browser with")
    if fetch(store) != 0:
        return checks.SKIP
    command = [runner, os.path.join(ROOT, script), os.path.abspath(store), browser, *arguments]
    return subprocess.run(command, timeout=TIMEOUT, check=False).returncode


def run(rondo, name):
    result = programs.run([rondo, "--expose-internals", os.path.join(FOLDER, f"{name}.js")])
    wanted = files.read(os.path.join(FOLDER, f"{name}.out"))
    if result.returncode == 0 and result.stdout == wanted:
        return 0
    print(unified(wanted, result.stdout, "wanted", "printed"), end="")
    print(f"{name}.js ended with {result.returncode}\n{result.stderr}")
    return 1


def docs():
    """Quotations are in their source files, and every picture exists."""
    text = files.read(os.path.join(ROOT, "docs/LOOP-IN-TEN-MINUTES.md"))
    failures = []
    quotations = re.findall(r"<!-- from (\S+) -->\n\n```js\n(.*?)```", text, re.S)
    for name, quoted in quotations:
        if quoted not in files.read(os.path.join(ROOT, name)):
            failures.append(f"the quotation from {name} is not in it")
    pictures = re.findall(r"!\[[^]]+\]\((pictures/[\w-]+\.png)\)", text)
    failures += [f"there is no {name}" for name in pictures if not os.path.exists(os.path.join(ROOT, "docs", name))]
    if len(quotations) < 6 or len(pictures) < 10:
        failures.append(f"only {len(quotations)} quotations and {len(pictures)} pictures were found")
    print("\n".join(failures))
    return 1 if failures else 0


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("command", choices=["fetch", "page", "run", "docs", "pictures"])
    parser.add_argument("--store", help="where packages are installed")
    parser.add_argument("--rondo", help="the program")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args(words)
    if options.command == "fetch":
        return fetch(options.store)
    if options.command == "page":
        return with_browser(options.store, "tests/viewer/pages.mjs", programs.absolute(options.rondo), *options.names)
    if options.command == "pictures":
        return with_browser(options.store, "viewer/pictures.mjs", programs.absolute(options.rondo), *options.names)
    if options.command == "docs":
        return docs()
    return run(options.rondo, options.names[0])


if __name__ == "__main__":
    programs.exit_with(main)

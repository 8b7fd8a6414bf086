#!/usr/bin/env python3
"""Tests of the page that shows traces, in headless Chromium.

  viewer.py fetch --store DIR                        what drives the browser, from npm by lock file
  viewer.py page --store DIR --rondo RONDO [NAME...] all tests of pages.mjs, or some
  viewer.py run --rondo RONDO NAME                   NAME.js under rondo, compared with NAME.out
  viewer.py docs                                     what docs/LOOP-IN-TEN-MINUTES.md quotes and shows
  viewer.py pictures --store DIR --rondo RONDO DIR   the pictures of the documentation, into DIR

Ends with 77 (skipped), and says why, where there is no Chromium, no Node or no registry. CHROMIUM names another browser."""
import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import reference  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
SKIPPED = 77
TIMEOUT = 280


def skip(why):
    print(f"viewer: Skipped\n{why}")
    return SKIPPED


def chromium():
    named = os.environ.get("CHROMIUM")
    candidates = [named] if named else ["chromium", "chromium-browser", "google-chrome"]
    return next(filter(None, map(shutil.which, candidates)), None)


def node():
    """A node that is recent enough for what drives the browser, or None."""
    found = reference.node()
    if found is None:
        return None
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    return found if version.startswith("v") and int(version[1:].split(".")[0]) >= 20 else None


def fetch(store):
    result = subprocess.run([os.path.join(ROOT, "tools/fetch_npm"), store, FOLDER], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return skip(result.stderr.strip() or "npm packages cannot be had")
    return 0


def with_browser(store, script, *arguments):
    browser, runner = chromium(), node()
    if browser is None:
        return skip("there is no Chromium; run: apt-get install chromium")
    if runner is None:
        return skip("there is no Node 20 or newer to drive the browser with")
    if fetch(store) != 0:
        return SKIPPED
    command = [runner, os.path.join(ROOT, script), os.path.abspath(store), browser, *arguments]
    return subprocess.run(command, timeout=TIMEOUT, check=False).returncode


def run(rondo, name):
    result = subprocess.run([rondo, "--expose-internals", os.path.join(FOLDER, f"{name}.js")], capture_output=True,
                            text=True, timeout=60, check=False)
    with open(os.path.join(FOLDER, f"{name}.out"), encoding="utf-8") as file:
        wanted = file.read()
    if result.returncode == 0 and result.stdout == wanted:
        return 0
    sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), result.stdout.splitlines(True), "wanted", "printed"))
    print(f"{name}.js ended with {result.returncode}\n{result.stderr}")
    return 1


def docs():
    """Quotations are in the files that they are from, and every picture is there."""
    with open(os.path.join(ROOT, "docs/LOOP-IN-TEN-MINUTES.md"), encoding="utf-8") as file:
        text = file.read()
    failures = []
    quotations = re.findall(r"<!-- from (\S+) -->\n\n```js\n(.*?)```", text, re.S)
    for name, quoted in quotations:
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            if quoted not in file.read():
                failures.append(f"the quotation from {name} is not in it")
    pictures = re.findall(r"!\[[^]]+\]\((pictures/[\w-]+\.png)\)", text)
    failures += [f"there is no {name}" for name in pictures if not os.path.exists(os.path.join(ROOT, "docs", name))]
    if len(quotations) < 6 or len(pictures) < 10:
        failures.append(f"only {len(quotations)} quotations and {len(pictures)} pictures were found")
    print("\n".join(failures))
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["fetch", "page", "run", "docs", "pictures"])
    parser.add_argument("--store", help="where packages are installed")
    parser.add_argument("--rondo", help="the program")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    if options.command == "fetch":
        return fetch(options.store)
    if options.command == "page":
        return with_browser(options.store, "tests/viewer/pages.mjs", os.path.abspath(options.rondo), *options.names)
    if options.command == "pictures":
        return with_browser(options.store, "viewer/pictures.mjs", os.path.abspath(options.rondo), *options.names)
    if options.command == "docs":
        return docs()
    return run(options.rondo, options.names[0])


if __name__ == "__main__":
    sys.exit(main())

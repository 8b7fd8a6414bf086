#!/usr/bin/env python3
"""links_test.py: checks that every link of the documentation inside the tree leads to an existing file and heading, and
that every `./dev COMMAND` and every path in `code` exists."""
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = {"build", "node_modules", ".git"}
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", re.MULTILINE)
# A path in code: begins with a folder of the tree, and has no placeholder.
PATH = re.compile(r"`((?:src|lib|tests|tools|cmake|docs|bench|fuzz|examples|include|viewer)/[\w./-]+)`")
COMMAND = re.compile(r"\./dev ([a-z]+)")


def pages():
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def anchor_of(heading):
    """As the usual viewers make it: without marks, in lower case, dashes for spaces."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Links(unittest.TestCase):
    def check(self, problems):
        self.assertEqual(sorted(set(problems)), [], "\n" + "\n".join(sorted(set(problems))))

    def test_links_have_targets(self):
        problems = []
        for page in pages():
            for link in LINK.findall(FENCE.sub("", read(page))):
                if re.match(r"[a-z]+:", link):
                    continue
                path, _, anchor = link.partition("#")
                target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                where = f"{os.path.relpath(page, ROOT)}: {link}"
                if not os.path.exists(target):
                    problems.append(f"{where} is not there")
                elif anchor and anchor not in map(anchor_of, HEADING.findall(FENCE.sub("", read(target)))):
                    problems.append(f"{where}: there is no such heading")
        self.check(problems)

    def test_paths_exist(self):
        problems = []
        for page in pages():
            if os.sep + "adr" + os.sep in page:
                continue  # Records describe the state of their time.
            for path in PATH.findall(FENCE.sub("", read(page))):
                if "NAME" in path or "ID-" in path:
                    continue
                full = os.path.join(ROOT, path)
                # A module is named without its extension, and the two files of a class by their common name.
                if not any(os.path.exists(full + ending) for ending in ("", ".js", ".cc", ".h", ".py")):
                    problems.append(f"{os.path.relpath(page, ROOT)}: {path} is not there")
        self.check(problems)

    def test_commands_of_dev_exist(self):
        known = subprocess.run([os.path.join(ROOT, "dev"), "help"], capture_output=True, text=True, check=True).stdout
        names = set(re.findall(r"^  ([a-z]+)", known, re.MULTILINE))
        problems = [f"{os.path.relpath(page, ROOT)}: ./dev {name}" for page in pages() for name in COMMAND.findall(read(page))
                    if name not in names]
        self.check(problems)


if __name__ == "__main__":
    unittest.main()

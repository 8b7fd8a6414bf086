"""tools/dev_lint_js, with an ESLint that complains about the word BAD and replaces UGLY; and the rules of tools/eslint."""
import os
import subprocess
import unittest
import unittest.mock

from scratch import ROOT, ScratchTest, call, load

# Stands for build/release/rondo: [--no-warnings] run.mjs CONFIGURATION [--fix].
RUNTIME = """#!/usr/bin/env python3
import json, os, sys
arguments = sys.argv[1:]
fixes = "--fix" in arguments
reports, fixed = {}, []
for name in sys.stdin.read().split("\\n"):
    with open(os.environ["FAKE"] + "/linted", "a") as log:
        print(name, file=log)
    with open(name) as file:
        text = file.read()
    if "BAD" in text:
        reports[name] = [[1, 1, "bad", "no-bad"]]
    if "UGLY" in text and "format" in arguments[2]:
        if fixes:
            fixed.append(name)
            with open(name, "w") as file:
                file.write(text.replace("UGLY", "nice"))
        else:
            reports[name] = [[1, 1, "ugly", "@stylistic/ugly"]]
print(json.dumps({"reports": reports, "fixed": fixed}))
"""


class LintJs(ScratchTest):
    def setUp(self):
        super().setUp()
        os.makedirs(os.path.join(self.tree, "build/release"))
        self.program(os.path.join(self.tree, "build/release/rondo"), RUNTIME)
        self.program(os.path.join(self.tree, "tools/fetch_npm"), '#!/bin/sh\necho "$*" >>"$FAKE/fetched"\n')
        self.write("tools/eslint/lint.config.mjs", "")
        self.write("lib/internal/per_context/primordials.js", "")
        self.write("lib/a.js", "const b = require('internal/b');\n")
        self.write("lib/internal/b.js", "")
        self.write("tests/golden/c.js", "")
        self.write("tests/golden/fixtures/d.js", "BAD\n")
        self.write("examples/node_modules/e.js", "BAD\n")

    def run_task(self, *arguments):
        """Returns the status, what was printed, and the files that ESLint looked at."""
        log = os.path.join(self.fake, "linted")
        if os.path.exists(log):
            os.remove(log)
        module = load(os.path.join(self.tree, "tools/dev_lint_js"))  # This copy looks at this tree.
        with unittest.mock.patch.dict(os.environ, self.environment):
            done = call(module, *arguments)
        return done.returncode, done.stdout, [os.path.basename(name) for name in sorted(self.log("linted"))]

    def test_passed_files_are_not_checked_again(self):
        status, output, looked_at = self.run_task("lint")
        self.assertEqual((status, output), (0, "lint: 5 JavaScript files, 5 looked at, 0 with reports\n"))
        self.assertEqual(looked_at, ["a.js", "b.js", "primordials.js", "c.js", "lint.config.mjs"])
        self.assertEqual(self.log("fetched"), ["build/third_party/eslint tools/eslint"])
        self.assertEqual(self.run_task("lint"), (0, "lint: 5 JavaScript files, 0 looked at, 0 with reports\n", []))
        self.assertEqual(len(self.log("fetched")), 1)

    def test_a_change_causes_a_check_of_files_that_require_the_file(self):
        self.run_task("lint")
        self.write("lib/internal/b.js", "exports.b = 1;\n")
        self.assertEqual(self.run_task("lint")[2], ["a.js", "b.js"])
        self.write("lib/a.js", "")
        self.assertEqual(self.run_task("lint")[2], ["a.js"])

    def test_new_rules_and_new_files_of_lib_cause_a_check_of_all_files(self):
        self.run_task("lint")
        self.write("tools/eslint/lint.config.mjs", "// New.\n")
        self.assertEqual(len(self.run_task("lint")[2]), 5)
        self.write("lib/new.js", "")
        self.assertEqual(len(self.run_task("lint")[2]), 6)

    def test_failed_files_are_reported_until_they_pass(self):
        self.write("lib/a.js", "BAD\n")
        for _ in range(2):
            status, output, looked_at = self.run_task("lint")
            self.assertEqual(status, 1)
            self.assertIn("lib/a.js:1:1: error: bad [no-bad]\n", output)
            self.assertIn("a.js", looked_at)
        self.write("lib/a.js", "")
        self.assertEqual(self.run_task("lint")[0], 0)

    def test_golden_programs_are_not_formatted(self):
        self.write("lib/a.js", "UGLY\n")
        self.write("tests/golden/c.js", "UGLY\n")
        status, output, _ = self.run_task("check")
        self.assertEqual((status, output.count("error: ugly")), (1, 1))
        self.assertEqual(self.run_task("format")[0], 0)
        self.assertEqual(self.run_task("check")[2], ["a.js"])  # As it is now.
        self.assertEqual(self.run_task("check")[2], [])
        with open(os.path.join(self.tree, "tests/golden/c.js"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "UGLY\n")

    def test_files_and_folders_can_be_named(self):
        lib = os.path.join(self.tree, "lib/internal")
        self.assertEqual(self.run_task("lint", "--jobs", "2", lib)[2], ["b.js", "primordials.js"])
        self.assertEqual(self.run_task("lint", os.path.join(self.tree, "lib/a.js"))[2], ["a.js"])

    def test_changed_files_since_main(self):
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *arguments], cwd=self.tree, check=True,
                           capture_output=True)
        self.write(".gitignore", "build\n")
        git("init", "-b", "main")
        git("add", ".")
        git("commit", "-m", "first")
        git("checkout", "-b", "side")
        self.assertEqual(self.run_task("lint", "--changed")[2], [])
        self.write("lib/a.js", "exports.a = 1;\n")
        self.assertEqual(self.run_task("lint", "--changed")[2], ["a.js"])

    def test_a_failing_eslint_is_an_error(self):
        self.program(os.path.join(self.tree, "build/release/rondo"), "#!/bin/sh\necho broken >&2\nexit 7\n")
        with self.assertRaisesRegex(SystemExit, "ESLint ended with 7 under build/release/rondo:\nbroken"):
            self.run_task("lint")

    def test_dev_lints_only_javascript_if_only_javascript_is_named(self):
        done = self.dev("lint", "tree/lib/a.js")
        self.assertEqual(done.stdout, "lint: 1 JavaScript files, 1 looked at, 0 with reports\n", done.stderr)
        self.write("lib/a.js", "BAD\n")
        self.assertEqual(self.dev("lint", "tree/lib").returncode, 1)

    def test_dev_fmt_rewrites_and_its_check_fails(self):
        self.program(os.path.join(self.bin, "clang-format-14"), "#!/bin/sh\n")
        self.write("lib/a.js", "UGLY\n")
        done = self.dev("fmt", "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("lib/a.js:1:1: error: ugly", done.stdout)
        self.assertIn("rondo: run ./dev fmt\n", done.stderr)
        self.assertEqual(self.dev("fmt").returncode, 0)
        self.assertEqual(self.dev("fmt", "--check").returncode, 0)


class Rules(unittest.TestCase):
    def test_rules_of_the_plugin(self):
        fetched = subprocess.run(["tools/fetch_npm", "build/third_party/eslint", "tools/eslint"], cwd=ROOT,
                                 capture_output=True, text=True)
        if fetched.returncode != 0:
            self.skipTest(fetched.stderr.strip())
        runtime = load(os.path.join(ROOT, "tools/dev_lint_js")).runtime()
        done = subprocess.run([*runtime, "tools/eslint/rules/rules.test.mjs"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.stdout, "all rules passed\n", done.stderr)


if __name__ == "__main__":
    unittest.main()

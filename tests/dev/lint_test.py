"""tools/dev_lint, with a clang-tidy that complains about the word BAD wherever it is included."""
import json
import os
import shutil
import unittest
import unittest.mock

from scratch import ScratchTest, call, load

CLANG_TIDY = """#!/bin/bash
file=${@: -1}
echo "${file##*/}" >>"$FAKE/linted"
status=0
for part in "$file" "${file%/*}/common.h"; do
  if grep -q BAD "$part"; then
    echo "$part:1:1: error: bad [bugprone-bad]"
    status=1
  fi
done
exit $status
"""


@unittest.skipUnless(shutil.which("c++"), "there is no compiler to list includes with")
class Lint(ScratchTest):
    def setUp(self):
        super().setUp()
        self.program(os.path.join(self.bin, "clang-tidy-16"), CLANG_TIDY)
        self.write(".clang-tidy", "Checks: '*'\n")
        self.write("src/common.h", "\n")
        self.write("src/a.cc", '#include "common.h"\n')
        self.write("src/b.cc", '#include "common.h"\n')
        self.commands()

    def commands(self, flags=""):
        entries = [{"directory": os.path.join(self.tree, "build/clang"), "file": path,
                    "command": f"c++ {flags} -o x.o -c {path}"}
                   for path in (os.path.join(self.tree, "src", name) for name in ("a.cc", "b.cc"))]
        self.write("build/clang/compile_commands.json", json.dumps(entries))

    def lint(self, *files):
        """Returns the status, what was printed, and which files clang-tidy looked at."""
        log = os.path.join(self.fake, "linted")
        if os.path.exists(log):
            os.remove(log)
        dev_lint = load(os.path.join(self.tree, "tools/dev_lint"))  # This copy looks at this tree.
        with unittest.mock.patch.dict(os.environ, self.environment):
            done = call(dev_lint, *(os.path.join(self.tree, file) for file in files))
        return done.returncode, done.stdout + done.stderr, sorted(self.log("linted"))

    def test_what_passed_is_not_looked_at_again(self):
        self.assertEqual(self.lint(), (0, "lint: 2 files, 2 looked at, 0 with reports\n", ["a.cc", "b.cc"]))
        self.assertEqual(self.lint(), (0, "lint: 2 files, 0 looked at, 0 with reports\n", []))

    def test_a_changed_source_is_looked_at_alone(self):
        self.lint()
        self.write("src/a.cc", '#include "common.h"\nint a;\n')
        self.assertEqual(self.lint()[2], ["a.cc"])

    def test_a_changed_header_command_or_configuration_counts(self):
        self.lint()
        self.write("src/common.h", "int c;\n")
        self.assertEqual(self.lint()[2], ["a.cc", "b.cc"])
        self.commands("-DX")
        self.assertEqual(self.lint()[2], ["a.cc", "b.cc"])
        self.write(".clang-tidy", "Checks: '-*'\n")
        self.assertEqual(self.lint()[2], ["a.cc", "b.cc"])

    def test_what_did_not_pass_is_looked_at_until_it_does(self):
        self.write("src/a.cc", "// BAD\n")
        for _ in range(2):
            status, output, _ = self.lint()
            self.assertEqual(status, 1)
            self.assertIn("src/a.cc:1:1: error: bad", output)
        self.write("src/a.cc", "// good\n")
        self.assertEqual(self.lint()[0], 0)

    def test_a_report_in_a_shared_header_is_printed_once(self):
        self.write("src/common.h", "// BAD\n")
        status, output, looked_at = self.lint()
        self.assertEqual(status, 1)
        self.assertEqual(output.count("src/common.h:1:1: error: bad"), 1)
        self.assertEqual(looked_at, ["a.cc", "b.cc"])

    def test_files_can_be_named_and_a_stranger_is_refused(self):
        self.assertEqual(self.lint("src/b.cc")[2], ["b.cc"])
        status, output, _ = self.lint("src/common.h")
        self.assertEqual(status, 1)
        self.assertIn("no preset of clang, release builds", output)


if __name__ == "__main__":
    unittest.main()

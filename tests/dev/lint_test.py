"""tools/dev_lint, with a clang-tidy that complains about the word BAD wherever it is included."""
import json
import os
import shutil
import subprocess
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
        self.program(os.path.join(self.bin, "clang++-16"), '#!/bin/sh\nexec c++ "$@"\n')
        self.write(".clang-tidy", "Checks: '*'\n")
        self.write("src/common.h", "\n")
        self.write("src/a.cc", '#include "common.h"\n')
        self.write("src/b.cc", '#include "common.h"\n')
        self.commands()

    def commands(self, flags=""):
        entries = [{"directory": os.path.join(self.tree, "build/clang"), "file": path,
                    "command": f"/usr/bin/ccache c++ {flags} -o x.o -c {path}"}
                   for path in (os.path.join(self.tree, "src", name) for name in ("a.cc", "b.cc"))]
        self.write("build/clang/compile_commands.json", json.dumps(entries))

    def lint(self, *files):
        """Returns the status, the output, and the files that clang-tidy checked."""
        log = os.path.join(self.fake, "linted")
        if os.path.exists(log):
            os.remove(log)
        dev_lint = load(os.path.join(self.tree, "tools/dev_lint"))  # This copy checks this tree.
        with unittest.mock.patch.dict(os.environ, self.environment):
            done = call(dev_lint, *(file if file.startswith("-") else os.path.join(self.tree, file) for file in files))
        return done.returncode, done.stdout + done.stderr, sorted(self.log("linted"))

    def test_passed_files_are_not_checked_again(self):
        self.assertEqual(self.lint(), (0, "lint: 3 files, 3 looked at, 0 with reports\n", ["a.cc", "b.cc"]))
        self.assertEqual(self.lint(), (0, "lint: 3 files, 0 looked at, 0 with reports\n", []))

    def test_only_a_changed_source_is_checked(self):
        self.lint()
        self.write("src/a.cc", '#include "common.h"\nint a;\n')
        self.assertEqual(self.lint()[2], ["a.cc"])

    def test_a_changed_header_command_or_configuration_causes_a_new_check(self):
        self.lint()
        self.write("src/common.h", "int c;\n")
        self.assertEqual(self.lint()[2], ["a.cc", "b.cc"])
        self.commands("-DX")
        self.assertEqual(self.lint()[2], ["a.cc", "b.cc"])
        self.write(".clang-tidy", "Checks: '-*'\n")
        self.assertEqual(self.lint()[2], ["a.cc", "b.cc"])

    def test_failed_files_are_checked_until_they_pass(self):
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

    def test_files_and_folders_can_be_named_and_unknown_files_are_refused(self):
        self.assertEqual(self.lint("src/b.cc")[2], ["b.cc"])
        self.assertEqual(self.lint("src")[2], ["a.cc"])  # b.cc is recorded by now.
        status, output, _ = self.lint("src/none.cc")
        self.assertEqual(status, 1)
        self.assertIn("no preset of clang, release builds", output)

    def test_a_header_must_compile_on_its_own(self):
        self.write("src/common.h", "inline size_t needs_an_include() { return 0; }\n")
        self.write("src/a.cc", '#include <cstddef>\n#include "common.h"\n')
        self.write("src/b.cc", "")
        status, output, _ = self.lint()
        self.assertEqual(status, 1)
        self.assertIn("src/common.h:1:", output)
        self.assertIn("3 files, 3 looked at, 1 with reports", output)

    def test_precompiled_headers_are_not_used(self):
        self.commands("-Winvalid-pch -include /somewhere/CMakeFiles/x.dir/cmake_pch.hxx")
        self.assertEqual(self.lint()[0], 0)
        with open(os.path.join(self.tree, "build/lint/compile_commands.json"), encoding="utf-8") as file:
            for entry in json.load(file):
                self.assertNotIn("pch", entry["command"])
                self.assertTrue(entry["command"].startswith("clang++-16 "), entry["command"])

    def test_changed_files_since_main_and_files_that_include_them(self):
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *arguments], cwd=self.tree, check=True,
                           capture_output=True)
        self.write("src/b.cc", "")
        self.write(".gitignore", "build\n")
        git("init", "-b", "main")
        git("add", ".")
        git("commit", "-m", "first")
        git("checkout", "-b", "side")
        self.assertEqual(self.lint("--changed")[1], "lint: 0 files, 0 looked at, 0 with reports\n")
        self.write("src/common.h", "int c;\n")
        self.assertEqual(self.lint("--changed")[2], ["a.cc"])
        git("commit", "-am", "second")
        self.write("src/b.cc", "int b;\n")
        self.assertEqual(self.lint("--changed")[2], ["b.cc"])


if __name__ == "__main__":
    unittest.main()

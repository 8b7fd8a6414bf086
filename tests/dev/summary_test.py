"""The output of tools/dev_summary for ctest's results."""
import os
import tempfile
import unittest

from scratch import ROOT, call, load

dev_summary = load(os.path.join(ROOT, "tools", "dev_summary"))
PASSED = '<testcase name="good" status="run"/>'
FAILED = '<testcase name="bad" status="fail"><failure message="Failed"/></testcase>'
TIMED_OUT = '<testcase name="slow" status="fail"><failure message="Timeout"/></testcase>'
SKIPPED = ('<testcase name="choosy" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
           "<system-out>a_test.cc:3: Skipped\nthe kernel refuses\n[  SKIPPED ] choosy</system-out></testcase>")
NOT_BUILT = ('<testcase name="lost" status="notrun"><skipped message="Unable to find executable"/>'
             "</testcase>")
FAILED_THEN_SKIPPED = SKIPPED.replace("[  SKIPPED ]", "[  FAILED  ]")


class SummaryTest(unittest.TestCase):
    def summarize(self, *arguments, **results):
        with tempfile.TemporaryDirectory() as folder:
            for preset, cases in results.items():
                path = os.path.join(folder, preset)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"<testsuite>{cases}</testsuite>")
                arguments += (f"{preset}:{8 if 'fail' in cases else 0}:{path}",)
            return call(dev_summary, *arguments)

    def test_counts_over_all_presets(self):
        done = self.summarize(asan=PASSED, tsan=PASSED + PASSED)
        self.assertEqual(done.stdout.splitlines()[-1], "3 passed, 0 failed")
        self.assertEqual(done.returncode, 0)

    def test_a_failure_is_named_and_fails(self):
        done = self.summarize(asan=PASSED + FAILED + TIMED_OUT, tsan=PASSED)
        self.assertIn("failed: asan: bad\nfailed: asan: slow (Timeout)\n2 passed, 2 failed\n", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_the_ends_of_failures_are_shown(self):
        output = "".join(f"line {i}\n" for i in range(30))
        loud = FAILED.replace("</testcase>", f"<system-out>{output}</system-out></testcase>")
        done = self.summarize(asan=loud + loud.replace('"bad"', '"worse"'))
        self.assertIn("the end of bad in asan:\n  | line 10\n", done.stdout)
        self.assertIn("  | line 29\nthe end of worse in asan:\n", done.stdout)
        self.assertNotIn("line 9\n", done.stdout)
        self.assertIn("  | line 29\nfailed: asan: bad\n", done.stdout)

    def test_skipped_tests_are_named_once_with_the_reason_and_counted_each(self):
        done = self.summarize(asan=PASSED + SKIPPED, tsan=SKIPPED)
        self.assertIn("skipped: choosy in asan, tsan: the kernel refuses\n1 passed, 0 failed, 2 skipped\n",
                      done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_a_test_whose_program_is_missing_has_failed(self):
        done = self.summarize(asan=NOT_BUILT)
        self.assertIn("0 passed, 1 failed\n", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_a_skip_does_not_hide_a_failure(self):
        self.assertEqual(self.summarize(asan=FAILED_THEN_SKIPPED).returncode, 1)

    def test_a_build_that_failed_counts_as_a_failure(self):
        done = self.summarize("tsan:build failed", asan=PASSED)
        self.assertIn("failed: tsan: build failed\n1 passed, 1 failed\n", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_ctest_ending_badly_without_a_failed_test_is_a_failure(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(f"<testsuite>{PASSED}</testsuite>")
            file.flush()
            done = self.summarize(f"asan:139:{file.name}")
        self.assertIn("failed: asan: ctest (ended with 139)\n1 passed, 1 failed\n", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_results_that_are_missing_or_truncated_are_a_failure(self):
        self.assertEqual(self.summarize("asan:0:/nonexistent").returncode, 1)
        self.assertEqual(self.summarize(asan="<torn").returncode, 1)

    def test_nothing_run_is_an_error_that_names_the_pattern(self):
        done = self.summarize("--pattern", "nonesuch", asan="", tsan="")
        self.assertEqual(done.stderr, "rondo: no test matches 'nonesuch'\n")
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 0 failed")
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()

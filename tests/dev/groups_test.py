"""tools/dev_groups with a program that behaves like GoogleTest."""
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

GROUPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/dev_groups")
# Each start adds a line to the file `starts`. The name of a test says what it does.
PROGRAM = """#!/usr/bin/env python3
import os, signal, sys, time
names = sys.argv[1].partition("=")[2].split(":")
with open("starts", "a") as file:
    file.write(" ".join(names) + "\\n")
status = 0
for name in names:
    print(f"[ RUN      ] {name}", flush=True)
    print(f"in {name} with {os.environ.get('SETTING')}", end="" if "Unended" in name else "\\n", flush=True)
    if "Crashes" in name:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "Exits" in name:
        os._exit(0)
    if "Hangs" in name:
        time.sleep(1000)
    if "Leaks" in name or ("Disturbs" in name and len(names) > 1):
        status = 23
    if "Fails" in name:
        status = 1
    end = "  FAILED  " if "Fails" in name else "  SKIPPED " if "Skips" in name else "      OK "
    print(f"[{end}] {name} (0 ms)", flush=True)
for name in names:
    if "Fails" in name:
        print(f"[  FAILED  ] {name}")
sys.exit(status)
"""


class Groups(unittest.TestCase):
    def run_groups(self, *names, more=""):
        """Returns the exit code, and the results: name to (status, message, output)."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            os.chmod(program, 0o755)
            with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
                for name in names:
                    file.write(f'add_test("x.{name}" "{program}" "--gtest_filter={name}")\n')
                    seconds = 1 if "Hangs" in name else 100
                    file.write(f'set_tests_properties("x.{name}" PROPERTIES LABELS grouped TIMEOUT {seconds} '
                               f'WORKING_DIRECTORY "{folder}" ENVIRONMENT "SETTING=of the test" {more})\n')
                file.write(f'add_test(other "{program}" "--gtest_filter=Other.Fails")\n')
            path = os.path.join(folder, "groups.xml")
            done = subprocess.run([sys.executable, "-B", GROUPS, "--output", path, folder], capture_output=True, text=True)
            self.printed = done.stdout + done.stderr
            try:
                with open(os.path.join(folder, "starts"), encoding="utf-8") as file:
                    self.starts = file.read().splitlines()
            except OSError:
                self.starts = []
            results = {}
            for case in ElementTree.parse(path).getroot().iter("testcase"):
                failure = case.find("failure")
                results[case.get("name")] = (case.get("status"), failure.get("message") if failure is not None else "",
                                             case.findtext("system-out") or "")
            return done.returncode, results

    def test_a_suite_is_one_process_and_each_test_one_result(self):
        status, results = self.run_groups("A.First", "A.Second", "B.First")
        self.assertEqual(status, 0, self.printed)
        self.assertEqual({name: result[0] for name, result in results.items()},
                         {"x.A.First": "run", "x.A.Second": "run", "x.B.First": "run"})
        self.assertEqual(sorted(self.starts), ["A.First A.Second", "B.First"])

    def test_a_failure_has_its_own_output_and_the_environment_of_its_test(self):
        status, results = self.run_groups("A.First", "A.Fails", "A.Last")
        self.assertEqual(status, 1)
        self.assertEqual([results[f"x.A.{name}"][0] for name in ("First", "Fails", "Last")], ["run", "fail", "run"])
        self.assertIn("in A.Fails with of the test", results["x.A.Fails"][2])
        self.assertNotIn("A.First", results["x.A.Fails"][2])
        self.assertIn("in A.Fails", self.printed)

    def test_a_skipped_test_is_not_a_failure(self):
        status, results = self.run_groups("A.Skips", "A.Last")
        self.assertEqual((status, results["x.A.Skips"][0]), (0, "notrun"))

    def test_an_end_mark_may_follow_text_without_a_line_end(self):
        status, results = self.run_groups("A.Unended", "A.Last")
        self.assertEqual((status, results["x.A.Unended"][0]), (0, "run"))

    def test_the_tests_after_a_crash_still_run(self):
        status, results = self.run_groups("A.First", "A.Crashes", "A.Exits", "A.Last")
        self.assertEqual(status, 1)
        self.assertEqual([results[f"x.A.{name}"][:2] for name in ("First", "Crashes", "Exits", "Last")],
                         [("run", ""), ("fail", "SIGSEGV"), ("fail", "the process ended with 0"), ("run", "")])
        self.assertEqual(self.starts, ["A.First A.Crashes A.Exits A.Last", "A.Exits A.Last", "A.Last"])

    def test_a_test_that_hangs_is_killed(self):
        status, results = self.run_groups("A.Hangs", "A.Last")
        self.assertEqual(status, 1)
        self.assertEqual(results["x.A.Hangs"][:2], ("fail", "Timeout after 1 s"))
        self.assertEqual(results["x.A.Last"][0], "run")

    def test_a_failure_at_the_end_is_attributed_to_its_test(self):
        status, results = self.run_groups("A.First", "A.Leaks", "A.Last")
        self.assertEqual(status, 1)
        self.assertEqual([results[f"x.A.{name}"][0] for name in ("First", "Leaks", "Last")], ["run", "fail", "run"])
        self.assertIn("ended with 23", results["x.A.Leaks"][1])

    def test_a_failure_at_the_end_that_no_test_has_alone_is_a_failure(self):
        status, results = self.run_groups("A.Disturbs", "A.Last")
        self.assertEqual(status, 1)
        self.assertEqual(sum(result[0] == "fail" for result in results.values()), 1)

    def test_a_disabled_test_does_not_run(self):
        status, results = self.run_groups("A.Fails", more="DISABLED TRUE")
        self.assertEqual((status, results["x.A.Fails"][0], self.starts), (0, "disabled", []))


if __name__ == "__main__":
    unittest.main()

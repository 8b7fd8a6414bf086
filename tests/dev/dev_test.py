"""The commands of ./dev, in a scratch tree."""
import os
import re
import subprocess
import sys
import unittest

sys.path.append(f"{sys.path[0]}/../support")
from harness.terminal import Terminal  # noqa: E402
from scratch import EVERYTHING, ScratchTest  # noqa: E402

TESTS = """
add_test(NAME good COMMAND true)
add_test(NAME loop.TIM_08_Cleared COMMAND true)
add_test(NAME golden.TIM-08-cleared COMMAND true)
"""
PROGRAM = """#!/bin/sh
echo "in $PWD with $# arguments: $*"
exit 7
"""

COMMANDS = "run test golden build package check fmt lint tidy bench fuzz soak pictures clean".split()


class Commands(ScratchTest):
    def test_a_mistyped_command_gets_a_suggestion_and_ends_with_2(self):
        for typed, meant in (("tset", "test"), ("biuld", "build"), ("lnit", "lint"), ("chec", "check")):
            done = self.dev(typed)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"no command '{typed}'; did you mean '{meant}'?", done.stderr)

    def test_an_unrelated_command_gets_no_suggestion(self):
        done = self.dev("xylophone")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("did you mean", done.stderr)

    def test_help_names_every_command(self):
        for arguments in ((), ("help",), ("--help",), ("-h",)):
            done = self.dev(*arguments)
            self.assertEqual(done.returncode, 0)
            for command in (*COMMANDS, "help"):
                self.assertIn(f"\n  {command} ", done.stdout)

    def test_every_command_has_help_and_runs_nothing(self):
        for command in COMMANDS:
            done = self.dev(command, "--help")
            self.assertEqual(done.returncode, 0, command)
            self.assertTrue(done.stdout.startswith("usage: ./dev COMMAND"), command)
        self.assertFalse(os.path.exists(os.path.join(self.tree, "build")))

    def test_unknown_options_end_with_2(self):
        for arguments in (("test", "--fast"), ("fmt", "--all"), ("clean", "-x"), ("build", "a", "b"),
                          ("run",), ("check", "now"), ("package", "deb"), ("golden", "--all"), ("lint", "--shallow")):
            self.assertEqual(self.dev(*arguments).returncode, 2, arguments)

    def test_a_bad_preset_lists_the_good_ones(self):
        done = self.dev("build", "relase")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no preset 'relase'; there are: release asan tsan fuzz", done.stderr)

    def test_works_through_a_link_and_without_a_home(self):
        link = os.path.join(self.top, "link")
        os.symlink(os.path.join(self.tree, "dev"), link)
        del self.environment["HOME"]
        done = subprocess.run([link, "build"], env=self.environment, cwd="/", capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(os.path.exists(os.path.join(self.tree, "build/release/build.ninja")))

    def test_clean_keeps_downloads_unless_all(self):
        self.write("build/third_party/v8", "")
        self.write("build/release/x", "")
        self.assertEqual(self.dev("clean").returncode, 0)
        self.assertEqual(os.listdir(os.path.join(self.tree, "build")), ["third_party"])
        self.assertEqual(self.dev("clean", "--all").returncode, 0)
        self.assertFalse(os.path.exists(os.path.join(self.tree, "build")))
        self.assertEqual(self.dev("clean").returncode, 0)


class Test(ScratchTest):
    def test_runs_three_presets_and_ends_with_the_sum(self):
        self.project(TESTS)
        done = self.dev("test")
        self.assertEqual(done.stdout.splitlines()[-1], "9 passed, 0 failed")
        self.assertEqual(re.findall("^== (.*)$", done.stdout, re.M), ["asan", "tsan", "release"])
        self.assertEqual(done.returncode, 0)

    def test_a_second_run_does_not_configure_again(self):
        self.project(TESTS)
        self.dev("test")
        done = self.dev("test")
        self.assertNotIn("Configuring", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "9 passed, 0 failed")

    def test_a_new_cmake_file_is_noticed(self):
        self.project("if(EXISTS ${PROJECT_SOURCE_DIR}/more/CMakeLists.txt)\nadd_subdirectory(more)\nendif()\n"
                     + TESTS)
        self.dev("test", "good")
        self.write("more/CMakeLists.txt", "add_test(NAME more COMMAND true)\n")
        self.assertEqual(self.dev("test", "more").stdout.splitlines()[-1], "3 passed, 0 failed")

    def test_a_failure_in_one_preset_does_not_hide_those_of_the_next(self):
        self.project(TESTS + "add_test(NAME bad COMMAND false)\n")
        done = self.dev("test")
        self.assertEqual(done.stdout.splitlines()[-1], "9 passed, 3 failed")
        for preset in ("asan", "tsan", "release"):
            self.assertIn(f"failed: {preset}: bad\n", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_a_preset_that_does_not_build_counts_as_failed_and_the_others_run(self):
        self.project(TESTS + """
            if(PROJECT_BINARY_DIR MATCHES "/asan$")
              message(FATAL_ERROR "no")
            elseif(PROJECT_BINARY_DIR MATCHES "/tsan$")
              add_custom_target(broken ALL COMMAND false)
            endif()""")
        done = self.dev("test")
        self.assertIn("failed: asan: build failed\nfailed: tsan: build failed\n3 passed, 2 failed\n",
                      done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_patterns_choose_tests_and_an_id_matches_both_spellings(self):
        self.project(TESTS)
        self.assertEqual(self.dev("test", "good").stdout.splitlines()[-1], "3 passed, 0 failed")
        self.assertEqual(self.dev("test", "TIM-08").stdout.splitlines()[-1], "6 passed, 0 failed")
        self.assertEqual(self.dev("test", "good", "golden").stdout.splitlines()[-1], "6 passed, 0 failed")

    def test_a_pattern_that_matches_nothing_is_an_error(self):
        self.project(TESTS)
        done = self.dev("test", "nonesuch")
        self.assertIn("rondo: no test matches 'nonesuch'\n", done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 0 failed")
        self.assertEqual(done.returncode, 1)

    def test_a_moved_tree_is_configured_again(self):
        self.project(TESTS)
        self.dev("test")
        moved = os.path.join(self.top, "moved")
        os.rename(self.tree, moved)
        done = self.dev("test", tree=moved)
        self.assertIn("the tree has moved", done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "9 passed, 0 failed")

    def test_sanitizers_find_leaks_and_the_callers_options_win(self):
        self.project('add_test(NAME options COMMAND sh -c "echo $ASAN_OPTIONS >$FAKE/options")\n')
        self.dev("test", ASAN_OPTIONS="detect_leaks=0")
        options = self.log("options")[0]
        self.assertLess(options.index("detect_leaks=1"), options.index("detect_leaks=0"))


class ProgramTest(ScratchTest):
    def with_output(self, output):
        """A project that builds PROGRAM as build/release/OUTPUT."""
        self.program(os.path.join(self.tree, "program"), PROGRAM)
        folder = os.path.dirname(output)
        self.project(f"""
            add_custom_command(OUTPUT ${{PROJECT_BINARY_DIR}}/{output} DEPENDS program
              COMMAND mkdir -p ./{folder} COMMAND cp ${{PROJECT_SOURCE_DIR}}/program {output})
            add_custom_target(it ALL DEPENDS {output})""")


class Run(ProgramTest):
    def test_javascript_without_a_runtime_is_refused_in_one_line(self):
        self.write("app.js", "")
        done = self.dev("run", "app.js", cwd=self.tree)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("does not build rondo", done.stderr)

    def test_javascript_runs_once_there_is_a_runtime(self):
        self.with_output("rondo")
        self.write("../app.js", "")
        done = self.dev("run", "app.js", "a b", cwd=self.top)
        self.assertEqual(done.stdout, f"in {self.top} with 2 arguments: app.js a b\n", done.stderr)
        self.assertEqual(done.returncode, 7)

    def test_on_a_terminal_build_progress_is_cleared_before_the_output(self):
        self.with_output("rondo")
        self.write("../app.js", "")
        for _ in range(2):
            with Terminal([os.path.join(self.tree, "dev"), "run", "app.js"], cwd=self.top, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, env=dict(self.environment, TERM="xterm")) as terminal:
                status, shown = terminal.finish(), terminal.seen.decode()
            self.assertEqual(status, 7, shown)
            lines = re.sub(r"[^\n]*\r\x1b\[K", "", shown)  # The lines that a terminal still shows.
            self.assertEqual(lines.strip(), "", shown)

    def test_an_example_is_built_and_run_where_the_caller_is(self):
        self.with_output("examples/echo")
        self.write("examples/echo.cc", "")
        done = self.dev("run", "tree/examples/echo.cc", "--port", "0", cwd=self.top)
        self.assertEqual(done.stdout, f"in {self.top} with 2 arguments: --port 0\n", done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 7)

    def test_a_file_that_is_missing_or_no_example_is_refused(self):
        self.write("elsewhere.cc", "")
        for missing in ("nope.cc", "nope.js", "nope.mjs"):
            self.assertIn(f"no such file: {missing}", self.dev("run", missing).stderr)
        self.assertIn("not one of Rondo's examples",
                      self.dev("run", "elsewhere.cc", cwd=self.tree).stderr)

    def test_a_build_that_fails_shows_why(self):
        self.project("add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/examples/echo COMMAND echo because"
                     " COMMAND false)\nadd_custom_target(it DEPENDS ${PROJECT_BINARY_DIR}/examples/echo)\n")
        self.write("examples/echo.cc", "")
        done = self.dev("run", "examples/echo.cc", cwd=self.tree)
        self.assertEqual(done.returncode, 1)
        self.assertIn("because", done.stderr)
        self.assertEqual(done.stdout, "")


class Package(ProgramTest):
    def test_packages_contain_the_latest_build(self):
        self.with_output("rondo")
        self.program(os.path.join(self.tree, "tools/package"), "#!/bin/sh\ntest -x $1/rondo && echo \"$*\"\n")
        done = self.dev("package")
        self.assertEqual(done.stdout, "build/release build/package\n", done.stderr)
        self.assertEqual(done.returncode, 0)

    def test_a_failed_package_build_is_an_error(self):
        self.with_output("rondo")
        self.program(os.path.join(self.tree, "tools/package"), "#!/bin/sh\necho why >&2\nexit 1\n")
        done = self.dev("package")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "why\nrondo: the packages could not be made\n")

    def test_packaging_tools_are_installed_first(self):
        self.with_output("rondo")
        self.program(os.path.join(self.tree, "tools/package"), "#!/bin/sh\n")
        self.packages("installed", [name for name in EVERYTHING if name != "dpkg-dev"])
        self.packages("available", EVERYTHING)
        self.assertEqual(self.dev("package").returncode, 0)
        self.assertEqual(self.log("apt"), ["install dpkg-dev"])


class Fuzz(ProgramTest):
    def fuzz_project(self, script):
        self.with_output("fuzz/heap")
        self.program(os.path.join(self.tree, "program"), "#!/bin/sh\n" + script)
        self.write("fuzz/targets/heap.cc", "")

    def test_each_target_gets_its_seconds_and_both_corpora(self):
        self.fuzz_project('echo "$*"\n')
        done = self.dev("fuzz", "--seconds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("-max_total_time=3 ", done.stdout)
        self.assertIn("build/fuzz/found/heap fuzz/corpus/heap\n", done.stdout)

    def test_a_crash_is_kept_and_named(self):
        self.fuzz_project("echo boom >fuzz/corpus/heap/crash-1\nexit 77\n")
        done = self.dev("fuzz", "heap")
        self.assertEqual(done.returncode, 1)
        self.assertIn("heap failed", done.stderr)
        self.assertIn("saved as fuzz/corpus/heap/crash-1", done.stderr)

    def test_an_unknown_target_lists_the_known_ones(self):
        self.fuzz_project("")
        done = self.dev("fuzz", "stack")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no fuzz target 'stack'; there are: heap", done.stderr)
        self.assertEqual(self.dev("fuzz", "--seconds", "soon").returncode, 2)

    def test_order_takes_a_number_of_programs_and_a_seed(self):
        self.with_output("rondo")
        self.write("tests/order/order.py", "import sys\nprint('order', *sys.argv[1:])\n")
        for arguments, passed in (((), "--seconds 60"), (("--seconds=5",), "--seconds 5"), (("--count", "9"), "--count 9"),
                                  (("--seed", "7", "--seconds", "3"), "--seed 7 --seconds 3")):
            done = self.dev("fuzz", "order", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, f"order fuzz --rondo build/release/rondo --save \\S+ {passed}\n")

    def test_a_seed_is_for_order_only(self):
        self.fuzz_project("")
        for arguments in (("heap", "--seed", "7"), ("order", "--count"), ("order", "--seed=x")):
            self.assertEqual(self.dev("fuzz", *arguments).returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()

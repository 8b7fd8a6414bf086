"""tools/tidy on small trees, each with one fault."""
import os
import tempfile
import unittest

from scratch import ROOT, call, load

tidy = load(os.path.join(ROOT, "tools", "tidy"))
TO_DO = "TO" + "DO"  # Not written out: tidy reads this file, too.
PROMISES = "| id | promise |\n|---|---|\n| TIM-01 | In order. |\n| TIM-02 | Never early. |\n| CHK-01 | After poll. |\n"


class TidyTest(unittest.TestCase):
    def tidy(self, files, *arguments):
        with tempfile.TemporaryDirectory(prefix="rondo-tidy-") as root:
            for path, text in files.items():
                path = os.path.join(root, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(text.replace("ROOT", os.path.realpath(root)))
            return call(tidy, "--root", root, *arguments)

    def assert_clean(self, files):
        done = self.tidy(files)
        self.assertRegex(done.stdout, r"^tidy: \d+ files, 0 errors, 0 warnings\n$")
        self.assertEqual(done.returncode, 0)

    def assert_error(self, files, report):
        done = self.tidy(files)
        self.assertIn(report, done.stdout)
        self.assertIn(" 1 errors, 0 warnings\n", done.stdout)
        self.assertEqual(done.returncode, 1)

    def assert_warning(self, files, report):
        done = self.tidy(files)
        self.assertIn(report, done.stdout)
        self.assertIn(" 0 errors, 1 warnings\n", done.stdout)
        self.assertEqual(done.returncode, 0)


class Cycles(TidyTest):
    FIRST = "'use strict';\nconst { two } = require('internal/two');\n\nmodule.exports = { one: 1 };\n"

    def test_a_file_must_not_require_itself(self):
        self.assert_error({"lib/one.js": self.FIRST, "lib/internal/two.js": "const {\n  one,\n} = require('one');\n"},
                          "lib/one.js:2: error: internal/two > one > internal/two: require one of them inside a function")

    def test_require_after_exports_or_inside_functions_is_allowed(self):
        for text in ("function two() {\n  return require('one');\n}\n", "const two = () => require('one').one;\n",
                     "// const one = require('one');\n", "module.exports = {};\nconst { one } = require('one');\n",
                     "exports.two = 2;\nconst { one } = require('one');\n"):
            self.assert_clean({"lib/one.js": self.FIRST, "lib/internal/two.js": text})

    def test_tests_may_require_anything(self):
        self.assert_clean({"lib/one.js": self.FIRST, "lib/internal/two.js": "",
                           "lib/internal/two.test.js": "const one = require('one');\n"})


class Layers(TidyTest):
    def include(self, path, *targets):
        once = "#pragma once\n" if path.endswith(".h") else ""
        return {path: once + "".join(f"#include {target}\n" for target in targets)}

    def test_includes_of_lower_layers_are_allowed(self):
        self.assert_clean({
            **self.include("src/base/a.h", "<vector>", "<sys/epoll.h>", '"base/b.h"'),
            **self.include("src/loop/a.h", '"base/a.h"', '"loop/phases/b.h"'),
            **self.include("src/explore/a.h", '"loop/a.h"', '"base/a.h"'),
            **self.include("src/io/a.h", '"explore/a.h"', '"loop/a.h"', '"base/a.h"', '"io/b.h"'),
            **self.include("src/runtime/a.h", '"loop/a.h"', "<v8.h>", "<libplatform/libplatform.h>"),
            **self.include("src/bindings/a.h", '"io/a.h"', '"runtime/a.h"', "<v8-inspector.h>"),
            **self.include("src/cli/a.h", '"bindings/a.h"', '"cli/b.h"', "<v8.h>"),
            **self.include("include/rondo.h", '"base/a.h"', '"io/a.h"'),
            **self.include("src/loop/a_test.cc", '"loop/a.h"', '"support/test_loop.h"', "<gtest/gtest.h>"),
            **self.include("bench/a.cc", '"io/a.h"', "<uv.h>", '"rondo.h"'),
            **self.include("tests/a.cc", '"cli/a.h"', '"bindings/a.h"'),
        })

    def test_includes_of_higher_layers_are_errors(self):
        for path, target in (("src/base/a.h", "loop/a.h"), ("src/base/a.h", "io/a.h"),
                             ("src/loop/a.h", "io/a.h"), ("src/loop/a.h", "runtime/a.h"),
                             ("src/loop/a.h", "explore/a.h"), ("src/explore/a.h", "io/a.h"),
                             ("src/io/a.h", "runtime/a.h"), ("src/runtime/a.h", "io/a.h"),
                             ("src/runtime/a.h", "bindings/a.h"), ("src/bindings/a.h", "cli/a.h"),
                             ("include/rondo.h", "runtime/a.h"), ("examples/a.h", "runtime/a.h"),
                             ("viewer/a.h", "base/a.h"), ("src/base/a_test.cc", "loop/a.h")):
            with self.subTest(path=path, target=target):
                self.assert_error(self.include(path, f'"{target}"'), f"not {target} [layer]")

    def test_angle_brackets_do_not_hide_an_include(self):
        self.assert_error(self.include("src/base/a.h", "<loop/a.h>"), "not loop/a.h [layer]")
        self.assert_error(self.include("src/base/a.h", "<loop/a.h>  // ok"), "src/base/a.h:2: error")

    def test_v8_stays_above_io(self):
        for folder in ("base", "loop", "io"):
            self.assert_error(self.include(f"src/{folder}/a.h", "<v8.h>"), "must not know V8")

    def test_other_loops_stay_out_of_src(self):
        self.assert_error(self.include("src/loop/a.h", "<uv.h>"), "the loop is Rondo's own")

    def test_a_binding_must_not_include_another(self):
        self.assert_clean({**self.include("src/bindings/fs.cc", '"bindings/fs.h"'),
                           **self.include("src/bindings/fs_test.cc", '"bindings/fs.h"')})
        self.assert_error(self.include("src/bindings/fs.h", '"bindings/net.h"'), "does not know another")

    def test_main_is_never_included(self):
        self.assert_error(self.include("bench/a.cc", '"cli/a.h"'), "nothing includes cli")

    def test_includes_are_written_from_src(self):
        self.assert_error(self.include("src/loop/a.h", '"../base/a.h"'), "by its path from src")
        self.assert_error(self.include("src/loop/a.h", '"b.h"'), "by its path from src")

    def test_only_tests_use_the_support_of_tests(self):
        self.assert_error(self.include("src/loop/a.h", '"support/test_loop.h"'), "src does not include")


class Files(TidyTest):
    def test_sources_have_at_most_500_lines(self):
        test = {"src/base/a_test.cc": ""}
        self.assert_clean({"src/base/a.cc": "//\n" * 500, **test})
        self.assert_error({"src/base/a.cc": "//\n" * 501, **test}, "501 lines; the limit is 500")
        self.assert_clean({"src/base/a.h": "#pragma once\n" + "//\n" * 199})
        self.assert_warning({"src/base/a.h": "#pragma once\n" + "//\n" * 200}, "201 lines; the aim is 200")
        self.assert_error({"src/base/a.h": "#pragma once\n" + "//\n" * 300}, "301 lines")

    def test_tests_scripts_and_lib_have_the_same_limit(self):
        for path in ("src/base/a_test.cc", "lib/a.js", "tests/a/b.py", "tests/golden/a/b.mjs", "tools/dev_a.sh", "dev",
                     "cmake/A.cmake"):
            self.assert_clean({path: "\n" * 500})
            self.assert_error({path: "\n" * 501}, f"{path}: error: 501 lines; the limit is 500")
        for path in ("docs/A.md", "tests/golden/a/b.out", "tests/a.txt"):
            self.assert_clean({path: "\n" * 2000})

    def test_folders_have_at_most_forty_files(self):
        files = {f"lib/internal/a/f{number}.js": "" for number in range(40)}
        self.assert_clean({**files, "lib/internal/a/room/b.js": ""})
        self.assert_error({**files, "lib/internal/a/b.js": ""}, "lib/internal/a: error: 41 files; the limit is 40")
        self.assert_error({f"tests/golden/{number}.out": "" for number in range(41)}, "tests/golden: error: 41 files")

    def test_a_name_does_not_repeat_its_folders(self):
        self.assert_clean({"src/io/fs/fs.h": "#pragma once\n", "src/io/fs/fs_test.cc": "", "src/io/fs/request.h":
                           "#pragma once\n", "src/io/net/tcp_socket.h": "#pragma once\n", "lib/a/about.js": ""})
        self.assert_error({"src/io/fs/fs_request.h": "#pragma once\n"},
                          "src/io/fs/fs_request.h: error: the name repeats the folder's: call it request.h")
        self.assert_error({"src/io/fs/fs_request_test.cc": ""}, "call it request_test.cc")
        self.assert_error({"lib/internal/url/url-search.js": ""}, "call it search.js")

    def test_a_source_without_a_test_beside_it_is_a_warning(self):
        self.assert_warning({"src/base/a.cc": ""}, "src/base/a.cc: warning: has no a_test.cc beside it")
        self.assert_clean({"src/base/a.cc": "", "src/base/a_test.cc": ""})

    def test_a_header_needs_pragma_once(self):
        self.assert_error({"src/base/a.h": "int a;\n"}, "[once]")

    def test_todos_have_a_name_and_a_reason(self):
        self.assert_clean({"tools/a.sh": f"# {TO_DO}(ana): the kernel of 2030 can do this\n"})
        for text in (TO_DO, f"{TO_DO}: later", f"{TO_DO}(ana)", f"{TO_DO}(ana): ", "FIX" + "ME(ana): why"):
            with self.subTest(text=text):
                self.assert_error({"tools/a.sh": f"# {text}.".replace(": .", ":") + "\n"}, "a.sh:1: error: write it as")

    def test_nolint_needs_a_reason(self):
        self.assert_clean({"tests/a.cc": "int a;  // NOLINT: because\nint b;  // NOLINT(x-y): because\n"})
        self.assert_error({"tests/a.cc": "int a;  // NOLINT\n"}, "[nolint]")
        self.assert_error({"tests/a.cc": "// NOLINTNEXTLINE(x-y)\n"}, "[nolint]")

    def test_white_space(self):
        for text, report in (("a\tb\n", "has a tab"), ("a \n", "ends in white space"), ("a\r\n", "carriage"),
                             ("a", "the last line has no end")):
            with self.subTest(report=report):
                self.assert_error({"docs/a.md": text}, report)

    def test_paths_of_one_machine(self):
        for text in ("cd ROOT/src", "see /" + "home/ana/x", 'open("/' + 'root/x")', "file:///" + "Users/ana"):
            with self.subTest(text=text):
                self.assert_error({"docs/a.md": text + "\n"}, "names a path of one machine [path]")
        self.assert_clean({"docs/a.md": "ROOT-other and ${top}/" + "home/x and www.example.org/" + "home/x\n"})

    def test_comments_that_start_with_a_question_word(self):
        for path, text in (("src/cli/a.cc", "// What runs first.\n"), ("lib/a.js", "let a; // Who calls.\n"),
                           ("tests/a.py", "# Whether it ends.\n"), ("a.cmake", "# Where it is.\n"),
                           ("dev", "# How it runs.\n"), ("lib/b.js", "/* What it is. */\n")):
            with self.subTest(path=path):
                self.assert_error({path: text}, f"{path}:1: error: a comment starts with `")
        self.assert_clean({"lib/a.js": "// Whatever comes: which one, and what it is.\nprint('# What');\n"})

    def test_labels_are_not_compared(self):
        for line in ('if (handle.label() == name) {', 'return name != handle->label();', 'strcmp(a, handle.label())'):
            with self.subTest(line):
                self.assert_error({"src/bindings/a.cc": f"{line}\n"},
                                  "src/bindings/a.cc:1: error: compare kind(), not label()")

    def test_lib_has_no_numbers_of_errors(self):
        for line in ("const ENOENT = -2;", "const UV_EINVAL = -22;", "const kEISDIR = 21;", "if (errno === -2) return;",
                     "throw new UVException({ errno: -22 });"):
            with self.subTest(line):
                self.assert_error({"lib/a.js": f"{line}\n"}, "lib/a.js:1: error: take the number of an error")

    def test_lib_repeats_no_order_of_cpp(self):
        self.assert_error({"lib/a.js": "// In the order of Hook in src/runtime/engine/realm.h.\n"},
                          "lib/a.js:1: error: repeats an order of C++")

    def test_unclear_words_in_comments(self):
        for word in ("nobody", "Whoever", "told", "in vain", "strangers", "is asked"):
            with self.subTest(word=word):
                self.assert_error({"lib/a.js": f"// The end, {word} then.\n"}, f"lib/a.js:1: error: `{word}` in a comment")
        self.assert_clean({"lib/a.js": "const nobody = 'told';\n", "docs/a.md": "Nobody.\n"})

    def test_build_results_and_corpora_are_not_read(self):
        self.assert_clean({"build/x/a.cc": "\t\n", "fuzz/corpus/http/a.txt": "\t\r\n", "docs/a.md": "a\n"})

    def test_text_that_is_not_utf8_is_named(self):
        with tempfile.TemporaryDirectory() as root:
            with open(os.path.join(root, "a.md"), "wb") as file:
                file.write(b"\xff\n")
            done = call(tidy, "--root", root)
        self.assertIn("a.md: error: is not UTF-8", done.stdout)
        self.assertEqual(done.returncode, 1)


class Exceptions(TidyTest):
    def test_an_exception_with_a_reason_silences(self):
        self.assert_clean({"src/base/a.cc": "", "tools/tidy_allow": "# Why not.\n\ntest src/base/a.cc: too small\n"})

    def test_an_exception_without_a_reason_is_an_error(self):
        self.assert_error({"tools/tidy_allow": "test src/base/a.cc\n"}, "tidy_allow:1: error: not of the form")

    def test_an_unused_exception_is_a_warning(self):
        self.assert_warning({"tools/tidy_allow": "test src/base/a.cc: too small\n"}, "is not needed any more")


class Promises(TidyTest):
    def test_promises_without_a_test_are_listed(self):
        done = self.tidy({
            "docs/BEHAVIOURS.md": PROMISES,
            "src/loop/timers_test.cc": "TEST(TimersPhase, TIM_01_InOrder) {}\n",
            "tests/golden/CHK-01-after-poll.js": "",
        }, "--promises")
        self.assertEqual(done.stdout, "TIM-02\n3 promises, 1 without a test\n")
        self.assertEqual(done.returncode, 0)

    def test_one_test_may_name_several_promises(self):
        done = self.tidy({"docs/BEHAVIOURS.md": PROMISES,
                          "tests/net/a_test.cc": "TEST_P(\n    Net, TIM_01_TIM_02_CHK_01_All) {}\n"}, "--promises")
        self.assertEqual(done.stdout, "3 promises, 0 without a test\n")

    def test_a_mention_outside_a_tests_name_does_not_count(self):
        done = self.tidy({"docs/BEHAVIOURS.md": PROMISES, "src/loop/a_test.cc": "// TIM_01_ is elsewhere\n"},
                         "--promises")
        self.assertIn("3 without a test", done.stdout)

    def test_a_test_of_an_unknown_promise_is_an_error(self):
        self.assert_error({"docs/BEHAVIOURS.md": PROMISES,
                           "src/loop/a_test.cc": "\nTEST(TimersPhase, TIM_99_Nonsense) {}\n"},
                          "src/loop/a_test.cc:2: error: docs/BEHAVIOURS.md has no TIM-99")
        self.assert_clean({"docs/BEHAVIOURS.md": PROMISES, "src/loop/a_test.cc": "TEST(Utf, UTF_16_Pairs) {}\n"})


if __name__ == "__main__":
    unittest.main()

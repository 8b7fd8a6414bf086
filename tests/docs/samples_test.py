"""samples_test.py CXX LIBRARY WORK: checks the C++ in README.md, CONTRIBUTING.md and docs.
WORK is a folder for build results.

Each ```cpp block is one of three things; a comment before it says which, unless it is the first:

  a program       It has a main(). It must compile without a warning; if a ```text block follows,
                  it is run and must print exactly that.
  a body          <!-- body of Task<void> wait(Loop& loop) -->
                  The body of such a function, which must compile with namespace rondo in use.
  a quotation     <!-- from src/io/poll.h -->
                  Each line begins a line of that file, in the same order; lines may be left out."""
import collections
import concurrent.futures
import functools
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*) -->\n\n?)?"
    r"^```cpp\n(?P<code>.*?)^```\n"
    r"(?:\n```text\n(?P<output>.*?)^```\n)?", re.MULTILINE | re.DOTALL)
PRELUDE = "#include <rondo.h>\nusing namespace rondo;\nusing namespace std::chrono_literals;\n"

Sample = collections.namedtuple("Sample", "place mark code output")


def samples_in(text, name):
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start("code")) + 1
        yield Sample(f"{name}:{line}", block["mark"] or "", block["code"], block["output"])


def pages():
    yield from (name for name in sorted(os.listdir(ROOT)) if name.endswith(".md"))
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, "docs"))):
        yield from (os.path.relpath(os.path.join(folder, name), ROOT) for name in sorted(names) if name.endswith(".md"))


def all_samples():
    for page in pages():
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            yield from samples_in(file.read(), page)


def misquoted(code, source):
    """The first line of the code that is not the beginning of a source line after those before it."""
    rest = iter(source.splitlines())
    for line in filter(str.strip, code.splitlines()):
        if not any(candidate.startswith(line) for candidate in rest):
            return line
    return None


class Compiler:
    def __init__(self, cxx, library, folder):
        include = os.path.join(ROOT, "include")
        options = ["-std=c++20"]
        paths = ["-I" + include, "-I" + os.path.join(ROOT, "src")]
        # Most of the time goes into this header, so precompile it. The compiler finds it in the first folder it
        # searches. It warns about `#pragma once` in a file that it compiles.
        subprocess.run([cxx, *options, *paths, "-w", "-x", "c++-header", os.path.join(include, "rondo.h"),
                        "-o", os.path.join(folder, "rondo.h.gch")], check=True)
        self.command = [cxx, *options, "-Wall", "-Wextra", "-Werror", "-Winvalid-pch", "-I" + folder, *paths]
        self.link = [cxx, library, "-pthread"]
        self.folder = folder

    def problem(self, sample):
        """The error of a program or a body; empty if there is none."""
        code, options = sample.code, []
        if sample.mark.startswith("body of "):
            code = f"{PRELUDE}{sample.mark[len('body of '):]} {{\n{code}}}\n"
            # A sample may end before it uses all its names.
            options = ["-Wno-unused-variable", "-Wno-unused-but-set-variable"]
        stem = os.path.join(self.folder, re.sub(r"\W", "_", sample.place))
        with open(stem + ".cc", "w", encoding="utf-8") as file:
            file.write(code)
        made = subprocess.run([*self.command, *options, "-c", stem + ".cc", "-o", stem + ".o"],
                              capture_output=True, text=True)
        if made.returncode != 0:
            return made.stderr
        if sample.output is None:
            return ""
        linked = subprocess.run([self.link[0], stem + ".o", *self.link[1:], "-o", stem],
                                capture_output=True, text=True)
        if linked.returncode != 0:
            return linked.stderr
        run = subprocess.run([stem], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        if run.returncode != 0 or run.stdout != sample.output:
            return f"ended with {run.returncode} and printed:\n{run.stdout}{run.stderr}not:\n{sample.output}"
        return ""


@functools.cache
def the_compiler():
    return Compiler(CXX, LIBRARY, WORK)


class Samples(unittest.TestCase):
    def test_programs_and_bodies_compile_and_print_what_the_page_says(self):
        compiled = [s for s in all_samples() if "int main(" in s.code or s.mark.startswith("body of ")]
        self.assertGreater(len(compiled), 8)
        jobs = int(os.environ.get("RONDO_JOBS") or os.cpu_count() or 1)
        compiler = the_compiler()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for sample, problem in zip(compiled, pool.map(compiler.problem, compiled)):
                with self.subTest(sample.place):
                    self.assertFalse(problem, f"{sample.place}: {problem}")

    def test_other_samples_are_literal_quotations(self):
        for sample in all_samples():
            if "int main(" in sample.code or sample.mark.startswith("body of "):
                continue
            with self.subTest(sample.place):
                self.assertTrue(sample.mark.startswith("from "),
                                "neither a program, nor marked as a body or a quotation")
                with open(os.path.join(ROOT, sample.mark[len("from "):]), encoding="utf-8") as file:
                    self.assertIsNone(misquoted(sample.code, file.read()))

    def test_every_block_of_cpp_is_found(self):
        # An indented fence, or a misspelt mark, must not hide a sample.
        for page in pages():
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                text = file.read()
            fences = re.findall(r"^\s*```+ *(?:cpp|c\+\+|cc)\b", text, re.MULTILINE | re.IGNORECASE)
            self.assertEqual(len(list(samples_in(text, page))), len(fences), page)


class Reading(unittest.TestCase):
    """The test itself detects errors."""

    def test_marks_and_outputs_belong_to_their_block(self):
        text = ("<!-- from a.h -->\n\n```cpp\none\n```\n\nprose\n\n```text\nno output\n```\n\n"
                "```cpp\ntwo\n```\n\n```text\nits output\n```\n")
        self.assertEqual(list(samples_in(text, "x.md")),
                         [Sample("x.md:4", "from a.h", "one\n", None),
                          Sample("x.md:14", "", "two\n", "its output\n")])

    def test_a_quotation_may_leave_out_but_not_change_or_swap(self):
        source = "int a;\n// Why, and more.\nint b;\n"
        self.assertIsNone(misquoted("int a;\n\nint b;\n", source))
        self.assertIsNone(misquoted("// Why\n", source))
        self.assertEqual(misquoted("int b;\nint a;\n", source), "int a;")
        self.assertEqual(misquoted("int c;\n", source), "int c;")

    def test_wrong_programs_are_reported(self):
        compiler = the_compiler()
        broken = Sample("a:1", "", "int main() { return nothing; }\n", None)
        self.assertIn("nothing", compiler.problem(broken))
        program = '#include <cstdio>\nint main() { std::puts("one"); }\n'
        self.assertEqual(compiler.problem(Sample("b:1", "", program, "one\n")), "")
        self.assertIn("not:\ntwo", compiler.problem(Sample("c:1", "", program, "two\n")))
        body = Sample("d:1", "body of int f(Loop& loop)", "return loop.no_such_member();\n", None)
        self.assertIn("no_such_member", compiler.problem(body))


if __name__ == "__main__":
    CXX, LIBRARY, WORK = sys.argv[1:4]
    os.makedirs(WORK, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])

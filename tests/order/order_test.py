"""The generator of random programs, the shrinker and the stored sample. Nothing here runs a program."""
import re
import sys
import unittest

sys.path.append(f"{sys.path[0]}/../support")
import generate  # noqa: E402
import kinds  # noqa: E402
import order  # noqa: E402
import runner as running  # noqa: E402
import sample  # noqa: E402

SEEDS = range(1, 800)


def statements(program):
    def walk(body):
        for statement in body:
            yield statement
            for part in statement["bodies"]:
                yield from walk(part)
    return list(walk(program["resources"])) + list(walk(program["body"]))


class Generator(unittest.TestCase):
    def test_a_seed_is_always_the_same_program(self):
        for seed in (1, 77, 10**9):
            self.assertEqual(generate.render([generate.generate(seed)]), generate.render([generate.generate(seed)]))

    def test_every_kind_of_statement_and_resource_occurs(self):
        found = {statement["kind"] for seed in SEEDS for statement in statements(generate.generate(seed))}
        self.assertEqual({*kinds.KINDS, *kinds.RESOURCES} - found, set())

    def test_programs_have_no_marks_of_templates_left(self):
        for seed in SEEDS:
            text = generate.render_stored(generate.generate(seed))
            self.assertNotRegex(text, r"[«»]|(?<![\w$])(B\d|[NTRP])(?![\w:])")
            self.assertNotRegex(text, r"(?m)[ \t]$")

    def test_actions_name_a_resource_that_exists(self):
        for seed in SEEDS:
            program = generate.generate(seed)
            numbers = {resource["number"] for resource in program["resources"]}
            self.assertLessEqual({s["resource"] for s in statements(program) if "resource" in s}, numbers)

    def test_only_the_named_groups_are_used(self):
        for seed in range(50):
            program = generate.generate(seed, ("pool", "timers"))
            groups = {kinds.KINDS[s["kind"]][0] for s in statements(program)}
            self.assertLessEqual(groups, {"pool", "timers", *generate.ALWAYS})

    def test_work_of_other_threads_is_followed_by_a_nap(self):
        statement = {"kind": "stat", "number": 1, "picks": [0], "bodies": [[]], "target": 1}
        throw = {"kind": "throw", "number": 2, "picks": [0], "bodies": [], "target": 1}
        self.assertTrue(generate.render_body([statement], 0).endswith("settle();\n"))
        self.assertRegex(generate.render_body([statement, throw], 0), r"settle\(\);\nthrow .*\n$")

    def test_work_of_several_trips_gets_a_nap_in_every_turn(self):
        program = dict(generate.generate(1), resources=[], pace=0)
        file = {"kind": "read file", "number": 1, "picks": [0], "bodies": [[]], "target": 1}
        self.assertIn("setImmediate(pace, ", generate.render_program(dict(program, body=[file])))
        self.assertNotIn("setImmediate(pace, ", generate.render_program(dict(program, body=[])))

    def test_a_module_has_a_file_of_its_own(self):
        for programs in order.bundles(SEEDS):
            self.assertTrue(len(programs) == 1 or not any(program["module"] for program in programs))


class Shrinker(unittest.TestCase):
    def test_variants_are_never_the_program_itself(self):
        for seed in range(1, 25):
            program = generate.generate(seed)
            text = generate.render([program])
            for variant in generate.variants(program):
                self.assertNotEqual(generate.render([variant]), text)

    def test_removing_a_resource_removes_statements_that_use_it(self):
        for seed in range(1, 25):
            for variant in generate.variants(generate.generate(seed)):
                numbers = {resource["number"] for resource in variant["resources"]}
                self.assertLessEqual({s["resource"] for s in statements(variant) if "resource" in s}, numbers)

    def test_shrinks_to_the_one_statement_that_matters(self):
        class Pretending(running.Runner):
            def difference(self, program, unit, quick=False):
                return any(s["kind"] == "immediate" for s in statements(program)) or None
        seed = next(s for s in SEEDS if any(one["kind"] == "immediate" for one in statements(generate.generate(s))))
        small = Pretending(None, [], "").shrink(generate.generate(seed), 1)
        self.assertEqual([s["kind"] for s in statements(small)], ["immediate"])
        self.assertEqual((small["stage"], small["pace"], small["module"]), ("main", 0, False))


class Outputs(unittest.TestCase):
    def test_the_output_of_a_file_is_divided_by_programs(self):
        self.assertEqual(running.split("-- 3\na\nb\n-- 4\nexit 0\n"), {3: "a\nb\n", 4: "exit 0\n"})
        self.assertEqual(running.split(""), {})

    def test_only_programs_that_always_print_the_same_count(self):
        outputs = ["-- 1\na\n-- 2\nb\n", "-- 1\na\n-- 2\nc\n", "-- 1\na\n-- 2\nb\n"]

        class Scripted(running.Runner):
            def run(self, command, file, backend=None, is_pinned=False):
                return outputs.pop(0)

            def write(self, text, is_module):
                return "/dev/null/none"
        scripted = Scripted(None, ["node"], "")
        unlink, running.os.unlink = running.os.unlink, lambda path: None
        try:
            self.assertEqual(scripted.node_prints([generate.generate(1)], 1, 3), {1: "a\n"})
        finally:
            running.os.unlink = unlink


    def test_slow_events_change_the_program(self):
        fast, slow = (generate.render([generate.generate(1)], slow_events=slow) for slow in (False, True))
        self.assertEqual(slow.count("sleep(3);"), fast.count("sleep(3);") + 2)

    def test_a_difference_counts_only_if_slow_events_show_it_too(self):
        class Pretending(running.Runner):
            def node_prints(self, programs, unit, runs=running.NODE_RUNS, slow_events=False):
                return {1: "timer first\n"}

            def rondo_prints(self, programs, unit, slow_events=False):
                text = "timer first\n" if slow_events and self.is_only_faster else "timer last\n"
                return [(backend, {1: text}) for backend in running.BACKENDS]
        runner = Pretending(None, [], "")
        runner.is_only_faster = True
        self.assertIsNone(runner.difference({"seed": 1}, 1))
        runner.is_only_faster = False
        self.assertEqual(runner.difference({"seed": 1}, 1)[0], "timer first\n")


class Sample(unittest.TestCase):
    def test_stored_programs_are_read_back(self):
        text = "=== 5 script\nprogram(5);\n---\na\nexit 0\n=== 6 module\nprogram(6);\n---\nb\n"
        stored = sample.parse(text)
        self.assertEqual([(s.seed, s.is_module, s.text, s.output) for s in stored],
                         [(5, False, "program(5);\n", "a\nexit 0\n"), (6, True, "program(6);\n", "b\n")])
        self.assertEqual("".join(s.render() for s in stored), text)

    def test_the_sample_has_programs_of_all_groups(self):
        stored = sample.read()
        self.assertEqual(len(stored), 200)
        self.assertEqual(len({one.seed for one in stored}), len(stored))
        self.assertTrue(any(one.is_module for one in stored))
        for word in ("connected(", "listening(", "channel(", "worker(", "cat(", "signals(", "watcher(", "fs.", "crypto.",
                     "setTimeout(", "setImmediate(", "spawn(", "import(", "throw "):
            self.assertTrue(any(re.search(re.escape(word), one.text) for one in stored), word)

    def test_the_exit_code_is_compared_only_if_it_is_not_0(self):
        self.assertTrue(sample.is_same("a\n", "a\nexit 0\n"))
        self.assertFalse(sample.is_same("a\nexit 1\n", "a\nexit 0\n"))
        self.assertFalse(sample.is_same(None, "exit 0\n"))


if __name__ == "__main__":
    unittest.main()

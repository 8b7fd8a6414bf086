"""How golden.py finds pairs in rooms by the words of its command line."""
import sys
import unittest

sys.path.append(f"{sys.path[0]}/../support")
import golden  # noqa: E402
from harness import files  # noqa: E402

PAIRS = ("alone.js", "fs/watch.js", "fs/misuse.mjs", "fs/promises/misuse.js", "fs/promises/names.cjs", "timers/TIM-07-close.js",
         "timers/TIM-07-refresh.js", "timers/TIM-08-cleared.js", "url/fs.js", "worker/fs.js")
OTHERS = ("fs/fixtures/helper.js", "fs/promises/node_modules/package/index.js", "fs/watch.out")


class Names(unittest.TestCase):
    def setUp(self):
        self.scratch = files.Scratch()
        self.addCleanup(self.scratch.remove)
        for name in PAIRS + OTHERS:
            self.scratch.write(name, "")
        self.addCleanup(setattr, golden, "FOLDER", golden.FOLDER)
        golden.FOLDER = self.scratch.folder

    def assert_named(self, words, *wanted):
        self.assertEqual(golden.named(words.split()), list(wanted))

    def test_fixtures_and_packages_are_not_pairs(self):
        self.assertEqual(golden.named([]), sorted(name.rpartition(".")[0] for name in PAIRS))

    def test_whole_names_keep_their_order(self):
        self.assert_named("fs/watch alone", "fs/watch", "alone")

    def test_a_room_means_all_of_its_pairs_and_rooms(self):
        self.assert_named("fs", "fs/misuse", "fs/promises/misuse", "fs/promises/names", "fs/watch")
        self.assert_named("fs/promises/", "fs/promises/misuse", "fs/promises/names")

    def test_the_last_part_of_a_name_is_enough_if_it_is_the_only_one(self):
        self.assert_named("watch", "fs/watch")
        with self.assertRaisesRegex(SystemExit, "which misuse. There are fs/misuse, fs/promises/misuse"):
            golden.named(["misuse"])

    def test_the_beginning_of_names(self):
        self.assert_named("TIM-07", "timers/TIM-07-close", "timers/TIM-07-refresh")
        self.assert_named("fs/p", "fs/promises/misuse", "fs/promises/names")

    def test_each_pair_runs_once(self):
        self.assert_named("watch fs/w alone", "fs/watch", "alone")

    def test_an_unknown_name_is_an_error(self):
        with self.assertRaisesRegex(SystemExit, "no pair or room nothing"):
            golden.named(["alone", "nothing"])

    def test_a_pair_runs_in_its_room(self):
        self.scratch.write("fs/watch.out", "ran in fs\n")
        self.scratch.write("fs/watch.js", 'echo "ran in ${PWD##*/}"\n')
        self.assertEqual(golden.Pair("fs/watch").differences("/bin/sh"), "")
        self.scratch.write("fs/watch.js", "cat $PWD/none >&2\nexit 1\n")
        self.scratch.write("fs/watch.err", "cat: none: No such file or directory\n")
        self.scratch.write("fs/watch.code", "1\n")
        self.scratch.write("fs/watch.out", "")
        self.assertEqual(golden.Pair("fs/watch").differences("/bin/sh"), "")


if __name__ == "__main__":
    unittest.main()

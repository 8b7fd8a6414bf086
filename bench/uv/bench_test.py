"""How bench.py reads what libuv's benchmarks print."""
import sys
import unittest

from bench import figures_of, table


class Figures(unittest.TestCase):
    def test_one_rate_has_the_name_of_the_row(self):
        self.assertEqual(figures_of("ok 1 - async1\n# async1: 0.50 sec (2,000/sec)\n", "async1"),
                         {"async1": (2000.0, "per s", True)})

    def test_several_times_are_named_by_their_words(self):
        self.assertEqual(figures_of("# 3.50 seconds total\n# 1.25 seconds init\n", "million_timers"),
                         {"million_timers: total": (3.5, "s", False), "million_timers: init": (1.25, "s", False)})

    def test_rates_of_several_programs_are_named_by_program(self):
        self.assertEqual(figures_of("# tcp_pump1_server: 1.5 gbit/s\n# tcp_pump1_client: 2.5 gbit/s\n", "tcp_pump1_client"),
                         {"tcp_pump1_client: tcp_pump1_server": (1.5, "gbit/s", True),
                          "tcp_pump1_client": (2.5, "gbit/s", True)})

    def test_rows_without_a_rate_use_the_time(self):
        self.assertEqual(figures_of("# 1000000 write requests in 0.80s.\n", "tcp_write_batch"),
                         {"tcp_write_batch": (0.8, "s", False)})

    def test_threads_and_other_lines_are_left_out(self):
        self.assertEqual(figures_of("# accept2: 100 accepts/sec (10 total)\n#   thread #0: 50 accepts/sec\nok\n", "accept2"),
                         {"accept2": (100.0, "per s", True)})


class Table(unittest.TestCase):
    def test_the_ratio_is_above_1_if_rondo_is_better(self):
        lines = table({"more": ("per s", True, {"rondo": [4], "libuv": [2]}),
                       "less": ("s", False, {"rondo": [4], "libuv": [2]}),
                       "alone": ("s", False, {"rondo": [4]})}).splitlines()
        self.assertEqual([line.split("|")[-2].strip() for line in lines[2:]], ["2.00", "**0.50**", ""])


if __name__ == "__main__":
    sys.exit(unittest.main())

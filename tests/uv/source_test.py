"""The part of source.py that reads the machine's lists of package sources."""
import sys
import unittest

from source import source_lines

SOURCES = """Types: deb
# A comment between fields.
URIs: http://mirror.test/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /keys/debian.gpg

Types: deb
URIs: http://tools.test/
Suites: nodistro tools-bookworm
Components: main
"""
LIST = """# deb http://old.test/debian bookworm main
deb [arch=amd64 signed-by=/keys/debian.gpg] http://mirror.test/debian bookworm-security main
deb-src http://mirror.test/debian bookworm main
deb http://tools.test/apt cloud-bookworm main
"""


class SourceLines(unittest.TestCase):
    def test_reads_deb822(self):
        self.assertEqual(source_lines([(SOURCES, True)], "bookworm"), [
            "deb-src [signed-by=/keys/debian.gpg] http://mirror.test/debian bookworm main contrib",
            "deb-src [signed-by=/keys/debian.gpg] http://mirror.test/debian bookworm-updates main contrib"])

    def test_reads_one_line_lists(self):
        self.assertEqual(source_lines([(LIST, False)], "bookworm"), [
            "deb-src [arch=amd64 signed-by=/keys/debian.gpg] http://mirror.test/debian bookworm-security main",
            "deb-src http://mirror.test/debian bookworm main"])

    def test_finds_nothing_for_another_release(self):
        self.assertEqual(source_lines([(SOURCES, True), (LIST, False), ("", True)], "trixie"), [])


if __name__ == "__main__":
    sys.exit(unittest.main())

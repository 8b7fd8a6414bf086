"""Files of small programs: each begins with a line `=== NAME WORD...`."""
import collections
import os

Section = collections.namedtuple("Section", "name words text")


def read(name):
    """The programs of a file beside this one."""
    found = []
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("=== "):
                _, name_of_program, *words = line.split()
                found.append(Section(name_of_program, words, ""))
            elif found:
                found[-1] = found[-1]._replace(text=found[-1].text + line)
    return found

"""Command lines of the runners."""
import argparse


def parser(description):
    """A parser whose help prints the runner's docstring as it is."""
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def part_of(items, part):
    """The Ith of every N items, for the part "I/N"."""
    number, parts = map(int, part.split("/"))
    return items[number - 1::parts]

"""Compares what a program printed with what it should print."""


def unified(wanted, came, wanted_name="wanted", came_name="came", context=3):
    """A unified diff; empty if both are the same."""
    if wanted == came:
        return ""
    import difflib  # Here: most outputs agree, and golden.py starts once for each pair.
    return "".join(difflib.unified_diff(lines(wanted), lines(came), wanted_name, came_name, n=context))


def lines(text):
    result = text.splitlines(keepends=True)
    if result and not result[-1].endswith("\n"):
        result[-1] += "<no end of line>\n"
    return result

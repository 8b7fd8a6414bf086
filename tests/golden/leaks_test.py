#!/usr/bin/env python3
"""leaks_test.py RONDO: golden.py reports leftovers of a program, and nothing if there are none."""
import sys

sys.path.append(f"{sys.path[0]}/../support")
import golden  # noqa: E402
from harness import files, programs  # noqa: E402

LEAKS = {
    "nothing": ("", None),
    "file": ("require('fs').writeFileSync(require('os').tmpdir() + '/left', '');", "temporary file left"),
    "process": ("require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref();",
                "process sleep 1000"),
    "descriptor": ("require('fs').openSync('/dev/zero');", "descriptor"),
}


def main(words):
    golden.Children.PATIENCE = 0.5
    program = programs.absolute(words[0])
    failed = 0
    with files.Scratch("rondo-leaks-") as scratch:
        golden.FOLDER = scratch.folder
        for name, (source, wanted) in LEAKS.items():
            scratch.write(f"{name}.js", source)
            scratch.write(f"{name}.out", "")
            said = golden.Pair(name).differences(program, True)
            if (said != "") if wanted is None else (wanted not in said):
                failed += 1
                print(f"{name}: wanted {wanted}, came:\n{said}")
    return 1 if failed else 0


if __name__ == "__main__":
    programs.exit_with(main)

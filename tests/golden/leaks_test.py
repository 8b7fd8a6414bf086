#!/usr/bin/env python3
"""leaks_test.py RONDO: golden.py finds what a program leaves behind, and nothing where it leaves nothing."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import golden  # noqa: E402

LEAKS = {
    "nothing": ("", None),
    "file": ("require('fs').writeFileSync(require('os').tmpdir() + '/left', '');", "temporary file left"),
    "process": ("require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref();",
                "process sleep 1000"),
    "descriptor": ("require('fs').openSync('/dev/zero');", "descriptor"),
}


def main():
    golden.Children.PATIENCE = 0.5
    program = os.path.abspath(sys.argv[1])
    failed = 0
    with tempfile.TemporaryDirectory(prefix="rondo-leaks-") as folder:
        golden.FOLDER = folder
        for name, (source, wanted) in LEAKS.items():
            for path, text in ((f"{name}.js", source), (f"{name}.out", "")):
                with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                    file.write(text)
            said = golden.Pair(name).differences(program, True)
            if (said != "") if wanted is None else (wanted not in said):
                failed += 1
                print(f"{name}: wanted {wanted}, came:\n{said}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

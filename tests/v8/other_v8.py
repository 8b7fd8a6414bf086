#!/usr/bin/env python3
"""other_v8.py SOURCE BUILD COMPILER HEADERS LIBRARY...: compiles Rondo for another V8 (-DRONDO_V8_ROOT).

The other V8 has the headers of the engine's package and empty libraries, so nothing is linked. LIBRARY... are those that
are expected beside V8 and OpenSSL. Compiled are the files that see a difference: those that use OpenSSL, ICU or V8's
platform, and the programs' own sources. All others are compiled with the same headers and options as in the preset
that runs this test.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import programs  # noqa: E402

DIFFERENT = re.compile(r'#include [<"](openssl/|libplatform/|zlib\.h|crypto/openssl\.h|runtime/values/icu\.h)')


def run(*command):
    done = programs.run(command, timeout=None, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[:4])} failed:\n{done.stdout[-6000:]}")
    return done.stdout


def make_root(root, compiler, headers, libraries):
    """A folder with the layout of RONDO_V8_ROOT; OpenSSL's headers are in the same place."""
    shutil.rmtree(root, ignore_errors=True)
    (root / 'lib').mkdir(parents=True)
    (root / 'include').symlink_to(headers)
    empty = root / 'empty.cc'
    empty.write_text('')
    for library in ('v8', 'crypto', 'ssl', *libraries):
        run(compiler, '-shared', '-o', str(root / 'lib' / f'lib{library}.so'), str(empty))


def sees_a_difference(source):
    return source.name in ('main.cc', 'mksnapshot.cc') or DIFFERENT.search(source.read_text(encoding='utf-8'))


def check(entry):
    """Runs one entry of compile_commands.json without writing an object file. Returns the errors."""
    command = re.sub(r' -o \S+ -c ', ' -fsyntax-only ', entry['command'])
    done = programs.run(['sh', '-c', command], timeout=None, cwd=entry['directory'])
    return done.stderr[:6000] if done.returncode != 0 else ''


def main():
    source, build, compiler, headers, *libraries = sys.argv[1:]
    source, build = pathlib.Path(source), pathlib.Path(build)
    root = build / 'root'
    make_root(root, compiler, headers, libraries)
    run('cmake', '-G', 'Ninja', '-S', str(source), '-B', str(build), f'-DRONDO_V8_ROOT={root}', f'-DOPENSSL_ROOT_DIR={root}',
        f'-DCMAKE_CXX_COMPILER={compiler}', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON',
        '-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON', f'-DRONDO_THIRD_PARTY_DIR={source / "build/third_party"}')
    commands = json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
    layers = [source / 'src' / layer for layer in ('runtime', 'bindings', 'cli')]
    entries = {}
    for entry in commands:
        file = pathlib.Path(entry['file'])
        if any(layer in file.parents for layer in layers) and not file.stem.endswith('_test') and sees_a_difference(file):
            entries[file] = entry
    if len(entries) < 8:
        sys.exit(f'only {len(entries)} files were found to compile; the pattern in {sys.argv[0]} is out of date')
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        problems = [problem for problem in pool.map(check, entries.values()) if problem]
    if problems:
        sys.exit('\n'.join(problems))
    print(f'{len(entries)} files compiled')


main()

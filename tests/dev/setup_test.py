"""./dev installs missing packages."""
import os
import shutil
import subprocess
import unittest

from scratch import EVERYTHING, ScratchTest


# Succeeds if the registry has the engine.
FETCH_NPM = """#!/bin/bash
echo "fetch $*" >>"$FAKE/fetched"
[[ -f "$FAKE/registry" ]] || { echo "fetch_npm: cannot fetch npm packages: no network; check the network, then try again"; exit 1; }
mkdir -p "$1"
cp "$2/package-lock.json" "$1/stamp"
"""


class Setup(ScratchTest):
    def test_nothing_is_installed_when_nothing_is_missing(self):
        self.assertEqual(self.dev("build").returncode, 0)
        self.assertEqual(self.log("apt"), [])
        self.assertEqual(self.log("asked"), ["dpkg-query"])  # One call for all packages.

    def test_only_missing_packages_are_installed(self):
        self.packages("installed", [p for p in EVERYTHING if p != "libgtest-dev"])
        self.packages("available", EVERYTHING)
        done = self.dev("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.log("apt"), ["install libgtest-dev"])
        self.assertIn("rondo: installing libgtest-dev\n", done.stderr)
        self.dev("build")
        self.assertEqual(self.log("apt"), ["install libgtest-dev"])

    def test_package_lists_are_fetched_only_if_apt_does_not_know_the_package(self):
        self.packages("installed", [p for p in EVERYTHING if p != "cmake"])
        self.packages("mirror", EVERYTHING)
        done = self.dev("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.log("apt"), ["install cmake", "update ", "install cmake"])

    def test_an_unavailable_package_is_named_in_one_line(self):
        self.packages("installed", [p for p in EVERYTHING if p not in ("libgtest-dev", "cmake")])
        self.packages("mirror", ["cmake"])
        done = self.dev("test")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([line for line in done.stderr.splitlines() if "cannot" in line], [
            "rondo: cannot install libgtest-dev: apt-get does not find it;"
            " run: apt-get install libgtest-dev"])
        self.assertEqual(done.stdout, "")

    def test_a_failure_of_apt_gives_its_reason(self):
        self.packages("installed", [p for p in EVERYTHING if p != "cmake"])
        self.program(os.path.join(self.bin, "apt-get"),
                     "#!/bin/sh\necho 'Reading lists'\necho 'E: Could not resolve the mirror'\nexit 100\n")
        done = self.dev("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("rondo: cannot install cmake: Could not resolve the mirror;"
                      " run: apt-get install cmake\n", done.stderr)

    def test_a_missing_optional_package_is_tried_once(self):
        self.packages("installed", [p for p in EVERYTHING if p != "ccache"])
        done = self.dev("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rondo: continuing without ccache\n", done.stderr)
        asked = len(self.log("apt"))
        again = self.dev("build")
        self.assertEqual(again.stderr, "")
        self.assertEqual(len(self.log("apt")), asked)

    def test_setup_can_be_switched_off(self):
        self.packages("installed", [])
        self.assertEqual(self.dev("build", RONDO_SETUP="off").returncode, 0)
        self.assertEqual(self.log("asked") + self.log("apt"), [])

    def with_v8(self, version="1"):
        self.program(os.path.join(self.tree, "tools/fetch_npm"), FETCH_NPM)
        os.makedirs(os.path.join(self.tree, "tools/engine"), exist_ok=True)
        with open(os.path.join(self.tree, "tools/engine/package-lock.json"), "w", encoding="utf-8") as file:
            file.write(version)

    def test_v8_is_fetched_once_per_version(self):
        self.with_v8()
        self.packages("registry", [])
        for _ in range(2):
            done = self.dev("build")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.log("fetched"), ["fetch build/third_party/engine tools/engine"])
        self.with_v8("2")
        self.assertEqual(self.dev("build").returncode, 0)
        self.assertEqual(len(self.log("fetched")), 2)

    def test_a_failed_fetch_of_v8_is_reported_in_one_line(self):
        self.with_v8()
        done = self.dev("build")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1],
                         "rondo: fetch_npm: cannot fetch npm packages: no network; check the network, then try again")

    def test_presets_without_v8_do_not_fetch_it(self):
        self.with_v8()
        self.assertEqual(self.dev("build", "fuzz").returncode, 0)
        self.assertEqual(self.log("fetched"), [])

    def without(self, *names):
        """A PATH with every program of this machine but these."""
        folder = os.path.join(self.top, "programs")
        os.makedirs(folder)
        for source in ("/usr/bin", "/bin"):
            for name in os.listdir(source):
                path = os.path.join(folder, name)
                if name not in names and not os.path.lexists(path):
                    os.symlink(os.path.join(source, name), path)
        return folder

    def test_a_machine_without_apt_gets_a_list_of_packages(self):
        shutil.rmtree(self.bin)
        done = self.dev("build", PATH=self.without("apt-get", "dpkg-query"))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertRegex(done.stderr, r"^rondo: cannot install g\+\+ cmake .*there is no apt-get")

    def as_user(self, *arguments, **environment):
        """Runs ./dev as a user without root privileges."""
        command = [os.path.join(self.tree, "dev"), *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
        return subprocess.run(command, env=dict(self.environment, **environment), cwd=self.top, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    @unittest.skipUnless(os.geteuid() == 0, "only root can leave a tree that is not the caller's")
    def test_a_build_tree_of_another_user_is_named(self):
        subprocess.run(["chmod", "-R", "a+rwX", self.top], check=True)
        self.write("build/x", "")
        done = self.as_user("build")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "rondo: build/ belongs to root: run ./dev as that user, or remove it\n")

    def test_missing_root_and_sudo_are_reported_in_one_line(self):
        self.packages("installed", [p for p in EVERYTHING if p != "libgtest-dev"])
        os.remove(os.path.join(self.bin, "sudo"))
        path = self.bin + ":" + self.without("sudo", "apt-get", "dpkg-query")
        subprocess.run(["chmod", "-R", "a+rwX", self.top], check=True)
        done = self.as_user("build", PATH=path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("rondo: cannot install libgtest-dev: not root, and there is no sudo;"
                      " run: apt-get install libgtest-dev\n", done.stderr)
        self.assertEqual(self.log("apt"), [])


if __name__ == "__main__":
    unittest.main()

"""Directories that were deleted, cannot be read or cannot be written, and files of other users."""
import os

from harness.checks import check
from limits import as_other_user


def deleted_directory(context):
    """Makes the current directory of the child a deleted one."""
    def enter():
        path = context.path(f"gone-{os.getpid()}")
        os.mkdir(path)
        os.chdir(path)
        os.rmdir(path)
    return enter


def test_deleted_directory(context):
    """Programs that do not use it run."""
    enter = deleted_directory(context)
    program = context.write("app.js", "console.log('app', typeof require)")
    module = context.write("app.mjs", "console.log('module'); import('./app.js')")
    context.expect("console.log(1)", out="1\n", before=enter)
    context.expect_arguments(["-p", "2"], out="2\n", before=enter)
    context.expect_arguments([program], out="app function\n", before=enter)
    context.expect_arguments([module], out="module\napp function\n", before=enter)
    context.expect_arguments(["-r", program, "-e", "console.log(3)"], out="app function\n3\n", before=enter)
    context.expect_arguments(["--check", program], out="", before=enter)
    context.expect("process.chdir('/'); console.log(process.cwd())", out="/\n", before=enter)
    program = context.write("stdin.js", "console.log(4)")
    for name, runtime, env in context.programs():
        with open(program, "rb") as file:
            outcome = context.run([runtime], env=env, before=enter, stdin=file)
        check((outcome.returncode, outcome.stdout) == (0, "4\n"), f"{name}: {outcome}")


def test_deleted_directory_is_an_error(context):
    """Those that use it get Node's error."""
    enter = deleted_directory(context)
    message = "Error: ENOENT: process.cwd failed with error no such file or directory, the current working directory was likely"
    for source in ("process.cwd()", "require('path').resolve('x')"):
        context.expect(source, status=1, err_part=message, before=enter)
    context.expect_arguments(["app.js"], status=1, err_part=message, before=enter)
    context.expect("try { process.chdir('/nowhere'); } catch (error) { console.log(error.code, error.syscall, error.dest); }",
                   out="ENOENT chdir /nowhere\n", before=enter)


def test_commands_in_a_deleted_directory(context):
    """`rondo trace`, `order` and `explore` run the program and print their report."""
    enter = deleted_directory(context)
    program = context.write("app.js", "setTimeout(() => console.log('ran'), 1)")
    for command in ("trace", "order", "explore"):
        outcome = context.run([context.rondo, command, program], before=enter)
        check(outcome.returncode == 0 and "ran" in outcome.stdout and "ENOENT" not in outcome.stderr, f"{command}: {outcome}")


def test_unreadable_directory(context):
    """A current directory that the program's user may not enter or list."""
    os.mkdir(context.path("closed"), 0o700)
    inside = as_other_user(lambda: None)

    def enter():
        os.chdir(context.path("closed"))
        inside()
    context.expect(f"console.log(process.cwd() === '{context.path('closed')}')", out="true\n", before=enter)
    context.expect("try { require('fs').readdirSync('.'); } catch (error) { console.log(error.code); }", out="EACCES\n",
                   before=enter)


def test_files_of_other_users(context):
    """EACCES for files that may not be read or written."""
    become = as_other_user()
    secret = context.write("secret.js", "console.log('secret')")
    os.chmod(secret, 0o600)
    context.write("public.js", "try { require('./secret.js'); } catch (error) { console.log(error.code); }\n"
                  "try { require('fs').writeFileSync(__filename, ''); } catch (error) { console.log(error.code); }")
    context.expect_arguments(["public.js"], out="EACCES\nEACCES\n", before=become)
    context.expect_arguments(["secret.js"], status=1, err_part="EACCES: permission denied, open", before=become)
    os.mkdir(context.path("node_modules"), 0o700)
    context.expect("try { require('nothing'); } catch (error) { console.log(error.code); }", out="ERR_INVALID_PACKAGE_CONFIG\n",
                   before=become)


def test_temporary_directory(context):
    """A TMPDIR that is missing or not writable: only its users get errors."""
    os.mkdir(context.path("closed"), 0o555)
    source = "const os = require('os'), fs = require('fs');\n" \
        "try { fs.mkdtempSync(`${os.tmpdir()}/x-`); } catch (error) { console.log(error.code); }"
    become = as_other_user()
    for directory, code in (("missing", "ENOENT"), ("closed", "EACCES")):
        variables = {"TMPDIR": context.path(directory)}
        context.expect(source, out=f"{code}\n", variables=variables, before=become)


def test_no_place_for_the_control_socket(context):
    """Without a directory for its control socket a program runs normally."""
    for directory in ("/nowhere", "/proc", "/dev/null"):
        outcome = context.run([context.rondo, "-e", "setTimeout(() => console.log('ran'), 300)"],
                              env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": directory, "TMPDIR": directory})
        check((outcome.returncode, outcome.stdout, outcome.stderr) == (0, "ran\n", ""), str(outcome))

"""Resource limits: open files, file size, processes, address space."""
import os
import resource

from harness.checks import Skipped, check

OTHER_USER = 54321  # Has no processes and owns no files. Root is exempt from the limit of processes.
FILL = "const fs = require('fs'); try { for (;;) fs.openSync('/dev/null'); } catch (error) { console.log(error.code); }\n"


def limited(which, soft, hard=None):
    return lambda: resource.setrlimit(which, (soft, soft if hard is None else hard))


def as_other_user(action=lambda: None):
    if os.geteuid() != 0:
        raise Skipped("only root can run a program as another user")

    def become():
        os.setgroups([])
        os.setgid(OTHER_USER)
        os.setuid(OTHER_USER)
        action()
    return become


def test_soft_limit_of_files(context):
    """Raised to the hard limit, as far as the hard limit goes."""
    source = "console.log(/open files +(\\d+)/.exec(require('fs').readFileSync('/proc/self/limits', 'utf8'))[1])"
    context.expect(source, out="512\n", before=limited(resource.RLIMIT_NOFILE, 64, 512))


def test_no_files_left(context):
    """EMFILE for files, children and workers; the program continues."""
    source = FILL + """
fs.readFile('/etc/passwd', (error) => console.log('readFile', error.code));
require('child_process').spawn('true').on('error', (error) => console.log('spawn', error.code));
"""

    def is_right(outcome):
        check(outcome.returncode == 0 and sorted(outcome.stdout.split()) == sorted(
            "EMFILE readFile EMFILE spawn EMFILE".split()), "not three times EMFILE")
    context.everywhere(["-e", source], is_right, before=limited(resource.RLIMIT_NOFILE, 64))
    source = FILL + "new (require('worker_threads').Worker)('1', { eval: true }).on('error', (error) => console.log(error.code))"
    context.expect(source, out="EMFILE\nERR_WORKER_INIT_FAILED\n", before=limited(resource.RLIMIT_NOFILE, 64))


def test_too_few_files_to_start(context):
    """A message, or the program runs; Node aborts."""
    def is_civil(outcome):
        check((outcome.returncode, outcome.stdout) == (0, "1\n") or (outcome.returncode == 1 and "EMFILE" in outcome.stderr),
              "neither ran nor said why not")
    for most in (4, 5, 6, 8):
        outcome = context.run([context.rondo, "-e", "console.log(1)"], before=limited(resource.RLIMIT_NOFILE, most))
        is_civil(outcome)


def test_file_size(context):
    """EFBIG, not SIGXFSZ, for every way to write."""
    source = """
const fs = require('fs');
const data = Buffer.alloc(9000);
try { fs.writeFileSync('file', data); } catch (error) { console.log(error.code); }
const fd = fs.openSync('file', 'w');
console.log(fs.writeSync(fd, data));
try { fs.writeSync(fd, data); } catch (error) { console.log(error.code); }
fs.writeFile('file', data, (error) => {
  console.log(error.code);
  fs.createWriteStream('file').on('error', (error) => console.log(error.code)).end(data);
});
"""
    context.expect(source, out="EFBIG\n4096\nEFBIG\nEFBIG\nEFBIG\n", before=limited(resource.RLIMIT_FSIZE, 4096))


def test_file_size_of_stdout(context):
    with open(context.path("out"), "wb") as file:
        context.expect("process.stdout.on('error', (error) => console.error(error.code)).write('x'.repeat(9000))",
                       err_part="EFBIG", stdout=file, before=limited(resource.RLIMIT_FSIZE, 4096))


def test_too_few_threads_to_start(context):
    """A message and the exit code 1; Node aborts, or hangs."""
    outcomes = []
    for most in (1, 2, 3):
        outcome = context.run([context.rondo, "-e", "console.log(1)"], cwd="/",
                              before=as_other_user(limited(resource.RLIMIT_NPROC, most)))
        outcomes.append(outcome)
        check((outcome.returncode, outcome.stdout) == (0, "1\n") or
              (outcome.returncode == 1 and "ulimit -u" in outcome.stderr), f"neither ran nor said why not: {outcome}")
    check(outcomes[0].returncode == 1, f"ran without threads: {outcomes[0]}")


def test_no_processes_left(context):
    """EAGAIN for children; a worker ends with an error."""
    source = """
const { spawn, spawnSync } = require('child_process');
const children = [];
(function more() {
  const child = spawn('sleep', ['60']);
  child.on('error', (error) => { console.log(error.code, spawnSync('true').error.code); children.forEach((one) => one.kill()); });
  child.on('spawn', () => { children.push(child); more(); });
})();
"""
    context.expect_arguments(["-e", source], out="EAGAIN EAGAIN\n", cwd="/",
                             before=as_other_user(limited(resource.RLIMIT_NPROC, 40)))


def test_address_space(context):
    """Failed allocations are errors that programs can catch."""
    if context.is_sanitized:
        raise Skipped("a sanitizer needs more address space than any limit leaves")
    source = "const all = []; try { for (;;) all.push(new ArrayBuffer(1 << 26)); } catch (error) { console.log(error.name); }"
    context.expect(source, out="RangeError\n", before=limited(resource.RLIMIT_AS, 2 << 30))

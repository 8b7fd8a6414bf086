"""The environment: empty, huge, with unusual names, and with invalid settings."""
import json
import sys

from harness.checks import check

# Plain execve(2): Python refuses names that other programs accept.
EXECUTE = """
import ctypes, json, sys
given = json.load(sys.stdin)
strings = lambda texts: (ctypes.c_char_p * (len(texts) + 1))(*[text.encode('latin-1') for text in texts], None)
ctypes.CDLL(None, use_errno=True).execve(given['program'].encode(), strings(given['argv']), strings(given['env']))
sys.exit(f'execve failed: {ctypes.get_errno()}')
"""


def expect_with(context, env, source, out):
    """`env` holds strings as the kernel passes them, NAME=VALUE mostly."""
    for name, program, _ in context.programs():
        given = json.dumps({"program": program, "argv": [program, "-e", source], "env": env})
        outcome = context.run([sys.executable, "-c", EXECUTE], input=given.encode())
        check((outcome.returncode, outcome.stdout) == (0, out), f"{name}: {outcome}")


def test_empty(context):
    expect_with(context, [], "console.log(Object.keys(process.env), require('os').tmpdir(), typeof process.title)",
                "[] /tmp string\n")


def test_huge(context):
    """A hundred thousand bytes in one variable, and three thousand variables."""
    source = "console.log(process.env.HUGE.length, Object.keys(process.env).length);\n" \
        "console.log(`${require('child_process').execFileSync('sh', ['-c', 'echo ${#HUGE}'])}`.trim())"
    env = ["PATH=/usr/bin:/bin", "HUGE=" + "x" * 100_000, *[f"VARIABLE_{i}=value" for i in range(3000)]]
    expect_with(context, env, source, "100000 3002\n100000\n")


def test_odd_names(context):
    """No name, no value, no equals sign, the same name twice, bytes that are not UTF-8, names of Object.prototype."""
    source = "const { env } = process;\n" \
        "console.log(env.EMPTY === '', env.TWICE, env['WITH SPACE'], env.toString === Object.prototype.toString);\n" \
        "console.log(env['__proto__'] !== undefined, 'NOTHING' in env, env.BYTES.length);\n" \
        "console.log(Object.keys(env).sort().join(), `${require('child_process').execFileSync('/bin/echo', ['ok'])}`)"
    env = ["EMPTY=", "NOTHING", "=no name", "TWICE=first", "TWICE=second", "WITH SPACE=yes", "BYTES=a\xff\xfez", ""]
    expect_with(context, env, source, "true first yes true\ntrue false 4\nBYTES,EMPTY,TWICE,WITH SPACE ok\n\n")


def test_invalid_values_of_our_variables(context):
    """The message names the variable and its values."""
    for name, value, message in (("RONDO_BACKEND", "x", "RONDO_BACKEND must be epoll or uring, not 'x'"),
                              ("RONDO_THREADPOOL_SIZE", "many",
                               "RONDO_THREADPOOL_SIZE must be a number of threads from 1 to 1024, not 'many'"),
                              ("RONDO_SPIN", "often",
                               "RONDO_SPIN must be a number of microseconds from 0 to 10000, not 'often'")):
        outcome = context.run([context.rondo, "-e", "console.log(1)"], env=context.environment(**{name: value}))
        check(outcome.returncode == 9 and outcome.stdout == "" and message in outcome.stderr, str(outcome))


def test_invalid_values_of_variables_of_node_are_ignored(context):
    for value in ("many", "-1", "0", ""):
        context.expect("require('fs').stat('/', () => console.log(1))", out="1\n", variables={"UV_THREADPOOL_SIZE": value})


def test_options_that_are_not_close_are_not_suggested(context):
    outcome = context.run([context.rondo, "--bad"])
    check(outcome.returncode == 9 and "did you mean" not in outcome.stderr, str(outcome))
    outcome = context.run([context.rondo, "--trace-fil=x"])
    check(outcome.returncode == 9 and "did you mean --trace-file?" in outcome.stderr, str(outcome))

"""rondo --clock=virtual uv and rondo --clock=virtual node.

  clock.py --rondo RONDO [TEST...]"""
import os
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import cases, reference  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402
import launch  # noqa: E402

CLOCKS = 8
VIRTUAL = "--clock=virtual"


class Context(launch.Context):
    def node(self, source, *options, name="app.js"):
        """The output of a program in Node, with a virtual clock."""
        node = reference.node()
        if node is None:
            raise Skipped("there is no Node")
        environment = self.environment(PATH=f"{os.path.dirname(node)}:{os.environ['PATH']}")
        done = self.call(*(options or (VIRTUAL,)), "node", self.write(name, source), env=environment)
        check(done.returncode == 0 and done.stderr == "", f"{done.returncode} {done.stderr} {done.stdout}")
        return done.stdout


def equal(found, expected):
    check(found == expected, f"expected {expected!r}, got {found!r}")


def test_all_clocks_agree(test):
    program = test.compile("clock", "-luv")
    done = test.call(f"{VIRTUAL}:2026-01-31", "uv", program)
    wait = "wait: 1\nwait:" + " 20" * (CLOCKS - 3) + " 0" + " 20" * 2
    equal(done.stdout, "starts at 1769817600000, and not at zero: 1\ntimers:" + " 36000000" * CLOCKS +
          "\nsleeps:" + " 10000" * CLOCKS + "\n" + wait + "\n")
    check(done.returncode == 0 and done.stderr == "", f"{done.returncode} {done.stderr}")


def test_a_seed_makes_the_clock_virtual(test):
    program = test.compile("clock", "-luv")
    for options, is_virtual in ((["--seed=1"], True), (["--seed=1", VIRTUAL], True)):
        done = test.call(*options, "uv", program)
        check(("timers: 36000000 " in done.stdout) == is_virtual, f"{options}: {done.stdout} {done.stderr}")


def test_threads(test):
    """The clock follows the real one while a thread computes, and jumps to the end of a thread's sleep."""
    done = test.call(VIRTUAL, "uv", test.compile("threads", "-luv"))
    equal(done.stdout, "computed\nslept\ntimer\n")


def test_children_have_the_real_clock(test):
    script = test.write("child.sh", "#!/bin/sh\ntest $(date +%Y) -gt 2000 && echo real\nexit 3\n")
    os.chmod(script, 0o755)
    output = test.node(f"""
const {{ spawn, spawnSync }} = require('child_process');
const early = setTimeout(() => console.log('a limit of an hour has expired'), 3600000);
console.log(spawnSync({script!r}).stdout.toString().trim(), new Date().getFullYear());
spawn({script!r}, {{ stdio: 'inherit' }}).on('exit', (code) => {{ clearTimeout(early); console.log(code); }});
""")
    equal(output, "real 1970\nreal\n3\n")


def test_node(test):
    output = test.node("""
const start = Date.now(), since = performance.now(), time = process.hrtime.bigint();
for (let i = 0; i < 10; i++) await new Promise((resolve) => setTimeout(resolve, 3600000));
console.log(Date.now() - start, performance.now() - since, process.hrtime.bigint() - time);
console.log(new Date().toISOString().slice(0, 15));
console.log(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20));
""", name="app.mjs")
    equal(output, "36000000 36000000 36000000000000n\n1970-01-01T10:0\ntimed-out\n")


def test_connections_inside_take_no_time(test):
    output = test.node("""
const http = require('http');
const server = http.createServer((request, response) => setTimeout(() => response.end('x'.repeat(1e6)), 3600000));
server.listen(0, '127.0.0.1', () => {
  const start = Date.now();
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
    let size = 0;
    response.on('data', (chunk) => { size += chunk.length; });
    response.on('end', () => { console.log(size, Date.now() - start); server.close(); });
  });
});
const dgram = require('dgram');
const [one, other] = [dgram.createSocket('udp4'), dgram.createSocket('udp4')];
const late = setTimeout(() => console.log('no datagram within a day'), 86400000);
one.on('message', (text) => { clearTimeout(late); console.log(`${text}`); one.close(); other.close(); });
one.bind(0, '127.0.0.1', () => other.send('datagram', one.address().port, '127.0.0.1'));
""")
    equal(output, "datagram\n1000000 3600000\n")


def test_a_peer_outside_is_waited_for(test):
    """A time limit of an hour does not expire while another process is asked."""
    output = test.node("""
const { spawn } = require('child_process');
const server = `require('net').createServer((socket) => setTimeout(() => socket.end('answer'), 100)).listen(0, '127.0.0.1',
  function () { console.log(this.address().port); })`;
const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] });
child.stdout.once('data', (port) => {
  const socket = require('net').connect(Number(port), '127.0.0.1');
  const limit = setTimeout(() => console.log('the limit has expired'), 3600000);
  socket.on('data', (data) => { clearTimeout(limit); console.log(`${data}`); child.kill(); });
});
""")
    equal(output, "answer\n")


def test_workers_share_the_clock(test):
    output = test.node("""
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  new Worker(__filename).on('message', (text) => console.log(text));
  setTimeout(() => console.log('three hours'), 3 * 3600000);
} else {
  setTimeout(() => parentPort.postMessage('two hours'), 2 * 3600000);
}
""")
    equal(output, "two hours\nthree hours\n")


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context, option="--rondo")

"""What keeps a program alive, and what it is doing: `rondo why`."""
import json
import os
import re
import signal

from harness.checks import check


def test_one_line(context):
    with context.running("""
const net = require('net');
const settled = [];
for (let i = 0; i < 448; i++) settled.push(i % 2 ? Promise.resolve(i) : new Promise((resolve) => setImmediate(resolve)));
setInterval(() => {}, 100).unref();
net.createServer(() => {}).listen(0, '127.0.0.1', () => Promise.all(settled).then(() => console.log('ready')));
""") as process:
        context.answers(process, r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:6:28")
        context.answers(process, r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:6:28")


def test_handles(context):
    with context.running("""
const net = require('net');
const fs = require('fs');
const { MessageChannel, Worker } = require('worker_threads');
const server = net.createServer((socket) => { socket.resume(); both(); });
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => { client.resume(); both(); });
});
const path = net.createServer(() => {});
path.listen('app.sock');
fs.watch('.', () => {});
process.stdin.on('data', () => {});
const { port1, port2 } = new MessageChannel();
port1.on('message', () => {});
new Worker('setInterval(() => {}, 1000)', { eval: true });
new net.Server().listen(0).unref();
process.on('SIGUSR2', () => {});
var sides = 0;
function both() { if (++sides === 2) setTimeout(() => console.log('ready'), 50); }
""") as process:
        context.answers(process,
                r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:6:8",
                r"TCP connection to 127\.0\.0\.1:\d+ from 127\.0\.0\.1:\d+, made at app\.js:7:22",
                r"TCP connection from 127\.0\.0\.1:\d+ to 127\.0\.0\.1:\d+, of the server made at app\.js:6:8",
                r"Unix socket server on app\.sock, made at app\.js:10:6",
                r"watcher of '\.', made at app\.js:11:4",
                r"standard input \(pipe:\[\d+\]\), made at app\.js:12:9",
                r"message port, made at app\.js:13:26",
                r"worker thread, made at app\.js:15:1",
                # A worker has two more ends here, which do not count.
                )
        entries = json.loads(context.call("why", "--json", process.pid).stdout)
        check(entries["pid"] == process.pid, "the process is another")
        first = next(entry for entry in entries["alive"] if entry["type"] == "tcp server")
        check(first["place"]["line"] == 6 and first["place"]["file"].endswith("/app.js"), f"the place is {first}")
        check(first["details"]["address"].startswith("127.0.0.1:"), f"the details are {first}")


def test_children(context):
    with context.running("""
const { spawn, fork } = require('child_process'); require('fs').writeFileSync('child.js', 'process.on("message", () => {}); process.send(1);');
spawn('sleep', ['100'], { stdio: 'ignore' });
spawn('sleep', ['101'], { stdio: 'ignore' }).unref();
const talking = fork('child.js', { silent: false });
talking.on('message', () => console.log('ready'));
process.on('exit', () => talking.kill());
""") as process:
        children = [int(number) for line in context.why(process) for number in re.findall(r"child process (\d+)", line)]
        context.answers(process,
                r"child process \d+ \(sleep 100\), made at app\.js:3:1",
                r"child process \d+ \(.*rondo.* child\.js\), made at app\.js:5:17",
                r"channel for messages to a parent or child process, made at app\.js:5:17")
        for child in children:
            os.kill(child, signal.SIGTERM)


def test_operations(context):
    with context.running("""
const fs = require('fs');
const { execFileSync } = require('child_process');
execFileSync('mkfifo', ['one', 'two']);
fs.readFile('one', function done() {});
fs.promises.readFile('two');
require('crypto').pbkdf2('a', 'b', 400_000_000, 20, 'sha1', () => {});
require('zlib').brotliCompress(Buffer.alloc(5e7, 'some text, '), () => {});
console.log('ready');
""") as process:
        context.answers(process,
                r"fs\.readFile 'one', started at app\.js:5:4",
                r"fs\.readFile 'two', started at app\.js:6:13",
                r"pbkdf2, started at app\.js:7:19",
                r"compression by zlib \(brotliCompress\), started at app\.js:8:17")
        for name in ("one", "two"):
            os.remove(context.path(name))


def test_timers(context):
    with context.running("""
setTimeout(function tick() {}, 60_000);
setInterval(() => {}, 50_000);
setTimeout(() => {}, 50_000).unref();
require('timers/promises').setTimeout(70_000);
clearTimeout(setTimeout(() => {}, 80_000));
console.log('ready');
""") as process:
        context.answers(process,
                r"timer 60000 ms, callback tick at app\.js:2:25, due in \d\d(\.\d)? s",
                r"interval 50000 ms, callback <anonymous> at app\.js:3:13, due in \d\d(\.\d)? s",
                r"timer 70000 ms, due in \d\d(\.\d)? s")
    with context.running("""
console.log('ready');
let n = 0;
(function again() { n++; setImmediate(again); })();
""") as process:
        context.answers(process, r"immediate, callback again at app\.js:4:16")


def test_blocked(context):
    with context.running("""
const server = require('net').createServer(() => {}).listen(0, '127.0.0.1');
setTimeout(function start() { console.log('ready'); outer(); }, 1);
function outer() { spin(); }
function spin() {
  for (;;) ;
}
""") as process:
        context.answers(process,
                r"JavaScript that has been running for \d.*s, in spin \(app\.js:\d+:\d+\)",
                r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:2:54")
        context.answers(process, r"JavaScript .*", r"TCP server .*")


def test_stuck(context):
    fifo = context.path("pipe")
    os.mkfifo(fifo)
    with context.running("""
const fs = require('fs');
console.log('ready');
setTimeout(() => fs.readFileSync('pipe'), 1);
""") as process:
        context.answers(process, r"a blocking system call, openat, for .*s so far")
        with open(fifo, "wb", buffering=0):
            context.answers(process, r"a blocking system call, read of descriptor \d+ \(.*/pipe\), for .*s so far")
    os.remove(fifo)

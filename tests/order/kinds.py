"""The statements that random programs are made of.

In templates N is the statement's number, B0, B1… its bodies, T the number of some statement before it, R the number of
a resource and P one of the resource's parts. «a|b|c» is a choice, of which the first is the simplest. kinds_web.py has
the groups that use prologue_web.js."""
import kinds_web

DELAY = "«1|0|2|0.5 * UNIT|1.5 * UNIT|2.5 * UNIT»"
DONE = "() => { log('N'); B0 }"
FAILED = "(e) => { log(`N ${describe(e)}`); B0 }"
PATH = "«small|big|missing|tree»"

# group -> kind -> (weight, number of bodies, template)
GROUPS = {
    "flow": {
        "log": (2, 0, "log('N');"),
        "tick": (6, 1, "process.nextTick(() => { log('N'); B0 });"),
        "microtask": (4, 1, "queueMicrotask(() => { log('N'); B0 });"),
        "then": (4, 1, "Promise.resolve().then(() => { log('N'); B0 });"),
        "chain": (2, 2, "Promise.resolve().then(() => { log('N'); B0 }).then(() => null).then(() => { log('N+'); B1 });"),
        "then promise": (1, 2, "Promise.resolve().then(() => { B0 return Promise.resolve(); }).then(() => { log('N'); B1 });"),
        "catch": (1, 2, "Promise.reject('N').catch(() => { log('N'); B0 }).finally(() => { log('N+'); B1 });"),
        "thenable": (1, 2, "Promise.resolve({ then(done) { log('N'); B0 done(); } }).then(() => { log('N+'); B1 });"),
        "held promise": (1, 1, "new Promise((resolve) => { held[N] = resolve; }).then(() => { log('N'); B0 });"),
        "resolve held": (1, 0, "if (typeof held[T] === 'function') held[T]();"),
        "async": (3, 3, "(async () => { log('N'); B0 await null; log('N+'); B1 await Promise.resolve(); log('N++'); B2 })();"),
        "async return": (1, 2, "(async () => { B0 return Promise.resolve(); })().then(() => { log('N'); B1 });"),
        "await in try": (1, 2, "(async () => { try { B0 await Promise.reject('N'); } catch { log('N'); B1 } finally { log('N+'); } })();"),
        "for await": (1, 1, "(async () => { for await (const n of [1, Promise.resolve(2)]) { log(`N ${n}`); } B0 })();"),
        "generator": (1, 1, "(async () => { for await (const n of (async function* () { yield 1; await null; yield 2; })()) log(`N ${n}`); B0 })();"),
        "all": (1, 1, "Promise.«all|race|any|allSettled»([1, Promise.resolve().then(() => log('N+')), { then(done) { done(); } }]).then(() => { log('N'); B0 });"),
        "on": (1, 1, "emitter.«on|once|prependListener»('event', () => { log('N'); B0 });"),
        "emit": (2, 0, "emitter.emit('event');"),
        "events.once": (1, 1, "EventEmitter.once(emitter, 'event').then(() => { log('N'); B0 });"),
        "events.on": (1, 1, "(async () => { for await (const _ of EventEmitter.on(emitter, 'event')) { log('N'); break; } B0 })();"),
        "abort": (1, 1, "{ const c = new AbortController(); c.signal.addEventListener('abort', () => { log('N'); B0 }); c.abort(); }"),
        "warning": (1, 1, "process.once('warning', () => { log('N'); B0 }); process.emitWarning('N');"),
    },
    "errors": {
        "throw": (3, 0, "throw new Error('N');"),
        "unhandled": (2, 0, "Promise.reject(new Error('N'));"),
        "throw in a tick": (1, 1, "process.nextTick(() => { B0 throw new Error('N'); });"),
        "throw in an immediate": (2, 1, "setImmediate(() => { B0 throw new Error('N'); });"),
        "throw in a timer": (2, 1, f"setTimeout(() => {{ B0 throw new Error('N'); }}, {DELAY});"),
        "throw in a microtask": (1, 1, "queueMicrotask(() => { B0 throw new Error('N'); });"),
        "throw in a pool callback": (2, 1, "fs.stat('.', () => { B0 throw new Error('N'); });"),
        "throw in a listener": (1, 1, "emitter.on('event', () => { B0 throw new Error('N'); });"),
        "handled in a tick": (1, 1, "{ const p = Promise.reject(new Error('N')); process.nextTick(() => p.catch(() => { log('N'); B0 })); }"),
        "handled late": (2, 1, "{ const p = Promise.reject(new Error('N')); setImmediate(() => p.catch(() => { log('N'); B0 })); }"),
        "try": (1, 2, "try { B0 throw new Error('N'); } catch { log('N'); B1 }"),
    },
    "turns": {
        "immediate": (5, 1, "held[N] = setImmediate(() => { log('N'); B0 });"),
        "clear immediate": (1, 0, "if (held[T]?.constructor.name === 'Immediate') clearImmediate(held[T]);"),
        "unref immediate": (1, 1, "setImmediate(() => { log('N'); B0 }).unref();"),
        "before exit": (1, 1, "process.once('beforeExit', () => { log('N'); B0 });"),
        "immediate promise": (1, 1, "timers.setImmediate().then(() => { log('N'); B0 });"),
    },
    "timers": {
        "timer": (6, 1, f"held[N] = setTimeout(() => {{ log('N'); B0 }}, {DELAY});"),
        "interval": (3, 1, f"{{ let n = 0; held[N] = setInterval(() => {{ log('N'); if (++n === 3) clearInterval(held[N]); B0 }}, {DELAY}); }}"),
        "unref timer": (2, 1, f"held[N] = setTimeout(() => {{ log('N'); B0 }}, {DELAY}).unref();"),
        "clear timer": (1, 0, "if (held[T]?.constructor.name === 'Timeout') clearTimeout(held[T]);"),
        "refresh": (2, 0, "if (held[T]?.constructor.name === 'Timeout') held[T].refresh();"),
        "unref": (1, 0, "held[T]?.unref?.();"),
        "ref": (1, 0, "held[T]?.ref?.();"),
        "timer promise": (2, 1, f"timers.setTimeout({DELAY}).then(() => {{ log('N'); B0 }});"),
        "async interval": (1, 1, f"{{ let n = 0; held[N] = setInterval(async () => {{ if (++n === 3) clearInterval(held[N]); log('N'); await timers.setTimeout({DELAY}); log('N+'); B0 }}, {DELAY}); }}"),
        "interval iteration": (1, 1, f"(async () => {{ let n = 0; for await (const _ of timers.setInterval({DELAY})) {{ log('N'); if (++n === 2) break; }} B0 }})();"),
        "slow timer": (2, 1, f"setTimeout(() => {{ log('N'); B0 nap(«1|2»); }}, {DELAY});"),
        "abort after": (1, 1, f"{{ const s = AbortSignal.timeout({DELAY}); s.addEventListener('abort', () => {{ log('N'); B0 }}); }}"),
        "wait async": (1, 1, f"Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, «UNIT|1.5 * UNIT»).value.then(() => {{ log('N'); B0 }});"),
    },
    "pool": {
        "stat": (5, 1, f"fs.«stat|lstat|access|open»('{PATH}', (e) => {{ log('N'); B0 }});"),
        "small operation": (2, 1, f"fs.«mkdir|rmdir|unlink|readlink»('N', {FAILED});"),
        "random bytes": (2, 1, "crypto.randomBytes(«8|100000», () => { log('N'); B0 });"),
        "pbkdf2": (2, 1, "crypto.pbkdf2('a', 'b', «1|1000», 8, 'sha1', () => { log('N'); B0 });"),
        "scrypt": (1, 1, "crypto.scrypt('a', 'b', 8, { cost: 16 }, () => { log('N'); B0 });"),
        "digest": (1, 1, "crypto.subtle.digest('SHA-256', Buffer.alloc(10)).then(() => { log('N'); B0 });"),
        "lookup": (2, 1, "dns.lookup('«localhost|127.0.0.1»', () => { log('N'); B0 });"),
        "lookup promise": (1, 1, "dns.promises.lookup('«localhost|127.0.0.1»').then(() => { log('N'); B0 });"),
        "stat promise": (2, 1, f"fsp.stat('{PATH}').then(() => log('N'), () => log('N!')).then(() => {{ B0 }});"),
    },
    # Node loses what is thrown in the callback of an operation that answers with a path: the bodies of those run later.
    "files": {
        "read file": (3, 1, f"fs.readFile('{PATH}', {FAILED});"),
        "read file promise": (2, 1, f"fsp.readFile('{PATH}').then(() => log('N'), () => log('N!')).then(() => {{ B0 }});"),
        "write file": (2, 1, "fs.«writeFile|appendFile»('N', 'text', () => { log('N'); B0 });"),
        "copy": (1, 1, "fs.copyFile('small', 'N.copy', () => { log('N'); B0 });"),
        "rename": (1, 1, "fs.writeFileSync('N', ''); fs.rename('N', 'N.new', () => { log('N'); B0 });"),
        "read directory": (2, 1, "fs.readdir('tree', { «|withFileTypes: true|recursive: true» }, () => { log('N'); B0 });"),
        "open directory": (2, 1, "(async () => { for await (const _ of await fsp.opendir('tree', { bufferSize: «32|1» })) log('N'); log('N+'); B0 })();"),
        "directory read": (1, 1, "fs.opendir('tree', (e, d) => { log('N'); d.read(() => { log('N+'); d.close(() => { log('N++'); B0 }); }); });"),
        "make directories": (2, 1, "fs.mkdir('N/a/b/c', { recursive: true }, () => { log('N'); setImmediate(() => { B0 }); });"),
        "remove tree": (2, 1, "fs.mkdirSync('N/a/b', { recursive: true }); fs.writeFileSync('N/a/f', ''); fs.rm('N', { recursive: true }, () => { log('N'); B0 });"),
        "remove tree promise": (1, 1, "fs.mkdirSync('N/a/b', { recursive: true }); fsp.rm('N', { recursive: true }).then(() => { log('N'); B0 });"),
        "real path": (2, 1, "fs.«realpath|realpath.native»('tree/a/3', () => { log('N'); setImmediate(() => { B0 }); });"),
        "copy tree": (1, 1, "fs.cp('tree', 'N', { recursive: true }, () => { log('N'); B0 });"),
        "temporary directory": (1, 1, "fs.mkdtemp('N-', () => { log('N'); setImmediate(() => { B0 }); });"),
        "file handle": (2, 2, "(async () => { const h = await fsp.open('small'); log('N'); B0 await h.read(Buffer.alloc(10)); log('N+'); await h.close(); log('N++'); B1 })();"),
        "read lines": (1, 1, "(async () => { const h = await fsp.open('small'); for await (const _ of h.readLines()) log('N'); log('N+'); B0 })();"),
        "read and write": (1, 1, "{ const fd = fs.openSync('N', 'w+'); fs.write(fd, 'abc', () => { log('N'); fs.read(fd, Buffer.alloc(3), 0, 3, 0, () => { log('N+'); fs.close(fd, () => { log('N++'); B0 }); }); }); }"),
        "read stream": (3, 3, "hear('N', fs.createReadStream('«small|big|missing»'), 'open data end error close', { data() { B0 }, end() { B1 }, close() { B2 } });"),
        "write stream": (3, 3, "{ const w = hear('N', fs.createWriteStream('N'«|, { highWaterMark: 4 }»), 'open drain finish close', { open() { B0 }, finish() { B1 } }); w.write('abcdef', () => { log('N written'); B2 }); w.«end()|write('ghi'); w.end('jkl')|destroy()»; }"),
        "file pipeline": (1, 1, "stream.pipeline(fs.createReadStream('«small|big»'), fs.createWriteStream('N'), () => { log('N'); B0 });"),
        "file iteration": (1, 1, "(async () => { for await (const c of fs.createReadStream('«small|big»')) log(`N ${c.length}`); B0 })();"),
        "file exists": (1, 1, f"fs.exists('{PATH}', (e) => {{ log(`N ${{e}}`); B0 }});"),
        "truncate": (1, 1, "fs.writeFileSync('N', 'abc'); fs.truncate('N', 1, () => { log('N'); B0 });"),
        "watch": (1, 1, "{ const w = held[N] = fs.watch('small'); w.once('change', () => { log('N'); w.close(); B0 }); fs.writeFileSync('small', 'y'.repeat(100)); }"),
    },
    "streams": {
        "readable": (2, 2, "{ const r = new stream.Readable({ read() {} }); hear('N', r, 'data end close', { data() { B0 }, end() { B1 } }); r.push('a'); r.push(«null|'b'); r.push(null»); }"),
        "readable from": (2, 1, "(async () => { for await (const c of stream.Readable.from(['a', 'b'])) log(`N ${c}`); log('N+'); B0 })();"),
        "writable": (2, 2, "{ const w = hear('N', new stream.Writable({ write(c, e, done) { «done()|setImmediate(done)|process.nextTick(done)»; } }), 'finish close', { finish() { B0 } }); w.write('a', () => { log('N written'); B1 }); w.end('b'); }"),
        "transform": (2, 2, "{ const t = hear('N', new stream.Transform({ transform(c, e, done) { «done(null, c)|setImmediate(done, null, c)» } }), 'data end finish close', { data() { B0 }, end() { B1 } }); t.write('a'); t.end('b'); }"),
        "pass through": (1, 1, "stream.pipeline(stream.Readable.from(['a', 'b']), new stream.PassThrough(), hear('N', new stream.PassThrough(), 'data end finish close'), () => { log('N'); B0 });"),
        "destroy": (1, 1, "hear('N', new stream.PassThrough(), 'error close', { close() { B0 } }).destroy(«|new Error('N')»);"),
        "web readable": (2, 1, "(async () => { for await (const c of new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } })) log(`N ${c}`); log('N+'); B0 })();"),
        "web pull": (1, 1, "(async () => { let n = 0; for await (const c of new ReadableStream({ pull(c) { if (++n === 3) c.close(); else c.enqueue(n); } }, { highWaterMark: 0 })) log(`N ${c}`); log('N+'); B0 })();"),
        "web pipe": (1, 1, "new ReadableStream({ start(c) { c.enqueue(1); c.close(); } }).pipeThrough(new TransformStream()).pipeTo(new WritableStream({ write() { log('N'); } })).then(() => { log('N+'); B0 });"),
        "web tee": (1, 1, "(async () => { const [a, b] = new ReadableStream({ start(c) { c.enqueue(1); c.close(); } }).tee(); a.getReader().read().then(() => log('N')); await b.getReader().read(); log('N+'); B0 })();"),
        "standard output": (1, 1, "process.stdout.write('', () => { log('N'); B0 });"),
        "event target": (1, 1, "{ const t = new EventTarget(); t.addEventListener('e', () => { log('N'); B0 }); t.dispatchEvent(new Event('e')); }"),
    },
    "ports": {
        "channel": (3, 2, "{ const { port1, port2 } = new MessageChannel(); held[N] = port1; hear('N', port1, 'message close', { message() { «port1.close(); |»B0 }, close() { B1 } }); port2.postMessage(1);« | port2.postMessage(2); | port2.close(); »}"),
        "answer": (2, 1, "{ const { port1, port2 } = new MessageChannel(); held[N] = port1; hear('N', port1, 'message', { message(m) { port1.close(); B0 } }); port2.once('message', (m) => { log('N asked'); port2.postMessage(m); }); port1.postMessage(1); }"),
        "receive": (1, 0, "{ const { port1, port2 } = new MessageChannel(); port2.postMessage(1); log(`N ${receiveMessageOnPort(port1).message}`); port1.close(); }"),
        "port post": (6, 0, "held[R].P.postMessage(«1|'x'.repeat(1000)»);", ("channel", "broadcast")),
        "port post twice": (2, 0, "held[R].P.postMessage(1); held[R].P.postMessage(2);", ("channel", "broadcast")),
        "port close": (2, 0, "held[R].P.close();", ("channel", "broadcast")),
        "port unref": (1, 0, "held[R].P.«unref|ref»();", ("channel",)),
    },
    "workers": {
        "ask worker": (5, 0, "held[R].postMessage(1);", ("worker",)),
        "worker exit": (2, 0, "held[R].postMessage('«exit|throw|close»');", ("worker",)),
        "terminate": (2, 1, "held[R].terminate().then(() => { log('N'); B0 });", ("worker",)),
        "new worker": (1, 2, "held[N] = hear('N', new Worker(\"«|require('worker_threads').parentPort.postMessage(1)|process.exit(2)»\", { eval: true }), 'online message error exit', { message() { B0 }, exit() { B1 } });"),
    },
    "children": {
        "true": (4, 1, "held[N] = hear('N', childProcess.spawn('true'«|, { stdio: 'ignore' }»), 'spawn exit close', { exit() { B0 } });"),
        "shell": (4, 2, "{ const c = held[N] = hear('N', childProcess.spawn('sh', ['-c', '«echo a|echo a; echo b >&2|exit 3|kill -9 $$»']), 'exit close', { exit() { B0 }, close() { B1 } }); hear('N out', c.stdout, 'data end close'); hear('N err', c.stderr, 'data end close'); }"),
        "exec": (3, 1, "held[N] = childProcess.exec('«true|echo a|exit 2»', (e, out) => { log(`N ${describe(e)} ${out}`.trim()); B0 });"),
        "no program": (1, 1, "hear('N', childProcess.spawn('/missing'), 'error exit close', { error() { B0 } });"),
        "input": (2, 2, "{ const c = held[N] = hear('N', childProcess.spawn('cat'), 'exit close', { exit() { B0 } }); hear('N out', c.stdout, 'data end close', { data() { c.stdin.end(); } }); hear('N in', c.stdin, 'finish close', { finish() { B1 } }); c.stdin.write('abc'); }"),
        "kill": (2, 1, "held[N] = hear('N', childProcess.spawn('sleep', ['5'], { stdio: 'ignore' }), 'exit close', { exit() { B0 } }); held[N].kill('«SIGTERM|SIGKILL»');"),
        "cat write": (4, 1, "held[R].stdin.write('abc', () => { log('N'); B0 });", ("cat",)),
        "cat end": (3, 1, "held[R].stdin.end(«|'xyz', »() => { log('N'); B0 });", ("cat",)),
        "cat kill": (2, 0, "held[R].child.kill('«SIGTERM|SIGKILL»');", ("cat",)),
        "cat destroy": (1, 0, "held[R].«stdout|stdin».destroy();", ("cat",)),
    },
    "signals": {
        "signal": (6, 0, "process.kill(process.pid, '«SIGUSR2|SIGHUP|SIGTERM|SIGWINCH|SIGCONT»');", ("signals",)),
        "signal listener": (1, 1, "process.once('«SIGUSR2|SIGHUP»', () => { log('N'); B0 });", ("signals",)),
    },
    "sockets": {
        "write": (8, 1, "held[R].P.write('«a|bb|ccc»', () => { log('N'); B0 });", ("tcp", "unix")),
        "write without callback": (4, 0, "held[R].P.write('«a|bb|ccc»');", ("tcp", "unix")),
        "large write": (3, 1, "log(`N ${held[R].P.write(Buffer.alloc(«100000|20000|300000»), () => { log('N+'); B0 })}`);", ("tcp", "unix")),
        "cork": (2, 1, "held[R].P.cork(); held[R].P.write('a'); held[R].P.write('b', () => { log('N'); B0 }); held[R].P.uncork();", ("tcp", "unix")),
        "end": (4, 1, "held[R].P.end(«|'bye', »() => { log('N'); B0 });", ("tcp", "unix")),
        "destroy socket": (3, 0, "held[R].P.destroy(«|new Error('N')»);", ("tcp", "unix")),
        "destroy soon": (1, 0, "held[R].P.destroySoon();", ("tcp", "unix")),
        "reset": (1, 0, "held[R].P.resetAndDestroy();", ("tcp",)),
        "pause": (2, 0, "held[R].P.pause();", ("tcp", "unix")),
        "resume": (2, 0, "held[R].P.resume();", ("tcp", "unix")),
        "socket unref": (1, 0, "held[R].P.«unref|ref»();", ("tcp", "unix")),
        "idle timeout": (1, 0, "held[R].P.setTimeout(«UNIT|1.5 * UNIT»);", ("tcp", "unix")),
        "pipe": (1, 0, "held[R].P.pipe(held[R].P);", ("tcp", "unix")),
        "iterate socket": (1, 1, "(async () => { try { for await (const c of held[R].P) log(`N ${c.length}`); } catch (e) { log(`N ${describe(e)}`); } B0 })();", ("tcp", "unix")),
        "refused": (2, 2, "hear('N', net.connect(1, '127.0.0.1'), SOCKET_EVENTS, { error() { B0 }, close() { B1 } });"),
        "no socket": (1, 2, "hear('N', net.connect('missing.sock'), SOCKET_EVENTS, { error() { B0 }, close() { B1 } });"),
        "listen": (2, 2, "held[N] = hear('N', net.createServer(), 'listening close', { listening() { B0 }, close() { B1 } }).listen(«0|'N.sock'»);"),
        "listen and close": (1, 1, "net.createServer().listen(0).close(() => { log('N'); B0 });"),
        "open socket": (4, 2, "held[N] = hear('N', net.connect(address(held[R])), SOCKET_EVENTS, { connect() { B0 }, close() { B1 } });", ("listener",)),
        "open and write": (3, 1, "held[N] = hear('N', net.connect(address(held[R])), SOCKET_EVENTS, { connect() { B0 } }); held[N].«write('abc')|end('abc')|end()|destroy()»;", ("listener",)),
        "open several": (3, 0, "for (const k of ['a', 'b', 'c']) held[`N${k}`] = hear(`N${k}`, net.connect(address(held[R])), SOCKET_EVENTS);", ("listener",)),
        "close listener": (2, 1, "held[R].close(() => { log('N'); B0 });", ("listener",)),
        "get connections": (1, 1, "held[R].getConnections((e, n) => { log(`N ${n}`); B0 });", ("listener",)),
    },
    "modules": {
        "import": (3, 1, "import(`«node:fs|data:text/javascript,export default 1|${folder}/module.mjs|node:nope|./missing.mjs|${folder}/thrower.mjs»`).then(() => log('N'), (e) => log(`N ${describe(e)}`.split('\\n')[0])).then(() => { B0 });"),
    },
    "watchers": {
        "touch": (5, 0, "fs.writeFileSync('watched-R/N', 'a');", ("watcher",)),
        "touch and remove": (2, 0, "fs.writeFileSync('watched-R/N', 'a'); fs.unlinkSync('watched-R/N');", ("watcher",)),
        "close watcher": (1, 0, "held[R].close();", ("watcher",)),
    },
    "naps": {
        "nap": (6, 0, "nap(«1|2|3»);"),
    },
}

# kind -> (setup, [(part, object, events, [events with reactions])]); parts without a name stand for the whole resource.
SOCKET = "connect «data |»end finish drain timeout error close"
RESOURCES = {
    "tcp": ("connected(N, 'tcp', { «|allowHalfOpen: true» }, ready)",
            [("client", SOCKET, ("data", "end", "close", "finish", "drain")), ("server", SOCKET, ("data", "end", "close", "finish"))]),
    "unix": ("connected(N, 'unix', { «|allowHalfOpen: true» }, ready)",
             [("client", SOCKET, ("data", "end", "close", "finish", "drain")), ("server", SOCKET, ("data", "end", "close", "finish"))]),
    "listener": ("listening(N, '«tcp|unix»', { «|pauseOnConnect: true|allowHalfOpen: true» }, ready)", [("", "close", ("close",))]),
    "channel": ("channel(N, ready)", [("port1", "message close", ("message", "close")), ("port2", "message close", ("message", "close"))]),
    "broadcast": ("broadcast(N, ready)", [("one", "", ()), ("two", "", ())]),
    "worker": ("worker(N, ready)", [("", "message error exit", ("message", "exit"))]),
    "cat": ("cat(N, ready)", [("child", "exit close", ("exit", "close")), ("stdin", "finish error close", ("finish", "close")),
                              ("stdout", "data end close", ("data", "end", "close"))]),
    "signals": ("signals(N, ready)", [("process", "SIGUSR2 SIGHUP SIGTERM SIGWINCH SIGCONT«| SIGCHLD»", ("SIGUSR2", "SIGHUP"))]),
    "watcher": ("watcher(N, ready)", [("", "change close", ("change", "close"))]),
}
GROUP_OF_RESOURCE = {"tcp": "sockets", "unix": "sockets", "listener": "sockets", "channel": "ports", "broadcast": "ports",
                     "worker": "workers", "cat": "children", "signals": "signals", "watcher": "watchers"}

# Use of each group by programs, in percent. Flow, turns and naps are always there.
OFTEN = {"errors": 20, "timers": 40, "pool": 45, "files": 35, "streams": 15, "ports": 30, "workers": 12, "children": 25,
         "signals": 22, "sockets": 55, "modules": 12, "watchers": 12}
WEIGHT = {"flow": 10, "turns": 10, "naps": 8, "errors": 4, "timers": 12, "pool": 16, "files": 14, "streams": 8, "ports": 14,
          "workers": 12, "children": 12, "signals": 12, "sockets": 30, "modules": 5, "watchers": 12}
# Groups and kinds whose work is done by other threads or processes: settle() follows, so that it is done when the loop
# polls.
ELSEWHERE = {"pool", "files", "modules", "workers", "children", "throw in a pool callback"}
# Groups whose work takes several trips: a nap in every turn, so that each trip is done before the next poll.
SEVERAL_TRIPS = {"files", "modules", "workers", "children"}

# Possible ends of an ES module's top level. The nap lets the pool finish before the loop polls.
MODULE_ENDS = ("", "await null;\nlog('top');\n", "await timers.setImmediate();\nlog('top');\n",
               "const stats = fsp.stat('small');\nnap();\nawait stats;\nlog('top');\n", "throw new Error('top');\n", "await Promise.reject(new Error('top'));\n")

GROUPS |= kinds_web.GROUPS
RESOURCES |= kinds_web.RESOURCES
GROUP_OF_RESOURCE |= kinds_web.GROUP_OF_RESOURCE
OFTEN |= kinds_web.OFTEN
WEIGHT |= kinds_web.WEIGHT
ELSEWHERE |= kinds_web.ELSEWHERE
SEVERAL_TRIPS |= kinds_web.SEVERAL_TRIPS
KINDS = {kind: (group, *entry) for group, kinds in GROUPS.items() for kind, entry in kinds.items()}

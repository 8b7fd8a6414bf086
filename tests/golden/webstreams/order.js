'use strict';
// The microtask in which each step of pipes, transforms, tees and adapters comes.
const { Duplex, Readable, Writable } = require('node:stream');
let n = 0;
const out = [];
const log = (...a) => out.push([...a, n].join(' '));
const cases = {
  async sinkSync() {
    const w = new WritableStream({ write(c) { log('write', c); }, close() { log('close'); } }).getWriter();
    for (const c of [1, 2, 3]) w.write(c).then(() => log('wrote', c));
    w.ready.then(() => log('ready'));
    w.close().then(() => log('closed'));
  },
  async sinkAsync() {
    const w = new WritableStream({ async write(c) { log('write', c); await null; }, async close() { log('close'); } }).getWriter();
    for (const c of [1, 2, 3]) w.write(c).then(() => log('wrote', c));
    w.close().then(() => log('closed'));
  },
  async transform() {
    const t = new TransformStream({ transform(c, k) { log('transform', c); k.enqueue(c); } });
    const w = t.writable.getWriter();
    for (const c of [1, 2, 3]) w.write(c).then(() => log('wrote', c));
    w.close().then(() => log('closed'));
    for await (const c of t.readable) log('read', c);
    log('end');
  },
  async identity() {
    const t = new TransformStream();
    const w = t.writable.getWriter();
    for (const c of [1, 2, 3]) w.write(c).then(() => log('wrote', c));
    w.close();
    const r = t.readable.getReader();
    for (;;) { const x = await r.read(); log('read', x.value); if (x.done) break; }
  },
  async pipeTo() {
    let i = 0;
    const r = new ReadableStream({ pull(c) { log('pull', i); if (i < 3) c.enqueue(i++); else c.close(); } });
    await r.pipeTo(new WritableStream({ write(c) { log('write', c); } }));
    log('piped');
  },
  async pipeToAsync() {
    let i = 0;
    const r = new ReadableStream({ async pull(c) { log('pull', i); if (i < 3) c.enqueue(i++); else c.close(); } });
    await r.pipeTo(new WritableStream({ async write(c) { log('write', c); } }));
    log('piped');
  },
  async through() {
    let i = 0;
    const r = new ReadableStream({ pull(c) { if (i < 3) c.enqueue(i++); else c.close(); } }).pipeThrough(new TransformStream());
    for await (const c of r) log('read', c);
    log('end');
  },
  async tee() {
    const [a, b] = ReadableStream.from([1, 2]).tee();
    const go = async (name, s) => { for await (const c of s) log(name, c); log(name, 'end'); };
    await Promise.all([go('a', a), go('b', b)]);
  },
  async bytes() {
    const r = new ReadableStream({ type: 'bytes', pull(c) { c.enqueue(new Uint8Array(2)); if (n > 20) c.close(); } }).getReader({ mode: 'byob' });
    for (let i = 0; i < 3; i++) { const x = await r.read(new Uint8Array(4)); log('read', x.value.length); }
  },
  async fromWeb() {
    const r = Readable.fromWeb(new ReadableStream({ start(c) { c.enqueue('a'); c.enqueue('b'); c.close(); } }));
    r.on('data', (c) => log('data', c));
    r.on('end', () => log('end'));
    r.on('close', () => log('close'));
  },
  async toWeb() {
    const w = Readable.toWeb(Readable.from(['a', 'b']));
    for await (const c of w) log('read', c);
    log('end');
  },
  async writableFromWeb() {
    const w = Writable.fromWeb(new WritableStream({ write(c) { log('write', c); } }));
    w.write('a', () => log('cb a'));
    w.write('b', () => log('cb b'));
    w.end(() => log('end'));
  },
  async writableToWeb() {
    const w = Writable.toWeb(new Writable({ write(c, e, cb) { log('write'); cb(); } })).getWriter();
    w.write('a').then(() => log('wrote a'));
    w.write('b').then(() => log('wrote b'));
    w.close().then(() => log('closed'));
  },
  async duplexFromWeb() {
    const d = Duplex.fromWeb(new TransformStream());
    d.on('data', (c) => log('data', c));
    d.write('a', () => log('cb'));
    d.end('b', () => log('end'));
  },
  async errors() {
    const r = new ReadableStream({ pull() { throw new Error('x'); } });
    r.getReader().closed.catch(() => log('closed'));
    const w = new WritableStream({ write() { throw new Error('y'); } }).getWriter();
    w.write(1).catch(() => log('write'));
    w.closed.catch(() => log('wclosed'));
    w.ready.catch(() => log('ready'));
  },
  async abort() {
    const w = new WritableStream({ abort() { log('abort'); } }).getWriter();
    w.closed.catch(() => log('closed'));
    w.abort('r').then(() => log('aborted'));
    const r = new ReadableStream({ cancel() { log('cancel'); } }).getReader();
    r.closed.then(() => log('rclosed'));
    r.cancel().then(() => log('cancelled'));
  },
  async encode() {
    const t = new TextEncoderStream();
    const w = t.writable.getWriter();
    w.write('a').then(() => log('wrote'));
    w.close();
    for await (const c of t.readable) log('read', c.length);
  },
};
(async () => {
  for (const [name, f] of Object.entries(cases)) {
    out.push(`== ${name}`);
    const counting = (async () => { for (n = 0; n < 100; n++) await null; })();
    f();
    await counting;
    for (let i = 0; i < 4; i++) await new Promise(setImmediate);
  }
  console.log(out.join('\n'));
})();

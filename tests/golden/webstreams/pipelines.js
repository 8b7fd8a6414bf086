'use strict';
// Web streams in pipeline(), compose(), finished(), Duplex.from() and similar functions.
const stream = require('node:stream'); const { Duplex, Readable, Writable, PassThrough, compose, pipeline, finished, addAbortSignal } = stream; const { pipeline: pp, finished: pf } = require('node:stream/promises');
const at = async (n, f) => { try { console.log(n, await Promise.race([f(), new Promise((r) => setTimeout(r, 3000, 'TIMEOUT').unref())])); } catch (e) { console.log(n, e.name, e.code, e.message); } };
const up = () => new TransformStream({ transform(c, k) { k.enqueue(String(c).toUpperCase()); } });
(async () => {
  await at('compose ts', async () => { const d = compose(up(), new PassThrough({ objectMode: true })); d.end('abc'); return (await d.toArray()).map(String); });
  await at('compose rs first', async () => (await compose(ReadableStream.from(['a', 'b']), up()).toArray()).map(String));
  await at('compose ws last', async () => { const o = []; const d = compose(new PassThrough({ objectMode: true }), new WritableStream({ write(c) { o.push(String(c)); } })); d.end('x'); await pf(d); return o; });
  await at('readable.compose(ts)', async () => (await Readable.from(['q']).compose(up()).toArray()).map(String));
  await at('Duplex.from rs', async () => (await Duplex.from(ReadableStream.from(['r'])).toArray()).map(String));
  await at('Duplex.from ws', async () => { const o = []; const d = Duplex.from(new WritableStream({ write(c) { o.push(String(c)); } })); d.end('w'); await pf(d); return o; });
  await at('Duplex.from pair', async () => { const t = up(); const d = Duplex.from({ readable: t.readable, writable: t.writable }); d.end('p'); return (await d.toArray()).map(String); });
  await at('Duplex.from blob', async () => (await Duplex.from(new Blob(['blob!'])).toArray()).map(String));
  await at('Duplex.from async fn', async () => { const d = Duplex.from(async function (s) { for await (const c of s) console.log('fn', String(c)); }); d.end('z'); await pf(d); return 'ok'; });
  await at('pipeline web->fn', async () => pp(ReadableStream.from(['1', '2']), async (s) => { let r = ''; for await (const c of s) r += c; return r; }));
  await at('pipeline web->node', async () => { const o = []; await pp(ReadableStream.from(['1', '2']), up(), new Writable({ write(c, e, cb) { o.push(String(c)); cb(); } })); return o; });
  await at('pipeline node->web err', async () => pp(Readable.from(['a']), new WritableStream({ write() { throw new Error('werr'); } })));
  await at('pipeline web err', async () => pp(new ReadableStream({ pull(c) { c.error(new Error('rerr')); } }), new PassThrough()));
  await at('pipeline ts err', async () => pp(ReadableStream.from(['a']), new TransformStream({ transform() { throw new Error('terr'); } }), new WritableStream()));
  await at('pipeline gen web', async () => { const o = []; await pp(async function* () { yield 'g'; }, new WritableStream({ write(c) { o.push(c); } })); return o; });
  await at('finished ws', async () => { const w = new WritableStream(); const p = pf(w); w.close(); return p; });
  await at('finished rs cancelled', async () => { const r = new ReadableStream(); const p = pf(r); r.cancel(); return p; });
  await at('finished rs error', async () => { let k; const r = new ReadableStream({ start(c) { k = c; } }); const p = pf(r); k.error(new Error('fe')); return p; });
  await at('addAbortSignal ws', async () => { const ac = new AbortController(); const w = addAbortSignal(ac.signal, new WritableStream()); ac.abort(); return w.getWriter().write('x'); });
  await at('isX', async () => { const w = new WritableStream(); const r = new ReadableStream(); return [stream.isWritable(w), stream.isReadable(r), stream.isErrored(w), stream.isDisturbed(r), stream.isDestroyed?.(r)]; });
})();

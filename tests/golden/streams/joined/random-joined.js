'use strict';
// Random programs of pipeline(), compose(), Duplex.from(), iterators and operators, over streams, iterables, functions and web
// streams. The log says in which microtask each step came.
const { Duplex, PassThrough, Readable, Transform, Writable, addAbortSignal, compose, finished, pipeline } = require('node:stream');
const [first, count] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 100)];
let random;
function seed(n) {
  let state = n * 2654435761 >>> 0;
  random = (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}
const pick = (...list) => list[random(list.length)];

let turn;
let lines;
const show = (x) => (x instanceof Error ? `${x.code ?? x.name}: ${x.message}` : String(x));
const say = (...what) => lines.push(`${turn} ${what.map(show).join(' ')}`);
const schedule = (f) => pick((...a) => f(...a), (...a) => process.nextTick(f, ...a), (...a) => queueMicrotask(() => f(...a)), (...a) => setImmediate(f, ...a));
const fails = () => random(9) === 0;

function events(name, stream) {
  for (const event of ['end', 'finish', 'close', 'error', 'drain']) stream.on(event, (value) => say(name, event, value ?? ''));
  return stream;
}
function makeReadable() {
  const limit = random(6);
  let i = 0;
  const bad = fails();
  return events('readable', new Readable({
    objectMode: true,
    highWaterMark: random(4),
    read() {
      schedule(() => {
        if (bad && i === 2) this.destroy(new Error('read'));
        else this.push(i < limit ? `r${i++}` : null);
      })();
    },
  }));
}
function makeTransform() {
  const bad = fails();
  const more = random(3);
  return events('transform', new Transform({
    objectMode: true,
    highWaterMark: 1 + random(3),
    transform(chunk, encoding, callback) {
      for (let i = 0; i < more; i++) this.push(`${chunk}'`);
      schedule(callback)(bad && random(2) ? new Error('transform') : null);
    },
    flush(callback) { schedule(callback)(null, random(2) ? 'flushed' : undefined); },
  }));
}
function makeWritable() {
  const bad = fails();
  return events('writable', new Writable({
    objectMode: true,
    highWaterMark: 1 + random(3),
    write(chunk, encoding, callback) {
      say('write', chunk);
      schedule(callback)(bad && random(2) ? new Error('write') : null);
    },
    final(callback) { schedule(callback)(); },
  }));
}
async function* generate(n, bad) {
  try {
    for (let i = 0; i < n; i++) {
      if (bad && i === 1) throw new Error('generate');
      yield `g${i}`;
      if (random(2)) await null;
    }
  } finally {
    say('generator left');
  }
}
function makeSource() {
  return pick(
    makeReadable, makeReadable, () => Readable.from(['a', 'b', 'c'].slice(random(3))), () => ['x', 'y'], () => generate(random(4), fails()),
    () => () => generate(random(4), fails()), () => ReadableStream.from(['w', 'v']),
  )();
}
function makeMiddle() {
  const bad = fails();
  return pick(
    makeTransform, makeTransform, () => new PassThrough({ objectMode: true }),
    () => async function*(source) {
      for await (const chunk of source) {
        if (bad) throw new Error('middle');
        yield `${chunk}+`;
        if (random(8) === 0) return;
      }
    },
    () => new TransformStream({ transform(chunk, controller) { controller.enqueue(`${chunk}#`); } }),
  )();
}
function makeEnd() {
  const bad = fails();
  return pick(
    makeWritable, makeWritable, () => events('last', new PassThrough({ objectMode: true }).resume()),
    () => async (source) => {
      const all = [];
      for await (const chunk of source) {
        say('took', chunk);
        if (bad) throw new Error('last');
        all.push(chunk);
        if (random(8) === 0) break;
      }
      return all.join();
    },
    () => new WritableStream({ write(chunk) { say('web write', chunk); if (bad) throw new Error('web'); }, close() { say('web close'); }, abort(e) { say('web abort', e); } }),
  )();
}
const middles = () => Array.from({ length: random(3) }, makeMiddle);
const asReadable = (source) => (source instanceof Readable ? source : Readable.from(typeof source === 'function' ? source() : source));

async function consume(name, iterable) {
  try {
    for await (const chunk of iterable) {
      say(name, chunk);
      if (random(10) === 0) break;
    }
    say(name, 'over');
  } catch (error) {
    say(name, error);
  }
}

const programs = [
  function pipe() {
    const streams = [makeSource(), ...middles(), makeEnd()];
    const result = pipeline(...streams, (error, value) => say('done', error, value));
    if (random(6) === 0) setImmediate(() => result.destroy?.(new Error('result destroyed')));
  },
  async function pipeAsync() {
    const controller = new AbortController();
    const options = { end: random(4) !== 0 };
    if (random(2)) options.signal = controller.signal;
    schedule(() => random(3) && controller.abort())();
    try {
      say('done', await require('node:stream/promises').pipeline(makeSource(), ...middles(), makeEnd(), options));
    } catch (error) {
      say('failed', error);
    }
  },
  function composed() {
    const d = events('composed', compose(...Array.from({ length: 1 + random(2) }, makeMiddle), makeTransform()));
    finished(d, (error) => say('finished', error));
    const n = random(5);
    for (let i = 0; i < n; i++) d.write(`c${i}`, (error) => say('written', error));
    if (random(5)) d.end();
    if (random(6) === 0) schedule(() => d.destroy(random(2) ? new Error('composed') : undefined))();
    consume('from composed', d);
  },
  function joined() {
    const d = events('joined', Duplex.from(pick(
      () => ({ readable: makeReadable(), writable: makeWritable() }), () => ({ writable: makeWritable() }), makeReadable,
      () => async function*(source) { for await (const chunk of source) yield `${chunk}*`; },
      () => async (source) => { for await (const chunk of source) { say('in function', chunk); if (random(4) === 0) return; } },
      () => generate(3, fails()), () => Promise.resolve('promised'),
    )()));
    if (d.writable) for (let i = 0; i < 3; i++) d.write(`d${i}`, (error) => say('written', error));
    if (d.writable && random(4)) d.end();
    if (d.readable) consume('from joined', d);
    if (random(5) === 0) setImmediate(() => d.destroy());
  },
  async function operated() {
    let stream = asReadable(makeSource());
    for (let i = 0; i < 1 + random(3); i++) {
      const bad = fails();
      stream = pick(
        () => stream.map((x) => { if (bad) throw new Error('map'); return `${x}m`; }),
        () => stream.map(async (x) => { await null; return `${x}a`; }, { concurrency: 1 + random(3) }),
        () => stream.filter((x) => String(x).length % 2), () => stream.flatMap((x) => [x, `${x}f`]), () => stream.take(random(3)), () => stream.drop(random(3)),
      )();
    }
    try {
      say('result', await pick(
        () => stream.toArray(), () => stream.reduce((a, b) => a + b, ''), () => stream.some((x) => x), () => stream.every((x) => x),
        () => stream.find((x) => String(x).length > 2), () => stream.forEach((x) => say('each', x)), () => consume('iterated', stream),
      )());
    } catch (error) {
      say('failed', error);
    }
  },
  function iterated() {
    const stream = asReadable(makeSource());
    const controller = new AbortController();
    if (random(4) === 0) {
      addAbortSignal(controller.signal, stream);
      schedule(() => controller.abort())();
    }
    if (random(3)) {
      consume('iterated', random(2) ? stream : stream.iterator({ destroyOnReturn: random(2) === 0 }));
      return;
    }
    const iterator = stream[Symbol.asyncIterator]();
    for (let i = 0; i < 4; i++) {
      const method = pick('next', 'next', 'next', 'return', 'throw');
      iterator[method](new Error('given')).then(({ done, value }) => say(method, done, value), (error) => say(method, error));
    }
  },
];

process.on('unhandledRejection', (error) => say('unhandled', error));
process.on('uncaughtException', (error) => say('uncaught', error));
(async () => {
  for (let n = first; n < first + count; n++) {
    seed(n);
    lines = [];
    turn = 0;
    const counting = (async () => { while (turn < 60) { await null; turn++; } })();
    const program = programs[random(programs.length)];
    try { program(); } catch (error) { say('thrown', error); }
    await counting;
    for (let i = 0; i < 40; i++) await new Promise(setImmediate);
    console.log(`--- ${n} ${program.name}\n${lines.join('\n')}`);
  }
})();

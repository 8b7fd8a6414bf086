'use strict';
// Random programs of web streams: sources, transforms, pipes, tees and sinks, with errors, cancellations and aborts at random
// moments. The log says in which microtask each step came.
const [first, count] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 120)];
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
const say = (...what) => lines.push(`${turn} ${what.map((x) => x?.message ?? (ArrayBuffer.isView(x) ? `${x.constructor.name}(${x.byteLength})` : String(x))).join(' ')}`);
const watch = (name, promise) => promise.then((x) => say(name, 'resolved', x), (e) => say(name, 'rejected', e));
const later = async (n, f) => { for (let i = 0; i < n; i++) await null; try { f(); } catch (e) { say('thrown', e); } };
// The result of a callback: nothing, a promise at some moment, or a failure.
const result = (name) => pick(
  () => undefined, () => undefined, () => undefined, () => 7, async () => {}, async () => { await null; },
  () => new Promise((resolve) => later(random(6), resolve)), () => ({ then(resolve) { resolve(); } }),
  random(4) ? () => undefined : () => { throw new Error(`${name} threw`); },
  random(4) ? () => undefined : async () => { throw new Error(`${name} failed`); },
);

function makeSource() {
  const limit = random(6);
  let next = 0;
  const isBytes = random(4) === 0;
  const pulls = result('pull');
  const batch = 1 + random(3);
  const cancel = result('cancel');
  const source = {
    start: random(3) ? undefined : pick(() => {}, async () => {}, (c) => { if (!isBytes) c.enqueue('s'); }),
    pull(controller) {
      say('pull', controller.desiredSize);
      for (let i = 0; i < batch; i++) {
        if (next >= limit) {
          if (next++ === limit) {
            controller.close();
            controller.byobRequest?.respond(0);
          }
          return undefined;
        }
        next++;
        if (isBytes && controller.byobRequest && random(2)) {
          controller.byobRequest.view[0] = next;
          controller.byobRequest.respond(1);
        } else {
          controller.enqueue(isBytes ? new Uint8Array(1 + random(3)) : next);
        }
      }
      return pulls();
    },
    cancel(reason) {
      say('source cancel', reason);
      return cancel();
    },
  };
  if (source.start === undefined) delete source.start;
  if (isBytes) {
    source.type = 'bytes';
    if (random(2)) source.autoAllocateChunkSize = 1 + random(4);
    return new ReadableStream(source, { highWaterMark: random(5) });
  }
  if (random(5) === 0) return ReadableStream.from(pick([1, 2, 3], (async function*() { yield 'a'; yield 'b'; })(), [Promise.resolve('p'), {}]));
  return new ReadableStream(source, pick(undefined, { highWaterMark: 0 }, { highWaterMark: 2 }, { highWaterMark: 4, size: () => 1.5 }));
}

function makeSink(name) {
  const write = result(`${name} write`);
  const close = result(`${name} close`);
  const abort = result(`${name} abort`);
  return new WritableStream({
    write(chunk, controller) {
      say(name, 'write', chunk, controller.signal.aborted);
      return write();
    },
    close() {
      say(name, 'close');
      return close();
    },
    abort(reason) {
      say(name, 'abort', reason);
      return abort();
    },
  }, pick(undefined, { highWaterMark: 0 }, { highWaterMark: 3 }));
}

function makeTransform(name) {
  if (random(3) === 0) return new TransformStream();
  const transform = result(`${name} transform`);
  const kind = random(12);
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      say(name, 'transform', chunk, controller.desiredSize);
      for (let i = 0; i < 1 + kind % 3; i++) controller.enqueue(chunk);
      if (++seen === 2 && kind === 3) controller.terminate();
      if (seen === 2 && kind === 4) controller.error(new Error(`${name} error`));
      return transform();
    },
    flush(controller) {
      say(name, 'flush');
      if (kind % 2) controller.enqueue('flushed');
    },
    cancel(reason) { say(name, 'cancel', reason); },
  }, pick(undefined, { highWaterMark: 0 }, { highWaterMark: 2 }), pick(undefined, { highWaterMark: 1 }, { highWaterMark: 3 }));
}

async function read(name, stream) {
  const kind = random(5);
  if (kind === 0) {
    try {
      for await (const chunk of stream.values({ preventCancel: random(3) === 0 })) {
        say(name, 'iterated', chunk);
        if (random(6) === 0) break;
      }
      say(name, 'left');
    } catch (error) {
      say(name, 'threw', error);
    }
    return;
  }
  let reader;
  try { reader = stream.getReader({ mode: random(3) === 0 ? 'byob' : undefined }); } catch { reader = stream.getReader(); }
  watch(`${name} closed`, reader.closed);
  const get = () => (reader instanceof ReadableStreamBYOBReader ? reader.read(new Uint8Array(1 + random(4))) : reader.read());
  if (kind === 1) for (let i = 0; i < 4; i++) get().then(({ done, value }) => say(name, 'read', done, value), (error) => say(name, 'failed', error));
  if (random(5) === 0) later(random(12), () => watch(`${name} cancel`, reader.cancel(new Error('unwanted'))));
  if (random(8) === 0) later(random(12), () => { reader.releaseLock(); say(name, 'released'); });
  if (kind === 1) return;
  try {
    for (;;) {
      const { done, value } = await get();
      say(name, 'read', done, value);
      if (done) return;
    }
  } catch (error) {
    say(name, 'failed', error);
  }
}

function write(name, stream) {
  const writer = stream.getWriter();
  watch(`${name} closed`, writer.closed);
  watch(`${name} ready`, writer.ready);
  const n = random(5);
  for (let i = 0; i < n; i++) later(random(8), () => watch(`${name} write ${i}`, writer.write(i)));
  if (random(3)) later(8 + random(4), () => watch(`${name} close`, writer.close()));
  if (random(4) === 0) later(random(14), () => watch(`${name} abort`, writer.abort(new Error('stop'))));
  later(random(14), () => say(name, 'size', writer.desiredSize));
}

function run() {
  if (random(4) === 0) {
    write('writer', makeSink('sink'));
    return;
  }
  let stream;
  if (random(4) === 0) {
    const transform = makeTransform('first');
    write('writer', transform.writable);
    stream = transform.readable;
  } else {
    stream = makeSource();
  }
  if (random(3) === 0) stream = stream.pipeThrough(makeTransform('through'), { preventClose: random(6) === 0 });
  if (random(4) === 0) {
    const [a, b] = stream.tee();
    read('branch', a);
    stream = b;
  }
  if (random(2)) {
    read('reader', stream);
    return;
  }
  const controller = new AbortController();
  const options = { preventClose: random(5) === 0, preventAbort: random(5) === 0, preventCancel: random(5) === 0 };
  if (random(3) === 0) {
    options.signal = controller.signal;
    later(random(14), () => controller.abort(pick(undefined, new Error('aborted'))));
  }
  watch('pipe', stream.pipeTo(makeSink('sink'), options));
}

process.on('unhandledRejection', (error) => say('unhandled', error));
(async () => {
  for (let n = first; n < first + count; n++) {
    seed(n);
    lines = [];
    turn = 0;
    const counting = (async () => { while (turn < 60) { await null; turn++; } })();
    try { run(); } catch (error) { say('thrown', error); }
    await counting;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    console.log(`--- ${n}\n${lines.join('\n')}`);
  }
})();

'use strict';
// Random programs over streams: a line for each, with the number of things that happened and a hash of their order.
// `node random.js 17` shows what happens in program 17.
const { Duplex, Readable, Transform, Writable, finished, pipeline } = require('node:stream');

let state;
const random = (n) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >> 8) % n;
};
const pick = (list) => list[random(list.length)];
const reason = (error) => (error ? error.code ?? error.message : '');
const show = (chunk) => (chunk !== null && typeof chunk === 'object' && !Buffer.isBuffer(chunk) ? `{${chunk.v}}` : String(chunk));
// At once, in a tick, in a turn: how a stream calls back.
const callers = [(f, ...args) => f(...args), process.nextTick, setImmediate];

function makeOptions(log, kind, name, objectMode) {
  const options = { objectMode, highWaterMark: pick([0, 1, 2, 3, 5, 16]) };
  if (random(4) === 0) options.autoDestroy = false;
  if (random(6) === 0) options.emitClose = false;
  if (random(5) === 0) options.encoding = pick(['utf8', 'hex']);
  if (random(5) === 0) options.decodeStrings = false;
  if (random(6) === 0) options.allowHalfOpen = false;
  const chunk = () => (objectMode ? { v: random(10) } : 'abcdefgh'.slice(0, 1 + random(4)));
  const readLater = pick(callers);
  const writeLater = pick(callers);
  const fault = random(12);
  let left = random(6);
  options.read = function(size) {
    log(name, '_read', size);
    readLater(() => {
      if (this.destroyed) return;
      if (fault === 1 && left === 1) this.destroy(new Error('reading'));
      else if (left-- > 0) log(name, 'pushed', this.push(chunk()));
      else this.push(null);
    });
  };
  options.write = function(data, encoding, callback) {
    log(name, '_write', show(data), encoding);
    writeLater(callback, fault === 2 ? new Error('writing') : null);
  };
  if (random(4) === 0) {
    options.writev = function(list, callback) {
      log(name, '_writev', list.map((item) => show(item.chunk)).join());
      writeLater(callback);
    };
  }
  if (random(4) === 0) {
    const later = pick(callers);
    options.final = function(callback) {
      log(name, '_final');
      later(callback);
    };
  }
  if (random(5) === 0) {
    const later = pick(callers);
    options.destroy = function(error, callback) {
      log(name, '_destroy', reason(error));
      later(callback, error);
    };
  }
  if (random(8) === 0) {
    options.construct = function(callback) {
      log(name, '_construct');
      setImmediate(callback);
    };
  }
  if (kind === 'transform') {
    delete options.read;
    delete options.write;
    delete options.writev;
    delete options.final;
    const twice = random(3) === 0;
    options.transform = function(data, encoding, callback) {
      log(name, '_transform');
      if (twice) this.push(data);
      writeLater(callback, fault === 3 ? new Error('transforming') : null, data);
    };
    if (random(2)) options.flush = function(callback) { callback(null, chunk()); };
  }
  return { options, chunk };
}

const classes = { readable: Readable, writable: Writable, duplex: Duplex, transform: Transform };
function make(log, kind, index, objectMode) {
  const name = `${kind}${index}`;
  const { options, chunk } = makeOptions(log, kind, name, objectMode);
  const stream = new classes[kind](options);
  for (const event of ['end', 'finish', 'close', 'error', 'drain', 'prefinish', 'pause', 'resume', 'pipe', 'unpipe']) {
    stream.on(event, (value) => log(name, event, value instanceof Error ? reason(value) : ''));
  }
  return { stream, name, chunk };
}

const readableSteps = [
  ({ stream, name }, log) => stream.on('data', (chunk) => log(name, 'data', show(chunk))),
  ({ stream, name }, log) => stream.on('readable', () => log(name, 'readable')),
  ({ stream, name }, log) => log(name, 'read', show(stream.read(pick([undefined, 0, 1, 2, 5])))),
  ({ stream, name }, log) => log(name, 'read', show(stream.read())),
  ({ stream }) => stream.pause(),
  ({ stream }) => stream.resume(),
  ({ stream, name, chunk }, log) => log(name, 'push', stream.push(chunk())),
  ({ stream, name, chunk }, log) => log(name, 'unshift', stream.unshift(chunk())),
  ({ stream, name }, log) => random(3) || log(name, 'push end', stream.push(null)),
  ({ stream }) => stream.removeAllListeners('readable'),
  ({ stream }) => stream.unpipe(),
];
const writableSteps = [
  ({ stream, name, chunk }, log) => log(name, 'write', stream.write(chunk())),
  ({ stream, name, chunk }, log) => log(name, 'write', stream.write(chunk(), (error) => log(name, 'written', reason(error)))),
  ({ stream, name, chunk }, log) => log(name, 'write', stream.write(chunk(), (error) => log(name, 'written', reason(error)))),
  ({ stream }) => stream.cork(),
  ({ stream }) => stream.uncork(),
  ({ stream, name, chunk }, log) => random(2) || stream.end(random(2) ? chunk() : undefined, (error) => log(name, 'ended', reason(error))),
];
const otherSteps = [
  ({ stream, name }, log) => finished(stream, (error) => log(name, 'finished', reason(error))),
  ({ stream }) => random(2) || stream.destroy(random(2) ? new Error('destroyed') : undefined),
];

async function run(seed, log) {
  state = seed * 7919 + 17;
  const objectMode = random(3) === 0;
  const kinds = pick([
    ['readable'], ['writable'], ['duplex'], ['transform'], ['readable', 'writable'], ['readable', 'transform', 'writable'],
    ['readable', 'duplex'], ['readable', 'transform'],
  ]);
  const all = kinds.map((kind, index) => make(log, kind, index, objectMode));
  const link = random(3);
  if (all.length > 1 && link === 0) pipeline(...all.map((item) => item.stream), (error) => log('pipeline', reason(error)));
  for (let i = 0; link === 1 && i + 1 < all.length; i++) all[i].stream.pipe(all[i + 1].stream, { end: random(4) !== 0 });
  for (let i = 0; i < 16; i++) {
    const item = pick(all);
    const { stream, name } = item;
    const steps = pick([readableSteps, writableSteps, otherSteps]);
    if (random(4) === 0) {
      await new Promise(pick([setImmediate, process.nextTick]));
    } else if ((steps !== readableSteps || stream._readableState) && (steps !== writableSteps || stream._writableState)) {
      try {
        pick(steps)(item, log);
      } catch (error) {
        log(name, 'thrown', reason(error));
      }
    }
    log(name, stream.destroyed, stream.closed, stream.readable, stream.writable, stream.readableLength, stream.readableFlowing);
    log(name, stream.writableLength, stream.writableNeedDrain, stream.writableFinished, reason(stream.errored));
  }
  for (let i = 0; i < 12; i++) await new Promise(setImmediate);
  for (const { stream, name } of all) {
    log(name, stream.destroyed, stream.closed, stream.readableEnded, stream.writableFinished, reason(stream.errored));
    stream.removeAllListeners();
    stream.on('error', () => {});
    stream.destroy();
  }
  await new Promise(setImmediate);
}

(async () => {
  const only = process.argv[2];
  for (let seed = only ?? 0; seed <= (only ?? 599); seed++) {
    const lines = [];
    await run(seed, (...args) => lines.push(args.join(' ')));
    if (only !== undefined) console.log(lines.join('\n'));
    let hash = 0;
    for (const letter of lines.join('\n')) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
    console.log(seed, lines.length, hash);
  }
})();
process.on('uncaughtException', (error) => console.log('uncaught', reason(error)));

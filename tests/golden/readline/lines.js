'use strict';
// Lines from streams that are no terminals.
const { PassThrough, Readable } = require('node:stream');
const readline = require('node:readline');
const tick = () => new Promise(setImmediate);

async function lines(title, chunks, options) {
  const input = new PassThrough();
  const rl = readline.createInterface({ input, ...options });
  const seen = [];
  rl.on('line', (line) => seen.push(line));
  let isClosed = false;
  rl.on('close', () => { isClosed = true; });
  for (const chunk of chunks) {
    input.write(chunk);
    await tick();
  }
  const before = seen.length;
  input.end();
  await tick();
  await tick();
  console.log(title.padEnd(16), JSON.stringify(seen), before, isClosed);
}

(async () => {
  await lines('plain', ['a\nb\nc']);
  await lines('ends', ['a\nb\n']);
  await lines('pieces', ['a', 'b', '\nc', '\n', '\n', 'd\ne']);
  await lines('crlf', ['a\r\nb\r\n', 'c\r', '\nd\r', 'e\r']);
  await lines('cr', ['a\rb\r\rc']);
  await lines('others', ['a\u2028b\u2029c\n\r\nd']);
  await lines('split utf-8', [Buffer.from([0xe2, 0x82]), Buffer.from([0xac, 10]), Buffer.from([0xe2])]);
  await lines('empty', []);
  await lines('empty lines', ['\n\n', '\n']);
  await lines('mixed', ['a\n', 'b\rc\nd', '\r\n', 'e\u2028', 'f']);
  await lines('delay', ['a\r', '\n', 'b\n'], { crlfDelay: Infinity });

  // The iterator.
  const found = [];
  for await (const line of readline.createInterface({ input: Readable.from(['x\ny', 'z\n', 'last']) })) found.push(line);
  console.log(found);
  const many = Array.from({ length: 5000 }, (_, i) => `line ${i}`);
  let count = 0;
  for await (const line of readline.createInterface({ input: Readable.from([many.join('\n')]) })) {
    if (line !== many[count]) console.log('differs', count);
    count++;
  }
  console.log(count);
  const left = readline.createInterface({ input: Readable.from(['1\n2\n3\n']) });
  for await (const line of left) { console.log('first', line); break; }
  const failing = new Readable({ read() { this.push('ok\n'); this.destroy(new Error('torn')); } });
  try {
    for await (const line of readline.createInterface({ input: failing })) console.log(line);
  } catch (error) {
    console.log('caught', error.message);
  }

  // Events, pausing, writing, and what comes after close().
  const input = new PassThrough();
  const rl = readline.createInterface({ input, prompt: 'ask: ' });
  for (const name of ['line', 'pause', 'resume', 'close', 'history']) rl.on(name, (...args) => console.log(name, ...args));
  rl.pause();
  rl.pause();
  rl.write('written\npart');
  rl.write('ial\n');
  console.log(rl.getPrompt(), rl.terminal, rl.line, rl.cursor, rl.columns, rl.getCursorPos());
  input.write('one\ntwo\n');
  await tick();
  rl.on('line', () => rl.close());
  input.write('three\nfour\n');
  await tick();
  console.log(input.listenerCount('data'), input.listenerCount('end'), input.isPaused());
  rl.close();
  console.log(rl.closed, rl.paused);
  const attempts = [
    () => rl.prompt(), () => rl.question('late', () => {}), () => rl.write('x\n'), () => rl.pause(), () => rl.resume(),
    () => rl[Symbol.dispose](),
  ];
  for (const attempt of attempts) {
    try { console.log(attempt()); } catch (error) { console.log(error.code, error.message); }
  }

  // An abort closes.
  const controller = new AbortController();
  const closing = readline.createInterface({ input: new PassThrough(), signal: controller.signal });
  closing.on('close', () => console.log('closed by signal'));
  controller.abort();
  const late = readline.createInterface({ input: new PassThrough(), signal: AbortSignal.abort() });
  late.on('close', () => console.log('closed later'));
})();

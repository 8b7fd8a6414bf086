'use strict';
// Questions: callbacks, promises, signals, prompts.
const { PassThrough, Writable } = require('node:stream');
const { promisify } = require('node:util');
const readline = require('node:readline');
const promises = require('node:readline/promises');
const tick = () => new Promise(setImmediate);

function make(create) {
  const input = new PassThrough();
  const written = [];
  const output = new Writable({ write(chunk, encoding, callback) { written.push(String(chunk)); callback(); } });
  const rl = create({ input, output });
  return { rl, input, written };
}

(async () => {
  const { rl, input, written } = make(readline.createInterface);
  rl.on('line', (line) => console.log('line', line));
  rl.question('Name? ', (answer) => {
    console.log('answer', answer, JSON.stringify(rl.getPrompt()));
    rl.question('Age? ', { }, (age) => console.log('age', age));
  });
  console.log(JSON.stringify(rl.getPrompt()));
  rl.question('Ignored? ', () => console.log('never'));
  input.write('Ann\n7\nrest\n');
  await tick();
  console.log(written);

  const ask = promisify(rl.question).bind(rl);
  const asked = ask('Promise? ');
  input.write('yes\n');
  console.log(await asked);
  const controller = new AbortController();
  rl.question('Cancelled? ', { signal: controller.signal }, () => console.log('never'));
  controller.abort();
  input.write('plain\n');
  await tick();
  rl.question('Not asked', { signal: AbortSignal.abort() }, () => console.log('never'));
  await ask('Not asked', { signal: AbortSignal.abort() }).catch((error) => console.log(error.name, error.code));
  for (const attempt of [() => rl.question('x', { signal: 1 }, () => {}), () => rl.question('no callback'), () => rl.question('x', 1, 2)]) {
    try { console.log(attempt()); } catch (error) { console.log(error.code, error.message); }
  }
  rl.close();

  const second = make(promises.createInterface);
  const first = second.rl.question('First? ');
  second.input.write('1\n');
  console.log(await first);
  const stop = new AbortController();
  const cancelled = second.rl.question('Second? ', { signal: stop.signal });
  stop.abort('why');
  await cancelled.catch((error) => console.log(error.name, error.cause));
  await second.rl.question('x', { signal: AbortSignal.abort() }).catch((error) => console.log(error.name));
  await second.rl.question('x', { signal: 'x' }).catch((error) => console.log(error.code, error.message));
  console.log(second.written);
  second.rl.close();
  await second.rl.question('late').catch((error) => console.log(error.code, error.message));

  // Hiding what is typed is done by replacing this method.
  const hidden = make((options) => readline.createInterface({ ...options, terminal: true }));
  hidden.rl._writeToOutput = (text) => hidden.written.push(`<${text.length}>`);
  hidden.rl.question('Password: ', (answer) => console.log('password', answer));
  hidden.input.write('s3');
  hidden.input.write('cret\r');
  await tick();
  console.log(hidden.written);
})();

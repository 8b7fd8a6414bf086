'use strict';
// Wrong options, wrong arguments.
const { PassThrough } = require('node:stream');
const readline = require('node:readline');
const { Readline } = require('node:readline/promises');
const input = new PassThrough();
const attempts = {
  'nothing': () => readline.createInterface(),
  'no input': () => readline.createInterface({}),
  'completer': () => readline.createInterface({ input, completer: 'x' }),
  'history': () => readline.createInterface({ input, history: 'x' }),
  'historySize': () => readline.createInterface({ input, historySize: -1 }),
  'historySize NaN': () => readline.createInterface({ input, historySize: NaN }),
  'historySize text': () => readline.createInterface({ input, historySize: '1' }),
  'tabSize': () => readline.createInterface({ input, tabSize: 0 }),
  'tabSize text': () => readline.createInterface({ input, tabSize: 'x' }),
  'tabSize 1.5': () => readline.createInterface({ input, tabSize: 1.5 }),
  'signal': () => readline.createInterface({ input, signal: 'x' }),
  'cursorTo callback': () => readline.cursorTo(input, 1, 1, 'x'),
  'cursorTo text': () => readline.cursorTo(input, 'a', 'b'),
  'cursorTo row': () => readline.cursorTo(input, 'a', 1),
  'cursorTo NaN': () => readline.cursorTo(input, NaN),
  'cursorTo null': () => readline.cursorTo(null, 1),
  'moveCursor callback': () => readline.moveCursor(input, 1, 1, 1),
  'moveCursor null': () => readline.moveCursor(undefined, 1, 1),
  'clearLine callback': () => readline.clearLine(input, 0, null),
  'clearScreenDown callback': () => readline.clearScreenDown(input, {}),
  'Readline nothing': () => new Readline(),
  'Readline object': () => new Readline({}),
  'Readline autoCommit': () => new Readline(new PassThrough(), { autoCommit: 1 }),
  'Readline cursorTo': () => new Readline(new PassThrough()).cursorTo('1'),
  'Readline cursorTo y': () => new Readline(new PassThrough()).cursorTo(1, 1.5),
  'Readline moveCursor': () => new Readline(new PassThrough()).moveCursor('1', 1),
  'Readline clearLine': () => new Readline(new PassThrough()).clearLine(2),
  'output': () => readline.createInterface({ input }).output,
  'call': () => readline.Interface({ input }) instanceof readline.Interface,
  'defaults': () => {
    const rl = readline.createInterface({ input, crlfDelay: 5, historySize: 3 });
    return [rl.crlfDelay, rl.historySize, rl.tabSize, rl.escapeCodeTimeout, rl.terminal, rl.getPrompt(), rl.history, rl.line];
  },
  'keys': () => Object.keys(readline),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    console.log(name.padEnd(24), attempt());
  } catch (error) {
    console.log(name.padEnd(24), error.name, error.code, error.code ? error.message : '');
  }
}
// The class that gathers movements.
(async () => {
  const stream = new PassThrough({ encoding: 'utf8' });
  const cursor = new Readline(stream);
  console.log(cursor.cursorTo(1).cursorTo(2, 3).moveCursor(-1, 2).moveCursor(0, 0).clearLine(-1).clearLine(0).clearLine(1).clearScreenDown() === cursor);
  await cursor.commit();
  console.log(JSON.stringify(stream.read()));
  cursor.clearScreenDown().rollback();
  await cursor.commit();
  console.log(JSON.stringify(stream.read()));
  const automatic = new Readline(stream, { autoCommit: true });
  automatic.clearLine(0);
  console.log(JSON.stringify(stream.read()));
  setImmediate(() => console.log(JSON.stringify(stream.read())));
})();

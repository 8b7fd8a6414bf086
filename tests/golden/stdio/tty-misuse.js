'use strict';
// tty: wrong descriptors, and the functions of terminals on things that are none.
const stream = require('node:stream');
const tty = require('node:tty');
const log = console.log;

log(Object.keys(tty).join(), tty.ReadStream.name, tty.WriteStream.name, tty.ReadStream.length, tty.WriteStream.length);
log([0, 1, -1, 1.5, 99999, 2 ** 31, 2 ** 40, NaN, '0', null, undefined, {}].map((fd) => tty.isatty(fd)).join());
for (const Class of [tty.ReadStream, tty.WriteStream]) {
  for (const fd of [-1, 'a', undefined, null, 1.5, 2 ** 31, {}, 99999]) {
    for (const make of [() => new Class(fd), () => Class(fd)]) {
      try {
        make();
        log('made');
      } catch (error) {
        log(Class.name, error.name, error.code, error.message, Object.keys(error).join());
        if (error.code === 'ERR_TTY_INIT_FAILED') log(error.errno, error.syscall, error.info);
      }
    }
  }
}
log(tty.WriteStream.prototype.isTTY, Object.keys(tty.WriteStream.prototype).join(), Object.keys(tty.ReadStream.prototype).join());

// The methods write to whatever they belong to.
const texts = [];
const terminal = Object.create(tty.WriteStream.prototype, {
  write: { value(text, callback) { texts.push(text); if (callback) process.nextTick(callback); return true; } },
  columns: { value: 80 },
  rows: { value: 24 },
});
terminal.cursorTo(3);
terminal.cursorTo(3, 4);
terminal.cursorTo(0, () => texts.push('called'));
terminal.moveCursor(-1, 2);
terminal.moveCursor(1, -2);
terminal.moveCursor(0, 0);
terminal.clearLine(-1);
terminal.clearLine(0);
terminal.clearLine(1);
terminal.clearScreenDown();
log(terminal.getWindowSize());
for (const attempt of [
  () => terminal.cursorTo('a', 1), () => terminal.cursorTo(NaN), () => terminal.cursorTo(1, NaN), () => terminal.cursorTo('a'),
  () => terminal.cursorTo(1, 2, 3), () => terminal.moveCursor(1, 1, 'x'), () => terminal.clearLine(1, 'x'),
  () => terminal.clearScreenDown('x'), () => terminal.cursorTo(),
]) {
  try { log(attempt()); } catch (error) { log(error.name, error.code, error.message); }
}
setImmediate(() => log(texts));
log(tty.WriteStream.prototype instanceof stream.Stream, tty.ReadStream.prototype instanceof stream.Readable);

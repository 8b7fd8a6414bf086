// new Console(): its streams, its options, its mistakes.
const { Console } = require('console');

class Sink {
  constructor(name) { this.name = name; this.listeners = 0; }
  write(text, callback) { process.stdout.write(`${this.name} ${JSON.stringify(text)}\n`); return true; }
  on() { this.listeners++; return this; }
  once() { this.listeners++; return this; }
  removeListener() { this.listeners--; return this; }
  listenerCount() { return this.listeners; }
}
const out = new Sink('out');
const err = new Sink('err');
const both = new Console(out, err);
both.log('to out');
both.error('to err');
both.warn('%s', 'formatted', { a: 1 });
both.group('g');
both.log('a\nb');
both.groupEnd();
both.table([{ a: 1 }]);
both.dir({ a: { b: { c: {} } } }, { depth: 0 });
both.count();
both.assert(false, 'x');
const single = Console(out);
single.error('also to out');
console.log(single instanceof Console, {} instanceof Console, Object.keys(single).length, single._stdout === out, single._stderr === out, out.listeners);

const wide = new Console({ stdout: out, stderr: err, groupIndentation: 4, inspectOptions: { depth: 0, breakLength: 10 } });
wide.group('wide');
wide.log({ a: { b: 1 } }, 'text');
wide.group();
wide.error('twice\nindented');
wide.groupEnd();
wide.groupEnd();
wide.groupEnd();
new Console({ stdout: out, colorMode: true }).log({ a: 1 }, '%s');
new Console({ stdout: out, colorMode: false }).log({ a: 1 });
new Console({ stdout: out, inspectOptions: { colors: true } }).dir({ a: 1 });
new Console({ stdout: out, groupIndentation: 0 }).group('none');
out.isTTY = true;
new Console(out).log({ a: 1 });
out.getColorDepth = () => 1;
new Console(out).log({ a: 1 });
delete out.isTTY;

class Sub extends Console {
  constructor() { super({ stdout: out }); this.own = 1; }
  twice(text) { this.log(text); this.log(text); }
  warn(text) { this.log('warn replaced', text); }
}
const sub = new Sub();
sub.twice('sub');
sub.warn('w');
const { log } = sub;
log('unbound');
console.log(sub instanceof Sub, sub instanceof Console, sub.own);

// Streams that fail.
const throwing = Object.assign(new Sink('throwing'), { write() { throw new Error('from write'); } });
new Console(throwing).log('ignored');
console.log(throwing.listeners);
try { new Console({ stdout: throwing, ignoreErrors: false }).log('x'); } catch (error) { console.log(error.message); }
try { new Console(throwing, throwing, false).error('x'); } catch (error) { console.log(error.message); }

for (const args of [
  [], [null], [{}], [5], ['x'], [{ stdout: 1 }], [out, {}], [{ stdout: out, stderr: null }], [{ stdout: out, colorMode: 5 }], [{ stdout: out, colorMode: null }], [{ stdout: out, colorMode: 'yes' }],
  [{ stdout: out, inspectOptions: 5 }], [{ stdout: out, inspectOptions: null }], [{ stdout: out, inspectOptions: { colors: true }, colorMode: true }], [{ stdout: out, groupIndentation: -1 }],
  [{ stdout: out, groupIndentation: 1001 }], [{ stdout: out, groupIndentation: 'a' }], [{ stdout: out, groupIndentation: 1.5 }], [{ stdout: out, groupIndentation: null }],
]) {
  try {
    console.log(typeof new Console(...args));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(Console.name, Console.length, Object.getOwnPropertyNames(Console.prototype).join());

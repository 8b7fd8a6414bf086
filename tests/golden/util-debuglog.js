// NODE_DEBUG is read when the program starts; what is set later changes nothing. A logger that nobody asked for is silent.
process.env.NODE_DEBUG = 'Golden,app-*,a.b';
const { debuglog } = require('util');

const original = process.stderr.write;
process.stderr.write = (text) => { process.stdout.write(`stderr: ${String(text).replace(String(process.pid), 'PID')}`); return true; };
for (const section of ['golden', 'GOLDEN', 'app-one', 'app', 'axb', 'a.b', 'other']) {
  const log = debuglog(section);
  console.log(section, log.enabled);
  log('message of %s', section, { a: 1 });
  log('again');
  log();
}
let ready = debuglog('golden', (fn) => { ready = fn; });
ready('through the callback');
ready('at once');
process.stderr.write = original;

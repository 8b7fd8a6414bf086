// NODE_DEBUG is read when the program starts; what is set later changes nothing. A logger that is not selected is silent.
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

// The function that onReady is given says whether it logs, too; colours follow FORCE_COLOR.
if (process.argv[2] !== 'child') {
  const { spawnSync } = require('child_process');
  for (const color of ['0', '1']) {
    const env = { ...process.env, NODE_DEBUG: 'loud', FORCE_COLOR: color };
    delete env.NO_COLOR;
    const { stderr, stdout } = spawnSync(process.execPath, ['-e', `
      const { debuglog } = require('util');
      for (const section of ['loud', 'quiet']) {
        const log = debuglog(section, (inner) => {
          console.log(inner.enabled, typeof Object.getOwnPropertyDescriptor(inner, 'enabled').get);
        });
        log('x', { a: 1 });
        console.log(log.enabled);
      }`], { env, encoding: 'utf8' });
    console.log(stdout.replace(/\x1b\[\d+m/g, ''), JSON.stringify(stderr.replace(/\d{3,}/, 'PID')));
  }
}

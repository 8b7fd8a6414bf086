'use strict';
const os = require('node:os');

// Facts of the machine differ; their shapes do not.
const shape = (value) => (Array.isArray(value) ? `array of ${typeof value[0]}` : typeof value);
for (const name of Object.keys(os)) {
  const member = os[name];
  if (typeof member !== 'function') console.log(name, typeof member);
  else if (member.length === 0) console.log(name, shape(member()));
  else console.log(name, 'takes', member.length);
}
console.log(JSON.stringify([os.EOL, os.devNull, os.endianness(), os.platform(), os.type(), os.arch() === process.arch]));
console.log(`${os.hostname}` === os.hostname(), os.machine + '' === os.machine(), `${os.tmpdir}` === os.tmpdir(), os.availableParallelism() >= 1);
console.log(os.totalmem() >= os.freemem(), os.freemem() > 0, os.uptime() > 0, os.loadavg().length, os.loadavg().every((x) => x >= 0));
const [cpu] = os.cpus();
console.log(Object.keys(cpu), Object.keys(cpu.times), os.cpus().length >= os.availableParallelism());
const lo = os.networkInterfaces().lo?.[0] ?? { address: '127.0.0.1', netmask: '255.0.0.0', family: 'IPv4', mac: '00:00:00:00:00:00', internal: true, cidr: '127.0.0.1/8' };
console.log(lo);
const user = os.userInfo();
console.log(Object.keys(user), Object.getPrototypeOf(user), typeof user.uid, typeof user.username, os.userInfo({ encoding: 'buffer' }).username.toString() === user.username);
process.env.HOME = '/some/home/';
process.env.TMPDIR = '/some/tmp/';
console.log(os.homedir(), os.tmpdir());
process.env.TMPDIR = '/';
console.log(os.tmpdir());
delete process.env.TMPDIR;
process.env.TEMP = 'relative';
console.log(os.tmpdir(), os.homedir() !== undefined);
console.log(os.constants);
console.log(os.getPriority() === os.getPriority(0), os.setPriority(os.getPriority()), os.setPriority(0, os.getPriority()));
const wrong = [() => os.getPriority('x'), () => os.getPriority(1.5), () => os.getPriority(2 ** 31), () => os.getPriority(-1), () => os.getPriority(null), () => os.setPriority(), () => os.setPriority(0, 20), () => os.setPriority(-21),
  () => os.setPriority('x', 1), () => os.setPriority(0, 'a'), () => os.setPriority(-5, 1), () => os.userInfo({ get encoding() { throw new Error('getter'); } }), () => { os.constants = 1; }, () => { os.EOL = 1; }];
for (const what of wrong) {
  try { console.log(what()); } catch (err) { console.log(err.name, err.code, err.message, err.info, err.errno, err.syscall); }
}
console.log(Object.isFrozen(os.constants.signals), Object.isFrozen(os.constants.errno), Object.isFrozen(os.constants));

// process.report: the sections of a report, files, options, and reports on signals and uncaught exceptions.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

if (process.argv[2] === 'throw') {
  throw Object.assign(new TypeError('thrown\nin two lines'), { code: 'E_MINE', more: { a: 1 } });
} else if (process.argv[2] === 'signal') {
  setInterval(() => {}, 1000);
  process.kill(process.pid, process.argv[3]);
  process.on(process.argv[3], () => process.exit());
} else {
  main();
}

function typesOf(object) {
  return Object.entries(object).map(([name, value]) => `${name}: ${Array.isArray(value) ? 'array' : typeof value}`).join(', ');
}

function main() {
  const report = process.report.getReport();
  console.log(Object.keys(report).join());
  const { header } = report;
  console.log(typesOf(header));
  console.log(header.reportVersion, header.event, header.trigger, header.filename, header.processId === process.pid,
              header.threadId, header.cwd === process.cwd(), header.commandLine.includes(__filename), header.wordSize,
              header.nodejsVersion === process.version, header.osName === os.type(), header.host === os.hostname(),
              header.cpus.length === os.cpus().length, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(header.dumpEventTime),
              Math.abs(header.dumpEventTimeStamp - Date.now()) < 60000);
  console.log(typesOf(header.cpus[0]), '|', typesOf(header.networkInterfaces[0]));
  console.log(report.javascriptStack.message, report.javascriptStack.errorProperties,
              report.javascriptStack.stack.some((line) => line.startsWith(`at main (${__filename}:`)));
  console.log(typesOf(report.javascriptHeap));
  console.log(Object.keys(report.javascriptHeap.heapSpaces).join(), typesOf(report.javascriptHeap.heapSpaces.old_space));
  console.log(report.nativeStack.length > 0, report.nativeStack.every(({ pc, symbol }) =>
    /^0x[0-9a-f]{16}$/.test(pc) && typeof symbol === 'string'));
  console.log(typesOf(report.resourceUsage), '|', typesOf(report.uvthreadResourceUsage), report.resourceUsage.rss > 1e6);
  const loop = report.libuv.pop();
  console.log(loop.type, typeof loop.loopIdleTimeSeconds, report.libuv.every((handle) => typeof handle.type === 'string' &&
    typeof handle.is_active === 'boolean' && typeof handle.is_referenced === 'boolean' && /^0x[0-9a-f]+$/.test(handle.address)));
  console.log(report.workers, report.environmentVariables.PATH === process.env.PATH);
  console.log(Object.keys(report.userLimits).join(), Object.keys(report.userLimits.open_files).join());
  console.log(report.sharedObjects.some((file) => /libc\.so/.test(file)), report.sharedObjects.includes('linux-vdso.so.1'));

  const error = Object.assign(new RangeError('mine'), { a: 1, b: { toString() { throw new Error('no'); } } });
  console.log(process.report.getReport(error).javascriptStack.message,
              process.report.getReport(error).javascriptStack.errorProperties,
              process.report.getReport({ x: 1 }).javascriptStack);

  const server = require('net').createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const found = process.report.getReport().libuv.find(({ type, localEndpoint }) =>
      type === 'tcp' && localEndpoint?.port === port);
    console.log(found.localEndpoint.ip4, found.is_active, found.is_referenced);
    server.close();
    settings();
  });
}

function settings() {
  console.log(process.report);
  for (const name of ['directory', 'filename', 'compact', 'excludeNetwork', 'signal', 'reportOnFatalError', 'reportOnSignal',
                      'reportOnUncaughtException', 'excludeEnv']) {
    for (const value of [Symbol('x'), 1, null]) {
      try {
        process.report[name] = value;
        console.log(name, 'took', value);
      } catch ({ code, message }) {
        console.log(name, process.report[name], code, message);
      }
    }
  }
  for (const args of [[1], ['a', 1], [Symbol('y')], ['a\0b'], [null, 5]]) {
    try {
      process.report.writeReport(...args);
    } catch ({ code, message }) {
      console.log(code, message);
    }
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'report-'));
  process.report.directory = folder;
  const name = process.report.writeReport();
  console.log(/^report\.\d{8}\.\d{6}\.\d+\.0\.001\.json$/.test(name), fs.existsSync(path.join(folder, name)));
  process.report.compact = true;
  process.report.excludeEnv = true;
  process.report.excludeNetwork = true;
  console.log(process.report.writeReport('a.json', new Error('given')));
  const text = fs.readFileSync(path.join(folder, 'a.json'), 'utf8');
  console.log(text.trim().split('\n').length, Object.keys(JSON.parse(text)).join(), JSON.parse(text).header.filename,
              JSON.parse(text).header.networkInterfaces, JSON.parse(text).javascriptStack.message);
  process.report.directory = path.join(folder, 'absent');
  console.log([process.report.writeReport('b.json')]);

  const child = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    console.log(args.filter((arg) => arg !== __filename && !arg.includes(folder)).join(' '), status, /report to file: .*/.exec(stderr)?.[0]
      .replace(/report\.\d.*json/, 'NAME'));
    for (const file of fs.readdirSync(folder).filter((file) => /^report|^c\.json/.test(file) && file !== name)) {
      const { header, javascriptStack } = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
      console.log(header.event, header.trigger, javascriptStack.message, javascriptStack.stack?.length > 0,
                  javascriptStack.errorProperties);
      fs.unlinkSync(path.join(folder, file));
    }
  };
  child('--report-uncaught-exception', __filename, 'throw');
  child('--report-uncaught-exception', '--report-filename=c.json', '--report-compact', __filename, 'throw');
  child(__filename, 'throw');
  child('--report-on-signal', __filename, 'signal', 'SIGUSR2');
  child('--report-on-signal', '--report-signal=SIGUSR1', `--report-dir=${folder}`, __filename, 'signal', 'SIGUSR1');
  fs.rmSync(folder, { recursive: true });
}

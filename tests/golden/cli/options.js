'use strict';
// Errors for invalid options, and precedence of contradicting ones.
const { spawnSync } = require('child_process');

function run(args, { env = {}, input = '' } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    input, encoding: 'utf8', env: { ...process.env, ...env },
  });
  const lines = stderr.split(process.execPath).join('PROGRAM').split('\n').filter((line) => line !== '' && !line.startsWith('(Use'));
  console.log(args.join(' '), env, status, JSON.stringify(stdout), lines.map((line) => line.replace(/node:\d+/, 'node:PID')));
}

for (const args of [
  ['--eval'], ['--title='], ['-r'], ['--no-title'], ['--no-require'], ['--no-eval'], ['--unhandled-rejections=maybe'],
  ['--check', '--eval', '1'], ['-c', '-e', '1'],
  ['--use-openssl-ca', '--use-bundled-ca', '-p', '1'], ['--use-openssl-ca', '--use-system-ca', '-p', '1'],
  ['--tls-cipher-list=ABC', '-p', '[crypto.constants.defaultCipherList, tls.DEFAULT_CIPHERS]'],
]) run(args);

const warn = ['-e', 'process.emitWarning("w")'];
run(['--no-warnings', ...warn]);
run(['--warnings', ...warn]);
run(['--no-warnings', '--warnings', ...warn]);
run(['--warnings', '--no-warnings', ...warn]);
run(warn, { env: { NODE_OPTIONS: '--no-warnings' } });
run(['--warnings', ...warn], { env: { NODE_OPTIONS: '--no-warnings' } });

const pending = ['-e', 'module.parent'];
run(pending, { env: { NODE_PENDING_DEPRECATION: '1' } });
run(['--no-pending-deprecation', ...pending], { env: { NODE_PENDING_DEPRECATION: '1' } });
run(['--pending-deprecation', ...pending]);
run(['--pending-deprecation', '--no-pending-deprecation', ...pending]);
run(pending, { env: { NODE_PENDING_DEPRECATION: '0' } });

for (const option of ['--version', '-v', '--help', '-h', '--eval', '-e', '--print', '-p', '-pe', '--check', '-c', '--interactive',
  '-i', '--v8-options', '--expose_internals', '--', '--test', '--nonesuch']) {
  run([], { env: { NODE_OPTIONS: option } });
}

const print = 'console.log(process.argv.slice(1), process.execArgv)';
run(['-'], { input: print });
run(['-', '--some', 'x'], { input: print });
run(['--max-http-header-size=100', '--no-experimental-websocket', '--trace-sync-io', '-p', '1']);

// Uninitialised memory, unless the option is set.
run(['--zero-fill-buffers', '-p', `
  let used = 0;
  for (let i = 0; i < 100; i++) {
    for (const bytes of [Buffer.allocUnsafe(20), Buffer.allocUnsafeSlow(200)]) used += bytes.some((byte) => byte !== 0);
  }
  used`]);

// --eval and --print in their combinations: -p CODE is --print --eval CODE, and the last code counts.
'use strict';
const { spawnSync } = require('child_process');

for (const args of [
  ['-p', '1'], ['--print', '2'], ['-pe', '3'], ['--eval=console.log(4)'], ['--print', '--eval', '5'], ['--print', '--eval=6'],
  ['-e', '7', '-p'], ['-p', '8', '-e', '9'], ['-p', ''], ['-p', '\\-10'], ['-pe', '\\-11'], ['-p', '--no-warnings', '-e', '12'],
  ['-p', 'process.argv.slice(1)', '--', '--foo'], ['-p', 'process.execArgv', 'x'],
]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  console.log(args, status, stdout, stderr);
}
for (const args of [['-p', '-1'], ['-pe', '-1'], ['-pe']]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  console.log(args, status, stdout, stderr.split(': ').slice(1, 3).join(': ').split(';')[0].trim());
}
for (const args of [['-p'], ['-p', '--no-warnings'], ['-']]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: '"from stdin"' });
  console.log(args, status, stdout, stderr);
}

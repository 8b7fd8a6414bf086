'use strict';
// The options of the command line for connections by name.
const { spawnSync } = require('node:child_process');

const code = 'net.getDefaultAutoSelectFamily() + " " + net.getDefaultAutoSelectFamilyAttemptTimeout()';
for (const options of [
  [],
  ['--no-network-family-autoselection'],
  ['--no-network-family-autoselection', '--network-family-autoselection'],
  ['--no-enable-network-family-autoselection'],
  ['--enable-network-family-autoselection'],
  ['--network-family-autoselection-attempt-timeout=123'],
  ['--network-family-autoselection-attempt-timeout', '7'],
]) {
  const { stdout } = spawnSync(process.execPath, [...options, '-p', code]);
  console.log(options.join(' '), '->', String(stdout).trim());
}
const connect = `
  net.connect({ port: 1, host: 'x', lookup: (host, options, callback) => { console.log(options.all); callback(new Error('no')); } })
    .on('error', (error) => console.log(error.message));`;
console.log(String(spawnSync(process.execPath, ['--no-network-family-autoselection', '-e', connect]).stdout));

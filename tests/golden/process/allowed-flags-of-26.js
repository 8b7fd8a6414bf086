// process.allowedNodeEnvironmentFlags has the options for reports, tests and modules.
'use strict';
const flags = process.allowedNodeEnvironmentFlags;
for (const name of [
  '--report-compact', '--no-report-compact', '--report-directory', '--report-dir', '--report-filename', '--report-on-fatalerror',
  '--report-on-signal', '--report-signal', '--report-uncaught-exception', '--report-exclude-env', '--report-exclude-network',
  '--experimental-test-coverage', '--test', '--test-only', '--test-isolation', '--test-randomize', '--test-random-seed',
  '--test-coverage-include', '--test-coverage-lines', '--test-global-setup', '--test-name-pattern', '--test-reporter',
  '--test-concurrency', '--experimental-test-module-mocks', '--require-module', '--experimental-loader', '--disable-warning',
  '--strip-types', '--eval', '--check', '--env-file', '--run',
]) console.log(name, flags.has(name), flags.has(name.slice(2)), flags.has(name.replaceAll('-', '_')));

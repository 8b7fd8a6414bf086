'use strict';
const show = require('./fixtures/show');
for (const options of [[], ['--test-only'], ['--test-name-pattern=b1'], ['--test-name-pattern=/R1/i', '--test-name-pattern=s1'],
                       ['--test-name-pattern', 's s2'], ['--test-skip-pattern=1']]) {
  console.log(options.join(' '));
  show(['--test-reporter=tap', ...options, 'fixtures/only.js']);
}

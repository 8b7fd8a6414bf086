'use strict';
// The default search for test files.
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'golden-'));
const names = ['test/one.js', 'test/deep/two.mjs', 'test/deep/data.json', 'src/foo.test.js', 'src/foo_test.cjs', 'src/foo-test.mjs',
               'src/test.js', 'src/test-foo.js', 'src/testfoo.js', 'src/foo.js', 'node_modules/x/test.js', 'a.b/x.js', 'test.txt'];
for (const name of names) {
  fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), '');
}
const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
for (const args of [[], ['src'], ['src/foo.js', 'a.b/x.js'], ['nowhere.js']]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...args], { cwd: folder, encoding: 'utf8', env });
  const found = stdout.split('\n').filter((line) => line.startsWith('# Subtest')).map((line) => line.replace(folder, ''));
  console.log(args, status, found.sort(), stderr.replace(folder, ''));
}
fs.rmSync(folder, { recursive: true });

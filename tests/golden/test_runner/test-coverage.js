// --experimental-test-coverage: the table, lcov, thresholds, run({ coverage }), and files that were compiled.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { run } = require('node:test');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'coverage-'));
const write = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
};
write('a.js', `'use strict';
exports.f = (x) => {
  if (x) {
    return 1;
  }
  return 2;
};

exports.g = function g() {
  return 3;
};
/* node:coverage ignore next 2 */
exports.h = () => {
  return 4; };
/* node:coverage disable */
exports.i = () => 5;
/* node:coverage enable */
`);
write('lib/deep/b.mjs', `export function both(x) {
  return x ? 'yes' :
    'no';
}
export class C {
  used() { return 1; }
  unused() {
    return 2;
  }
}
`);
write('never.js', 'exports.x = () => 1;\n');
write('one.test.js', `
const { test } = require('node:test');
const { f } = require('./a.js');
test('one', async () => {
  f(1);
  const { both, C } = await import('./lib/deep/b.mjs');
  both(1);
  new C().used();
});
`);
write('two.test.js', `
const { test } = require('node:test');
test('two', async () => {
  require('./a.js').f(0);
  (await import('./lib/deep/b.mjs')).both(0);
});
`);
write('gen/out.js', `"use strict";
function first() { return 1; }
function second() { return 2; }
first();
//# sourceMappingURL=out.js.map
`);
write('gen/out.js.map', JSON.stringify({
  version: 3, sources: ['in.ts'], names: [], mappings: ';AAEA,SAAS,KAAK,KAAK,OAAO,CAAC,CAAC,CAAC;AAC7B,SAAS,MAAM,KAAK,OAAO,CAAC,CAAC,CAAC;AAC9B,KAAK,EAAE',
}));
write('gen/in.ts', `type T = number;
// comment
function first(): T { return 1; }
function second(): T { return 2; }
first();
`);
write('gen/gen.test.js', 'require("./out.js");\n');

function show(args, cwd = folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--experimental-test-coverage', ...args], {
    cwd, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_V8_COVERAGE: undefined },
  });
  const from = stdout.search(/# (Error|start of coverage)|^TN:/m);
  console.log(args.join(' '), status, stderr);
  console.log(stdout.slice(from).replaceAll(folder, 'FOLDER'));
}

show(['--test-reporter=tap', 'one.test.js']);
show(['--test-reporter=tap', '--test-coverage-lines=100', '--test-coverage-branches=99', '--test-coverage-functions=10', 'two.test.js']);
show(['--test', '--test-reporter=tap', '--test-concurrency=1', 'one.test.js', 'two.test.js']);
show(['--test', '--test-reporter=lcov', '--test-concurrency=1', 'one.test.js', 'two.test.js']);
show(['--test-reporter=lcov', '--test-coverage-include=lib/**', 'one.test.js']);
show(['--test-reporter=tap', '--test-coverage-exclude=lib/**', '--test-coverage-exclude=*.test.js', 'one.test.js']);
show(['--test-reporter=tap', '--test-coverage-include-all', 'one.test.js']);
show(['--test', '--test-isolation=none', '--test-reporter=tap', 'one.test.js', 'two.test.js']);
show(['--test', '--test-reporter=tap', '--enable-source-maps', 'gen.test.js'], path.join(folder, 'gen'));

const stream = run({ files: [path.join(folder, 'one.test.js')], coverage: true, cwd: folder, lineCoverage: 10 });
stream.on('test:coverage', ({ summary, nesting }) => {
  console.log(JSON.stringify([nesting, summary], undefined, 1).replaceAll(folder, 'FOLDER'));
});
stream.on('data', () => {});
stream.on('end', () => fs.rmSync(folder, { recursive: true }));
for (const options of [
  { coverage: 1 }, { coverageExcludeGlobs: [1] }, { lineCoverage: 101 }, { coverageIncludeAll: 'x' }, { isolation: 'x' },
  { isolation: 'none', env: {} }, { randomize: 1 }, { randomSeed: -1 }, { globalSetupPath: 1 }, { randomSeed: 1, watch: true },
]) {
  try {
    run(options);
  } catch ({ code, message }) {
    console.log(code, message);
  }
}

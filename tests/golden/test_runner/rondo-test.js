'use strict';
// rondo test: what Node has not.
const { spawnSync } = require('child_process');
const { clean } = require('./fixtures/show');
const folder = 'fixtures';
function show(...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  console.log(args.join(' '));
  console.log(stdout.replaceAll(/duration_ms: (?=\d{5})/g, 'virtual ms: ').split('\n').map((line) => clean(line)).join('\n')
    .replace(/with \d+ of (\d+) seeds/g, 'with some of $1 seeds').replace(/--seed=\d+ fix/g, '--seed=* fix') + stderr.replaceAll(`${__dirname}/`, '').replaceAll(process.execPath, 'PROGRAM') + status);
}
show('test', '--clock=virtual', '--reporter=tap', `${folder}/sleeps.js`);
show('--clock=virtual', 'test', '--reporter', 'dot', `${folder}/only.js`, `${folder}/none.js`);
show('test', `${folder}/n*.js`, '--name-pattern=c', '--reporter=dot');
show('test', '--explore=20', `${folder}/lucky.js`, `${folder}/nested.js`);
show('test', '--seed=3', '--reporter=dot', `${folder}/nested.js`);
show('test', '--reportr=dot', `${folder}/few.js`);
show('test', '--concurrency=x');
show('test', '--shard=3/2');
show('test', '--watch');
show('test', '--only=1');
show('test', '--reporter');
show('test', '--reporter=dot', '--reporter=tap', `${folder}/none.js`);
show('test', '--name-pattern=(', `${folder}/none.js`);
show('test', `${folder}/nowhere-*.js`);
show('test', '--help');

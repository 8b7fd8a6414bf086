'use strict';

// --experimental-package-map: bare names are looked up in a map, for require() and import.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'package-map-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function write(name, content) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

write('dep/package.json', { exports: { '.': './main.js', './sub': './sub.js' } });
write('dep/main.js', "exports.name = 'dep, with ' + require('@s/plain');");
write('dep/sub.js', "exports.name = 'dep/sub';");
write('dep/hidden.js', '');
write('plain/index.js', "module.exports = 'plain';");
write('plain/extra.js', "module.exports = 'plain/extra';");
write('app/node_modules/other/index.js', "module.exports = 'not to be found';");
write('app/main.js', `
  const show = (name) => {
    try { console.log(name, require(name)); } catch (error) { console.log(name, error.name, error.code, error.message.split('\\n')[0]); }
  };
  const load = async (name) => {
    try { console.log(name, (await import(name)).default); } catch (error) { console.log(name, error.name, error.code); }
  };
  process.removeAllListeners('warning');
  process.on('warning', ({ message }) => console.log(message));
  const names = ['dep', 'dep/sub', 'dep/hidden.js', 'mine', 'mine/extra.js', 'mine/extra', 'other', 'lost'];
  names.forEach(show);
  (async () => { for (const name of names) await load(name); })();
`);
write('map.json', {
  packages: {
    app: { url: './app', dependencies: { dep: 'the dep', mine: 'p', lost: 'nowhere' } },
    'the dep': { url: './dep', dependencies: { '@s/plain': 'p' } },
    p: { url: 'plain' },
  },
});

function run(map, main) {
  write('bad.json', map);
  const { stdout } =
    spawnSync(process.execPath, ['--no-warnings', '--experimental-package-map', 'bad.json', main], { cwd: folder, encoding: 'utf8' });
  console.log(stdout.replaceAll(folder, '').trim());
}

const { stdout, stderr, status } = spawnSync(
  process.execPath, ['--experimental-package-map=map.json', 'app/main.js'], { cwd: folder, encoding: 'utf8' });
console.log(stdout.replaceAll(folder, ''), stderr, status);

write('asks.js', `
  for (let i = 0; i < 2; i++) {
    try { require('x'); } catch (error) { console.log(error.name, error.code, error.message, error.cause?.name); }
  }`);
run({ packages: {} }, 'asks.js');
run('{', 'asks.js');
run('[]', 'asks.js');
run({ packages: { a: {} } }, 'asks.js');
run({ packages: { a: { url: 1 } } }, 'asks.js');
run({ packages: { a: { url: '' } } }, 'asks.js');
run({ packages: { a: { url: 'https://x' } } }, 'asks.js');
run({ packages: { a: { url: 'http://[' } } }, 'asks.js');
run({ packages: { a: { url: './a' }, b: { url: './a' } } }, 'asks.js');

'use strict';
// Modules in unfriendly surroundings: patched prototypes and functions, files that vanish, addons that are none.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'module-replaced-'));
const file = (name, text) => {
  const full = path.join(folder, name);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
  return full;
};
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
  const warnings = stderr.split('\n').filter((line) => line.startsWith('(node:')).map((line) => line.replace(/\d+/, 'PID'));
  console.log(status, JSON.stringify(stdout), warnings);
}

// A preloaded module may replace runMain.
file('main.js', 'console.log("main", process.argv.length)');
file('patch.js', `
  const Module = require('module');
  const { runMain } = Module;
  Module.runMain = (...args) => { console.log('patched', args.length); runMain(...args); };`);
run('-r', './patch.js', 'main.js');

// module.parent, which is deprecated some day.
file('parent.js', 'console.log(module.parent === null); module.parent = undefined; console.log(module.parent);');
run('parent.js');
run('--pending-deprecation', 'parent.js');
run('-e', 'console.log(require("sys") === require("util"))');

// A removed folder is not searched if the module is above it.
const above = file('above.cjs', 'exports.answer = 42;');
const below = file('gone/below.cjs', 'module.exports = () => require("../above.cjs").answer;');
require(above);
const ask = require(below);
fs.rmSync(path.dirname(below), { recursive: true });
console.log(ask());

// Files that are no addons.
for (const [name, text] of [['short.node', 'foobar\n'], ['long.node', 'x'.repeat(200)]]) {
  try {
    require(file(name, text));
  } catch (error) {
    console.log(error.name, error.code, error.message.replace(folder, 'FOLDER'));
  }
}

// Properties of Object.prototype are not those of a package.json.
file('node_modules/plain/package.json', '{}');
file('node_modules/plain/index.js', 'module.exports = "plain";');
file('node_modules/typed/package.json', '{ "name": "typed", "exports": "./typed.js" }');
file('node_modules/typed/typed.js', 'module.exports = "typed";');
file('index.mjs', 'import plain from "plain"; import typed from "typed"; export default [plain, typed];');
const names = ['name', 'main', 'type', 'exports', 'imports'];
for (const name of names) {
  Object.defineProperty(Object.prototype, name, {
    __proto__: null,
    configurable: true,
    get() { throw new Error(`get ${name}`); },
    set() { throw new Error(`set ${name}`); },
  });
}
const loaded = require('module').createRequire(path.join(folder, 'x.js'))('plain');
import(path.join(folder, 'index.mjs')).then((namespace) => {
  const all = namespace.default;
  for (const name of names) delete Object.prototype[name];
  console.log(loaded, all);
}, (error) => {
  for (const name of names) delete Object.prototype[name];
  console.log(error);
});

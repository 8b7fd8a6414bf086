// mock.module(): mocks of built-in modules, CommonJS, ES modules and JSON, for require() and import.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

if (process.argv[2] === undefined) {
  const args = ['--experimental-test-module-mocks', '--no-warnings', '--test-reporter=tap', __filename, 'child'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => /^(>|not ok|ok)|^ +error:/.test(line));
  // The report and the output are not ordered.
  console.log([...lines.filter((line) => line[0] === '>'), ...lines.filter((line) => line[0] !== '>')].join('\n'), stderr);
  console.log(typeof require('node:test').mock.module);
} else {
  child();
}

function child() {
  const { test, mock } = require('node:test');
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'mock-'));
  const write = (name, text) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  };
  const common = write('common.cjs', 'exports.name = "real";');
  const module = write('module.mjs', 'export const name = "real"; export default 1;');
  const json = write('data.json', '{"name":"real"}');
  const user = write('user.mjs', 'import { name } from "./module.mjs"; export const seen = name;');
  const say = (...values) => console.log('>', ...values);

  test('built-in', async (t) => {
    const context = t.mock.module('node:os', { exports: { default: { a: 1 }, b: 2 } });
    say(require('os'), require('node:os') === require('os'), (await import('node:os')).b, (await import('os')).default);
    context.restore();
    context.restore();
    say(typeof require('os').cpus, typeof (await import('os')).cpus);
  });
  test('CommonJS', async (t) => {
    const real = require(common);
    const context = t.mock.module(common, { cache: true, exports: { name: 'mocked' } });
    say(require(common), require(common) === require(common), (await import(common)).name, (await import(common)).default);
    context.restore();
    say(require(common) === real, (await import(common)).name);
    t.mock.module(common, { exports: { name: 'again' } });
    say(require(common).name, require(common) === require(common));
  });
  test('restored by the end of the test', () => say(require(common).name));
  test('ES module', async (t) => {
    t.mock.module(module, { exports: { name: 'mocked', default: () => 7 } });
    const imported = await import(module);
    say(imported.name, imported.default(), Object.keys(imported), (await import(user)).seen);
    try {
      t.mock.module(module, {});
    } catch ({ code, message }) {
      say(code, message.replace(folder, ''));
    }
  });
  test('JSON', async (t) => {
    t.mock.module(json, { exports: { default: { name: 'mocked' } } });
    say((await import(json, { with: { type: 'json' } })).default, require(json));
  });
  test('misuse', async (t) => {
    for (const args of [
      [], [5], ['fs', null], ['fs', { cache: 1 }], ['fs', { exports: 1 }], ['fs', { namedExports: 1 }],
      ['fs', { exports: {}, namedExports: {}, defaultExport: 1 }], ['./absent.js', {}],
    ]) {
      try {
        mock.module(...args);
      } catch ({ code, message }) {
        say(code, message.split('\n')[0].replace(/\/\S+/g, 'PATH'));
      }
    }
    t.mock.module(common, { defaultExport: 5, namedExports: { x: 1 } });
    try {
      require(common);
    } catch ({ message }) {
      say(message);
    }
    fs.rmSync(folder, { recursive: true });
  });
}

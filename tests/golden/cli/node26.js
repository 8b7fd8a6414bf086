'use strict';
// Options that came after Node 20: --run, --entry-url, --disable-warning, --disable-proto, TypeScript with -e.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'options-'));
fs.mkdirSync(path.join(folder, 'below'));
fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({
  scripts: { show: 'echo $NODE_RUN_SCRIPT_NAME $NODE_RUN_PACKAGE_JSON_PATH $PWD', fails: 'exit 3' },
}));
fs.writeFileSync(path.join(folder, 'url.mjs'), 'console.log(import.meta.url.split("/").pop(), process.argv[1]);');
const run = (args, options = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', ...options });
  const clean = (text) => text.replaceAll(folder, 'FOLDER').replace(/\(\w+:\d+\)/g, '(PID)').replaceAll(process.execPath, 'X');
  const shown = clean(stderr).split('\n').filter((line) => !/^(\(Use|\s+at |Node\.js v|Rondo v|$)/.test(line));
  console.log(args.join(' ').replaceAll(folder, 'FOLDER'), '=>', status, JSON.stringify(clean(stdout)), shown);
};
try {
  run(['--run', 'show', '--', 'a', 'b  c', "it's"], { cwd: path.join(folder, 'below') });
  run(['--run=fails']);
  run(['--run', 'missing']);
  run(['--run', 'x'], { cwd: '/' });
  run(['--entry-url', './url.mjs?query#hash', '--no-warnings']);
  run(['--no-warnings', '--entry-url', 'data:text/javascript,console.log(import.meta.main)']);
  const warnings = 'process.emitWarning("a"); process.emitWarning("b", "Type", "CODE"); process.emitWarning("c", "Other")';
  run(['--disable-warning=CODE', '-e', warnings]);
  run(['--disable-warning=Warning', '--disable-warning=Other', '-e', warnings]);
  run(['--disable-proto=delete', '-p', '"__proto__" in {}']);
  run(['--disable-proto=throw', '-p', 'try { ({}).__proto__ } catch (e) { e.code + e.message }']);
  run(['--disable-proto=x', '-p', '1']);
  run(['-p', 'const a: number = 1; a']);
  run(['-e', 'import os from "node:os"; const a: string = typeof os; console.log(a)']);
  run(['--input-type=commonjs-typescript', '-e', 'let a: number = 2; console.log(a, typeof require)']);
  run(['--input-type=module-typescript', '-e', 'let a: number = 3; console.log(a, import.meta.main)']);
  run(['--no-strip-types', '-p', 'process.features.typescript']);
  run(['--no-require-module', '-e', 'try { require("./url.mjs") } catch (e) { console.log(e.code) }']);
  run(['--no-experimental-require-module', '-p', 'process.features.require_module']);
} finally {
  fs.rmSync(folder, { recursive: true });
}

'use strict';
// rondo --run SCRIPT: runs a script of the nearest package.json in a shell whose PATH includes node_modules/.bin.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  JSONParse,
  ObjectKeys,
  RegExpPrototypeExec,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
} = primordials;

const kFailed = 1;

function fail(message) {
  process._rawDebug(message);
  process.reallyExit(kFailed);
}

// Returns the text of the nearest package.json and its path.
function findPackage(directory) {
  const { readFileSync } = require('fs');
  const path = require('path');
  for (let folder = directory; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    try {
      return { file, folder, text: readFileSync(file, 'utf8') };
    } catch {
      if (folder === '/') return undefined;
    }
  }
}

function quoted(argument) {
  if (argument === '') return "''";
  if (RegExpPrototypeExec(/[^\w./-]/, argument) === null) return argument;
  return `'${StringPrototypeReplaceAll(argument, "'", "'\\''")}'`;
}

// Returns PATH with node_modules/.bin of the folder and its parents in front.
function searchPath(folder) {
  const path = require('path');
  const parts = [];
  for (let current = folder; ; current = path.dirname(current)) {
    ArrayPrototypePush(parts, path.join(current, 'node_modules/.bin'));
    if (current === '/') break;
  }
  if (process.env.PATH) ArrayPrototypePush(parts, process.env.PATH);
  return ArrayPrototypeJoin(parts, ':');
}

module.exports = function main() {
  const { getFlag } = require('internal/options');
  const name = getFlag('run');
  const found = findPackage(process.cwd());
  if (found === undefined) return fail(`Can't find package.json for directory ${process.cwd()}`);
  const { file, folder, text } = found;
  let scripts;
  try {
    ({ scripts } = JSONParse(text));
  } catch {
    return fail(`Can't parse ${file}`);
  }
  if (typeof scripts !== 'object' || scripts === null) return fail(`Can't find "scripts" field in ${file}`);
  const command = scripts[name];
  if (typeof command !== 'string') {
    let message = `Missing script: "${name}" for ${file}\n\nAvailable scripts are:\n`;
    const names = ObjectKeys(scripts);
    for (let i = 0; i < names.length; i++) message += `  ${names[i]}: ${scripts[names[i]]}\n`;
    return fail(StringPrototypeSlice(message, 0, -1));
  }
  let line = command;
  for (let i = 1; i < process.argv.length; i++) line += ` ${quoted(process.argv[i])}`;
  const { spawn } = require('child_process');
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, PATH: searchPath(folder), NODE_RUN_SCRIPT_NAME: name, NODE_RUN_PACKAGE_JSON_PATH: file },
  });
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code) => process.exit(code === 0 ? 0 : kFailed));
};

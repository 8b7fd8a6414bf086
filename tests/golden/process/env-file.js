'use strict';
// process.loadEnvFile(), --env-file and --env-file-if-exists: what the environment has already stays.
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'env-file-'));
const first = path.join(folder, 'first.env');
const second = path.join(folder, 'second.env');
fs.writeFileSync(first, 'FIRST=1\nBOTH=first\nHOME=/nowhere\n# a comment\nQUOTED="two\\nlines"\n');
fs.writeFileSync(second, 'BOTH=second\nNODE_OPTIONS="--no-deprecation"\n');
const { HOME } = process.env;
try {
  process.loadEnvFile(first);
  console.log(process.env.FIRST, process.env.BOTH, process.env.HOME === HOME, JSON.stringify(process.env.QUOTED));
  process.loadEnvFile(Buffer.from(second));
  console.log(process.env.BOTH, process.env.NODE_OPTIONS);
  for (const wrong of [path.join(folder, 'none'), 1, {}, folder]) {
    try {
      process.loadEnvFile(wrong);
    } catch (error) {
      console.log(error.name, error.code, error.message.replaceAll(folder, 'FOLDER'));
    }
  }
  const env = { PATH: process.env.PATH, HOME };
  const code = 'console.log(process.env.FIRST, process.env.BOTH, process.noDeprecation, process.execArgv.length)';
  for (const args of [
    [`--env-file=${first}`, '-e', code],
    [`--env-file=${first}`, `--env-file=${second}`, '-e', code],
    ['--env-file', second, '--env-file-if-exists', first, '-e', code],
    [`--env-file-if-exists=${folder}/none`, '-e', code],
  ]) console.log(execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim());
  const { status, stderr } = spawnSync(process.execPath, [`--env-file=${folder}/none`, '-e', '1'], { env });
  console.log(status, `${stderr}`.replaceAll(folder, 'FOLDER').replace(/^\S+: /, ''));
  const kept = execFileSync(process.execPath, [`--env-file=${first}`, '-p', 'process.env.BOTH'],
                            { env: { ...env, BOTH: 'own' }, encoding: 'utf8' });
  console.log(kept.trim());
} finally {
  fs.rmSync(folder, { recursive: true });
}

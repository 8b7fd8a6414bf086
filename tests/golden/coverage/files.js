// NODE_V8_COVERAGE: a file with V8's counters of each process and worker; v8.takeCoverage() and stopCoverage().
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { pathToFileURL } = require('url');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'coverage-'));
const programs = {
  'common.js': `
function used(a) { if (a) { return 1; } else { return 2; } }
function unused() { return 3; }
used(1); used(2);
`,
  'module.mjs': `
export const f = (x) => x ? 'yes' : 'no';
f(1);
process.exit(3);
`,
  'worker.js': `
const { Worker, isMainThread } = require('worker_threads');
function inWorker() {}
if (isMainThread) new Worker(__filename); else inWorker();
`,
  'take.js': `
const v8 = require('v8');
function f() {}
f(); v8.takeCoverage();
setTimeout(() => { f(); f(); v8.takeCoverage(); v8.stopCoverage(); f(); }, 2);
`,
  'child.js': `
if (process.argv[2] === undefined) require('child_process').spawnSync(process.execPath, [__filename, 'x'], { env: {} });
`,
  'mapped.js': `
function f() {}
f();
//# sourceMappingURL=mapped.js.map
`,
};
fs.writeFileSync(path.join(folder, 'mapped.js.map'), JSON.stringify({
  version: 3, sources: ['original.ts'], names: [], mappings: 'AAAA;AACA', sourcesContent: ['one\ntwo\n'],
}));

for (const name of Object.keys(programs)) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, programs[name]);
  const out = path.join(folder, `${name}-coverage`);
  const { status } = spawnSync(process.execPath, [file], {
    cwd: folder, env: { ...process.env, NODE_V8_COVERAGE: `${name}-coverage` }, stdio: 'ignore',
  });
  console.log(name, status);
  const files = fs.readdirSync(out);
  const kinds = files.map((file) => /^coverage-\d+-\d{13}-(\d+)\.json$/.exec(file)?.[1]).sort();
  console.log(kinds);
  // In the order of process and time.
  const reports = files.sort().map((file) => JSON.parse(fs.readFileSync(path.join(out, file), 'utf8')));
  const lines = reports.map((report) => {
    const script = report.result.find(({ url }) => url === pathToFileURL(file).href);
    const map = report['source-map-cache'];
    return JSON.stringify([
      typeof report.timestamp, script?.functions, map,
    ]).replaceAll(pathToFileURL(folder).href, 'FOLDER');
  });
  // Which thread or child writes first is not defined.
  if (name !== 'take.js') lines.sort();
  console.log(lines.join('\n'));
}
fs.rmSync(folder, { recursive: true });

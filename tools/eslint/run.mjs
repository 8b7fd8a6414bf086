// Runs ESLint for tools/dev_lint_js: `run.mjs CONFIGURATION [--fix]` with the names of files on standard input, one per
// line. Prints one line of JSON: for each file that has any, its reports; with --fix, also the names of rewritten
// files.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ESLint } from './packages.mjs';

const [configuration, option] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const files = readFileSync(0, 'utf8').split('\n').filter((name) => name !== '');
const eslint = new ESLint({
  cwd: root,
  fix: option === '--fix',
  // File names are not patterns: a file may be called [id].js.
  globInputPaths: false,
  overrideConfigFile: configuration,
  warnIgnored: false,
});
const results = await eslint.lintFiles(files);
await ESLint.outputFixes(results);
const reports = {};
const fixed = [];
for (const { filePath, messages, output } of results) {
  const name = filePath.slice(root.length);
  if (output !== undefined) fixed.push(name);
  if (messages.length > 0) {
    reports[name] = messages.map(({ line, column, message, ruleId }) =>
      [line ?? 1, column ?? 1, message, ruleId ?? 'syntax']);
  }
}
console.log(JSON.stringify({ reports, fixed }));

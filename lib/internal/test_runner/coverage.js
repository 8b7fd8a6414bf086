'use strict';
// --experimental-test-coverage: which lines, branches and functions the tests have run. The processes of the tests
// write what V8 has counted into a temporary folder (NODE_V8_COVERAGE); here that becomes the summary for reporters.

const {
  ArrayPrototypeEvery,
  ArrayPrototypeFilter,
  ArrayPrototypeForEach,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  ArrayPrototypeSome,
  ArrayPrototypeSort,
  JSONParse,
  MathMax,
  Number,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolSplit,
  SafeMap,
  StringPrototypeIncludes,
  StringPrototypeLocaleCompare,
  StringPrototypeStartsWith,
  StringPrototypeTrim,
} = primordials;

const counting = require('internal/coverage');
const fs = require('fs');
const { codes: { ERR_OPERATION_FAILED } } = require('internal/errors');
const { matchesGlob } = require('internal/path/glob');
const { MergedCoverage } = require('internal/test_runner/coverage_merge');
const { fileURLToPath, pathToFileURL } = require('internal/url');
const { tmpdir } = require('os');
const { join, relative, resolve } = require('path');

const kReport = /^coverage-\d+-\d{13}-\d+\.json$/;
const kIgnoreNext = /\/\* node:coverage ignore next (\d+ )?\*\//;
const kSwitch = /\/\* node:coverage (enable|disable) \*\//;
const kSources = '**/*.{cjs,cts,js,mjs,mts,ts}';

// The lines of a file. Comments like `node:coverage ignore next` leave some of them out.
function linesOf(source) {
  const lines = [];
  let start = 0;
  let ignored = 0;
  let isOff = false;
  ArrayPrototypeForEach(RegExpPrototypeSymbolSplit(/(?<=\r?\n)/u, source), (text, i) => {
    const end = start + text.length - (RegExpPrototypeExec(/\r?\n$/u, text)?.[0].length ?? 0);
    const line = { __proto__: null, number: i + 1, start, end, count: start === end ? 1 : 0, isIgnored: false };
    if (ignored > 0) {
      ignored--;
      line.isIgnored = true;
    } else if (isOff) {
      line.isIgnored = true;
    } else {
      const match = RegExpPrototypeExec(kIgnoreNext, text);
      if (match !== null) ignored = Number(match[1] ?? 1);
    }
    const status = RegExpPrototypeExec(kSwitch, text)?.[1];
    if (status !== undefined) {
      ignored = 0;
      isOff = status === 'disable';
    }
    start += text.length;
    ArrayPrototypePush(lines, line);
  });
  return lines;
}

function indexOfLine(lines, offset) {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (lines[middle].start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Counts a range for all lines that lie within it. Returns those that it touches.
function applyRange({ startOffset, endOffset, count }, lines) {
  const touched = [];
  for (let i = indexOfLine(lines, startOffset); i < lines.length && lines[i].start < endOffset; i++) {
    const line = lines[i];
    if (startOffset <= line.start && endOffset >= line.end) line.count = count;
    ArrayPrototypePush(touched, line);
  }
  return touched;
}

function percent(covered, total) {
  return total === 0 ? 100 : covered / total * 100;
}

function figures({ lines, branches, functions }) {
  return {
    __proto__: null,
    totalLineCount: lines.total,
    totalBranchCount: branches.total,
    totalFunctionCount: functions.total,
    coveredLineCount: lines.covered,
    coveredBranchCount: branches.covered,
    coveredFunctionCount: functions.covered,
    coveredLinePercent: percent(lines.covered, lines.total),
    coveredBranchPercent: percent(branches.covered, branches.total),
    coveredFunctionPercent: percent(functions.covered, functions.total),
  };
}

function makeCounts() {
  const none = () => ({ __proto__: null, total: 0, covered: 0 });
  return { __proto__: null, lines: none(), branches: none(), functions: none() };
}

function count(counts, isCovered) {
  counts.total++;
  if (isCovered) counts.covered++;
}

// The summary of one file. The first function of a script is the script itself.
function summarizeScript({ functions, url }, lines, totals) {
  const own = makeCounts();
  const add = (kind, isCovered) => {
    count(own[kind], isCovered);
    count(totals[kind], isCovered);
  };
  const functionReports = [];
  const branchReports = [];
  ArrayPrototypeForEach(functions, ({ functionName, isBlockCoverage, ranges }, i) => {
    let most = 0;
    let first;
    ArrayPrototypeForEach(ranges, (range, j) => {
      const touched = applyRange(range, lines);
      const isCovered = range.count !== 0 || ArrayPrototypeEvery(touched, (line) => line.isIgnored);
      const line = touched[0]?.number;
      most = MathMax(most, range.count);
      if (j === 0) first = { line, isCovered };
      if (!isBlockCoverage) return;
      ArrayPrototypePush(branchReports, { __proto__: null, line, count: range.count });
      add('branches', isCovered);
    });
    if (i === 0 || first === undefined) return;
    ArrayPrototypePush(functionReports, { __proto__: null, name: functionName, count: most, line: first.line });
    add('functions', first.isCovered);
  });
  ArrayPrototypeForEach(lines, (line) => add('lines', line.count > 0 || line.isIgnored));
  return {
    __proto__: null,
    path: fileURLToPath(url),
    ...figures(own),
    functions: functionReports,
    branches: branchReports,
    lines: ArrayPrototypeMap(ArrayPrototypeFilter(lines, (line) => !line.isIgnored),
      (line) => ({ __proto__: null, line: line.number, count: line.count })),
  };
}

class TestCoverage {
  #options;
  #directory = fs.mkdtempSync(join(tmpdir(), 'node-coverage-'));
  #given;
  #isSkipped = new SafeMap();
  #lines = new SafeMap();

  constructor(options) {
    this.#options = options;
    const given = process.env.NODE_V8_COVERAGE;
    this.#given = given ? resolve(options.cwd, given) : undefined;
    counting.start(this.#directory);
    process.env.NODE_V8_COVERAGE = this.#directory;
  }

  #linesOf(url, source = undefined) {
    if (!this.#lines.has(url)) {
      let lines;
      try {
        source ??= fs.readFileSync(fileURLToPath(url), 'utf8');
        lines = linesOf(source);
      } catch {
        // A file that is gone is left out of the report.
      }
      this.#lines.set(url, lines);
    }
    return this.#lines.get(url);
  }

  // Of a file that was compiled or never loaded: lines that have nothing but types do not count.
  #linesOfOriginal(url, source = undefined) {
    const isNew = !this.#lines.has(url);
    const lines = this.#linesOf(url, source);
    if (!isNew || lines === undefined || RegExpPrototypeExec(/\.[cm]?ts$/, url) === null) return lines;
    const text = source ?? fs.readFileSync(fileURLToPath(url), 'utf8');
    let stripped;
    try {
      stripped = RegExpPrototypeSymbolSplit(/(?<=\r?\n)/u, require('internal/modules/typescript').stripTypes(text));
    } catch {
      return lines; // Its syntax is more than types.
    }
    const originals = RegExpPrototypeSymbolSplit(/(?<=\r?\n)/u, text);
    ArrayPrototypeForEach(lines, (line, i) => {
      const isType = StringPrototypeTrim(stripped[i] ?? '') === '';
      if (isType && StringPrototypeTrim(originals[i]) !== '') line.isIgnored = true;
    });
    return lines;
  }

  #skips(url) {
    let result = this.#isSkipped.get(url);
    if (result === undefined) {
      result = !StringPrototypeStartsWith(url, 'file:') || this.#isLeftOut(url);
      this.#isSkipped.set(url, result);
    }
    return result;
  }

  #isLeftOut(url) {
    const { cwd, excludeGlobs, includeGlobs } = this.#options;
    const path = fileURLToPath(url);
    const short = relative(cwd, path);
    const matches = (glob) => matchesGlob(short, glob, false) || matchesGlob(path, glob, false);
    if (ArrayPrototypeSome(excludeGlobs, matches)) return true;
    if (includeGlobs.length > 0) return !ArrayPrototypeSome(includeGlobs, matches);
    return StringPrototypeIncludes(url, '/node_modules/');
  }

  #read(name) {
    const path = join(this.#directory, name);
    const text = fs.readFileSync(path, 'utf8');
    if (text === '') throw new ERR_OPERATION_FAILED(`coverage file is empty: ${path}`);
    try {
      return JSONParse(text);
    } catch (cause) {
      const error = new ERR_OPERATION_FAILED(`failed to parse coverage file ${path}: ${cause.message}`);
      error.cause = cause;
      throw error;
    }
  }

  #merge() {
    const merged = new MergedCoverage();
    ArrayPrototypeForEach(fs.readdirSync(this.#directory), (name) => {
      if (RegExpPrototypeExec(kReport, name) === null) return;
      const report = this.#read(name);
      const scripts = this.#options.sourceMaps && report['source-map-cache'] !== undefined ?
        require('internal/test_runner/coverage_maps').toOriginals(
          report, (url) => this.#skips(url), (url, source) => this.#linesOfOriginal(url, source)) :
        report.result;
      ArrayPrototypeForEach(scripts, (script) => {
        if (!this.#skips(script.url)) merged.add(script);
      });
    });
    if (this.#options.includeAll) this.#addFilesWithoutCounts(merged);
    return merged.scripts;
  }

  // --test-coverage-include-all: files that no test has loaded.
  #addFilesWithoutCounts(merged) {
    const { cwd } = this.#options;
    const paths = fs.globSync(kSources, { __proto__: null, cwd, exclude: (name) => name === 'node_modules' });
    ArrayPrototypeForEach(paths, (path) => {
      const url = pathToFileURL(resolve(cwd, path)).href;
      const lines = merged.has(url) || this.#skips(url) ? undefined : this.#linesOfOriginal(url);
      if (lines === undefined || lines.length === 0) return;
      const ranges = [{ __proto__: null, startOffset: 0, endOffset: lines[lines.length - 1].end + 1, count: 0 }];
      merged.add({ __proto__: null, url, functions: [{ functionName: '', isBlockCoverage: false, ranges }] });
    });
  }

  summary() {
    counting.write();
    const { cwd, thresholds } = this.#options;
    const totals = makeCounts();
    const files = [];
    ArrayPrototypeForEach(this.#merge(), (script) => {
      const lines = this.#linesOf(script.url);
      if (lines !== undefined) ArrayPrototypePush(files, summarizeScript(script, lines, totals));
    });
    ArrayPrototypeSort(files, (a, b) => StringPrototypeLocaleCompare(a.path, b.path));
    return { __proto__: null, workingDirectory: cwd, files, totals: figures(totals), thresholds };
  }

  // Copies the files to the folder of NODE_V8_COVERAGE, if it was set, and removes the temporary folder.
  end() {
    counting.stop();
    if (this.#given === undefined) {
      delete process.env.NODE_V8_COVERAGE;
    } else {
      process.env.NODE_V8_COVERAGE = this.#given;
      fs.cpSync(this.#directory, this.#given, { __proto__: null, recursive: true });
    }
    try {
      fs.rmSync(this.#directory, { __proto__: null, recursive: true });
    } catch {
      // It is in the folder for temporary files.
    }
  }
}

module.exports = { TestCoverage, applyRange };

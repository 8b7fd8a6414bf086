'use strict';
// Human-readable: a tree of the results, and all failures again at the end.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePop,
  ArrayPrototypePush,
  StringPrototypeRepeat,
} = primordials;

const { relative } = require('path');
const { Transform } = require('stream');
const { formatReport, sequences, symbols } = require('internal/test_runner/reporters/utils');

const kColorOfLevel = { __proto__: null, info: 'blue', warn: 'yellow', error: 'red' };

class SpecReporter extends Transform {
  #open = []; // Tests that have begun and are not reported yet.
  #failed = [];
  #paint = sequences();
  #cwd = process.cwd();

  constructor() {
    super({ __proto__: null, writableObjectMode: true });
  }

  #report(type, data) {
    // Announce the parents of this test that were not announced yet.
    let result = '';
    ArrayPrototypePop(this.#open);
    for (let i = 0; i < this.#open.length; i++) {
      const parent = this.#open[i];
      if (parent.isAnnounced) continue;
      parent.isAnnounced = true;
      result += `${StringPrototypeRepeat('  ', parent.nesting)}${symbols['arrow:right']}${parent.name}\n`;
    }
    if (type === 'test:fail' && data.details?.error?.failureType !== 'subtestsFailed') {
      ArrayPrototypePush(this.#failed, data);
    }
    return `${result}${formatReport(type, data, this.#paint, StringPrototypeRepeat('  ', data.nesting), false)}\n`;
  }

  #format({ type, data }) {
    switch (type) {
      case 'test:fail':
      case 'test:pass':
        return this.#report(type, data);
      case 'test:start':
        ArrayPrototypePush(this.#open, { __proto__: null, nesting: data.nesting, name: data.name, isAnnounced: false });
        return '';
      case 'test:stderr':
      case 'test:stdout':
        return data.message;
      case 'test:diagnostic':
      case 'test:log': {
        const color = this.#paint[kColorOfLevel[data.level] ?? 'blue'];
        return `${color}${StringPrototypeRepeat('  ', data.nesting)}${symbols[type]}${data.message}${this.#paint.white}\n`;
      }
      case 'test:coverage': {
        const { formatCoverage } = require('internal/test_runner/reporters/coverage_table');
        const prefix = `${StringPrototypeRepeat('  ', data.nesting)}${symbols[type]}`;
        return formatCoverage(data.summary, prefix, this.#paint.blue, this.#paint);
      }
      case 'test:summary':
        // The entry of a file comes first.
        return data.file === undefined ? this.#formatFailed() : '';
      default:
        return '';
    }
  }

  _transform(event, encoding, callback) {
    callback(null, this.#format(event));
  }

  #formatFailed() {
    if (this.#failed.length === 0) return '';
    const { red, white } = this.#paint;
    const lines = [`\n${red}${symbols['test:fail']}failing tests:${white}\n`];
    for (let i = 0; i < this.#failed.length; i++) {
      const data = this.#failed[i];
      if (data.file !== undefined) {
        ArrayPrototypePush(lines, `test at ${relative(this.#cwd, data.file)}:${data.line}:${data.column}`);
      }
      ArrayPrototypePush(lines, formatReport('test:fail', data, this.#paint));
    }
    this.#failed = [];
    return ArrayPrototypeJoin(lines, '\n');
  }

  _flush(callback) {
    callback(null, this.#formatFailed());
  }
}

module.exports = SpecReporter;

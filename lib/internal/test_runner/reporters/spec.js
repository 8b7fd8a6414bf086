'use strict';
// For people: a tree of what passed and what did not, and all failures again at the end.

const {
  ArrayPrototypePop,
  ArrayPrototypePush,
  StringPrototypeRepeat,
} = primordials;

const { relative } = require('path');
const { Transform } = require('stream');
const { formatReport, sequences, symbols } = require('internal/test_runner/reporters/utils');

class SpecReporter extends Transform {
  #open = []; // Those that have begun, and are not reported yet.
  #failed = [];
  #paint = sequences();
  #cwd = process.cwd();

  constructor() {
    super({ __proto__: null, writableObjectMode: true });
  }

  #report(type, data) {
    // Whoever is on the way to it, and was not announced, has children.
    let result = '';
    const own = ArrayPrototypePop(this.#open);
    for (let i = 0; i < this.#open.length; i++) {
      const parent = this.#open[i];
      if (parent.isAnnounced) continue;
      parent.isAnnounced = true;
      result += `${StringPrototypeRepeat('  ', parent.nesting)}${symbols['arrow:right']}${parent.name}\n`;
    }
    const hasChildren = own?.isAnnounced === true;
    if (type === 'test:fail' && data.details?.error?.failureType !== 'subtestsFailed') {
      ArrayPrototypePush(this.#failed, data);
    }
    return result + formatReport(type, data, this.#paint, StringPrototypeRepeat('  ', data.nesting), hasChildren);
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
        return `${StringPrototypeRepeat('  ', data.nesting)}${this.#paint.blue}${symbols['test:diagnostic']}` +
          `${data.message}${this.#paint.white}\n`;
      default:
        return '';
    }
  }

  _transform(event, encoding, callback) {
    callback(null, this.#format(event));
  }

  _flush(callback) {
    if (this.#failed.length === 0) {
      callback(null, '');
      return;
    }
    let result = `\n${this.#paint.red}${symbols['test:fail']}failing tests:${this.#paint.white}\n\n`;
    for (let i = 0; i < this.#failed.length; i++) {
      const data = this.#failed[i];
      if (data.file !== undefined) {
        result += `test at ${relative(this.#cwd, data.file)}:${data.line}:${data.column}\n`;
      }
      result += formatReport('test:fail', data, this.#paint);
    }
    this.#failed = [];
    callback(null, result);
  }
}

module.exports = SpecReporter;

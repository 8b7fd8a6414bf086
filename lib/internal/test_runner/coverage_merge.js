'use strict';
// One report of coverage made of several: each process that ran tests has written its own.

const { ArrayPrototypeFilter, ArrayPrototypeFind, ArrayPrototypeIncludes, ArrayPrototypePush, SafeMap } = primordials;

const isSame = (a, b) => a.startOffset === b.startOffset && a.endOffset === b.endOffset;
const contains = (a, b) => a.startOffset <= b.startOffset && a.endOffset >= b.endOffset;

// Code that ran in any process is covered. Code that did not run is in an uncovered range of both: the smaller one, if
// one range contains the other.
function mergeRanges(known, added) {
  const result = ArrayPrototypeFilter(known, ({ count }) => count > 0);
  const keep = (range) => {
    if (!ArrayPrototypeIncludes(result, range)) ArrayPrototypePush(result, range);
  };
  for (let i = 0; i < added.length; i++) {
    const range = added[i];
    let equal;
    for (let j = 0; j < known.length && equal === undefined; j++) {
      const other = known[j];
      if (isSame(range, other)) {
        equal = other;
      } else if (range.count === 0 && other.count === 0) {
        if (contains(other, range)) keep(range);
        else if (contains(range, other)) keep(other);
      }
    }
    if (equal !== undefined) {
      equal.count += range.count;
      keep(equal);
    } else if (range.count > 0) {
      keep(range);
    }
  }
  return result;
}

function mergeFunctions(known, added) {
  for (let i = 0; i < added.length; i++) {
    const one = added[i];
    const same = ArrayPrototypeFind(known, (other) => other.functionName === one.functionName &&
      one.ranges.length > 0 && other.ranges.length > 0 && isSame(other.ranges[0], one.ranges[0]));
    if (same === undefined) {
      ArrayPrototypePush(known, one);
    } else if (one.isBlockCoverage) {
      // A report without block counts adds no information.
      same.ranges = same.isBlockCoverage ? mergeRanges(same.ranges, one.ranges) : one.ranges;
      same.isBlockCoverage = true;
    }
  }
}

class MergedCoverage {
  #scripts = new SafeMap();

  add({ url, functions }) {
    const known = this.#scripts.get(url);
    if (known === undefined) this.#scripts.set(url, { __proto__: null, url, functions });
    else mergeFunctions(known.functions, functions);
  }

  has(url) {
    return this.#scripts.has(url);
  }

  get scripts() {
    return [...this.#scripts.values()];
  }
}

module.exports = { MergedCoverage };

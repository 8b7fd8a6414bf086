'use strict';
// Timer lists by duration. Those below a minute or so, which is nearly all of them, are in an array of pages: a look-up
// takes two loads, where a Map of many durations costs several cache misses.
const { Array, ArrayPrototypeFill, SafeMap } = primordials;

const kPageBits = 8;
const kPageSize = 1 << kPageBits;
const kPages = 256;
const kNear = kPages << kPageBits;

// Without holes: a program can define elements on Array.prototype.
function makeFilled(size) {
  return ArrayPrototypeFill(new Array(size), undefined);
}

class ListTable {
  constructor() {
    this.size = 0;
    this.pages = makeFilled(kPages);
    this.far = new SafeMap();
  }

  // `duration` may be any number, also NaN.
  get(duration) {
    if (duration >= 0 && duration < kNear) {
      const page = this.pages[duration >> kPageBits];
      return page === undefined ? undefined : page[duration & (kPageSize - 1)];
    }
    return this.far.get(duration);
  }

  // For a duration that is not in the table.
  add(duration, list) {
    this.size++;
    if (duration >= 0 && duration < kNear) {
      const number = duration >> kPageBits;
      let page = this.pages[number];
      if (page === undefined) {
        page = makeFilled(kPageSize);
        this.pages[number] = page;
      }
      page[duration & (kPageSize - 1)] = list;
    } else {
      this.far.set(duration, list);
    }
  }

  // For a duration that is in the table.
  remove(duration) {
    this.size--;
    if (duration >= 0 && duration < kNear) this.pages[duration >> kPageBits][duration & (kPageSize - 1)] = undefined;
    else this.far.delete(duration);
  }

  // visit(list) of all, until it returns false. May be called at any time, also while the table is being changed.
  forEach(visit) {
    for (let i = 0; i < kPages; i++) {
      const page = this.pages[i];
      if (page === undefined) continue;
      for (let k = 0; k < kPageSize; k++) {
        if (page[k] !== undefined && !visit(page[k])) return;
      }
    }
    for (const list of this.far.values()) {
      if (!visit(list)) return;
    }
  }
}

module.exports = { ListTable };

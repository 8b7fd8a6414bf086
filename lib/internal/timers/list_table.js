'use strict';
// Timer lists by duration. Those below about a minute, which are nearly all, are in an array of pages: a look-up takes
// two loads, while a Map of many durations costs several cache misses.
const { Array, ArrayPrototypeFill, SafeMap } = primordials;

const kPageBits = 8;
const kPageSize = 1 << kPageBits;
const kPages = 256;
const kNear = kPages << kPageBits;

// Filled, because a program can define elements on Array.prototype, which holes would expose.
function makeFilled(size) {
  return ArrayPrototypeFill(new Array(size), undefined);
}

class ListTable {
  constructor() {
    this.size = 0;
    this.pages = makeFilled(kPages);
    this.far = new SafeMap();
  }

  // `duration` may be any number, including NaN.
  get(duration) {
    if (duration >= 0 && duration < kNear) {
      const page = this.pages[duration >> kPageBits];
      return page === undefined ? undefined : page[duration & (kPageSize - 1)];
    }
    return this.far.get(duration);
  }

  // Requires that the duration is not in the table.
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

  // Requires that the duration is in the table.
  remove(duration) {
    this.size--;
    if (duration >= 0 && duration < kNear) this.pages[duration >> kPageBits][duration & (kPageSize - 1)] = undefined;
    else this.far.delete(duration);
  }

  // Calls visit(list) for all lists until it returns false. May be called at any time, even while the table is being
  // modified.
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

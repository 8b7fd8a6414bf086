'use strict';
// From ids to two whole numbers and a mark, for a million of them: a Map of objects would take ten times the memory.
// Open addressing, with room that doubles; nothing is ever removed.

const kNothing = -1;

class IdTable {
  constructor(room = 64) {
    let size = 64;
    while (size < room * 2) size *= 2;
    this.size = 0;
    this.reserve(size);
  }

  reserve(slots) {
    this.mask = slots - 1;
    this.keys = new Float64Array(slots);
    this.first = new Int32Array(slots).fill(kNothing);
    this.second = new Int32Array(slots);
    this.mark = new Uint8Array(slots);
  }

  // The slot of `id`, or a free one for it. Ids are mostly consecutive, also negative ones.
  slot(id) {
    const { keys, first, mask } = this;
    let at = Math.imul((id ^ (id / 4294967296)) | 0, 0x9e3779b1);
    at = (at ^ (at >>> 15)) & mask;
    while (first[at] !== kNothing && keys[at] !== id) at = (at + 1) & mask;
    return at;
  }

  // `first` must not be negative. The mark is taken away.
  set(id, first, second) {
    let at = this.slot(id);
    if (this.first[at] === kNothing) {
      if (++this.size * 2 > this.mask) {
        this.grow();
        at = this.slot(id);
      }
      this.keys[at] = id;
    }
    this.first[at] = first;
    this.second[at] = second;
    this.mark[at] = 0;
  }

  grow() {
    const { keys, first, second, mark } = this;
    this.reserve(keys.length * 2);
    for (let i = 0; i < keys.length; i++) {
      if (first[i] === kNothing) continue;
      const at = this.slot(keys[i]);
      this.keys[at] = keys[i];
      this.first[at] = first[i];
      this.second[at] = second[i];
      this.mark[at] = mark[i];
    }
  }

  // The slot of `id`, or -1: for first[slot], second[slot] and mark[slot].
  find(id) {
    const at = this.slot(id);
    return this.first[at] === kNothing ? -1 : at;
  }
}

module.exports = { IdTable };

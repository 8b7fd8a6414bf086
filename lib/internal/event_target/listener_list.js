'use strict';
// The head of the linked list of a target's listeners for one type, with their number. Long lists have an index, so
// that adding and removing a listener stays fast.

const {
  SafeMap,
  SafeWeakMap,
} = primordials;

// Shorter lists are searched linearly.
const kIndexedFrom = 16;

class ListenerList {
  size = 0;
  next = undefined;
  last = undefined;
  index = undefined;
  // Set once any listener must run even after stopImmediatePropagation().
  resistStopPropagation = false;

  find(listener, capture) {
    if (this.index !== undefined) return this.index.find(listener, capture);
    for (let entry = this.next; entry !== undefined; entry = entry.next) {
      if (entry.isSame(listener, capture)) return entry;
    }
    return undefined;
  }

  count(entry, listener) {
    ++this.size;
    if (this.index !== undefined) this.index.add(entry, listener);
    else if (this.size >= kIndexedFrom) this.makeIndex();
  }

  makeIndex() {
    this.index = new ListenerIndex();
    for (let each = this.next; each !== undefined; each = each.next) {
      const known = each.weak ? each.listener.deref() : each.listener;
      if (known !== undefined) this.index.add(each, known);
    }
  }
}

// Maps listeners to entries, for each value of `capture`. Weak listeners have separate maps.
class ListenerIndex {
  #strong = [new SafeMap(), new SafeMap()];
  #weak;

  add(entry, listener) {
    this.#mapOf(entry).set(listener, entry);
  }

  delete(entry, listener) {
    this.#mapOf(entry).delete(listener);
  }

  find(listener, capture) {
    return this.#strong[+capture].get(listener) ?? this.#weak?.[+capture].get(listener);
  }

  #mapOf(entry) {
    if (entry.weak) this.#weak ??= [new SafeWeakMap(), new SafeWeakMap()];
    return (entry.weak ? this.#weak : this.#strong)[+entry.capture];
  }
}

module.exports = { ListenerList };

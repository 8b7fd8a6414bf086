'use strict';
// A callback of one stream that waits for an event of another. It is called at most once.
class PendingCallback {
  #callback = null;

  set(callback) {
    this.#callback = callback;
  }

  call() {
    const callback = this.#callback;
    this.#callback = null;
    if (callback !== null) callback();
  }
}

module.exports = { PendingCallback };

'use strict';

// The _handle of a ChildProcess while its child runs: the native process without streams or events.

const { Symbol } = primordials;
const binding = internalBinding('child_process');
const { bindListener, listenerOf } = require('internal/async_hooks');
const { codesOf, textsOf } = require('internal/child_process/sync');

const { UV_ESRCH } = internalBinding('uv');

// Key of an internal option of spawn(): the kernel kills the child when this process ends, even by SIGKILL.
const kEndsWithParent = Symbol('kEndsWithParent');

class Process {
  #child;
  pid;
  onexit;
  owner = null; // For use by the owner of the handle.

  // Returns 0 or a negative errno.
  spawn(options) {
    const args = textsOf(options.args ?? [options.file], true);
    const onExit = bindListener('PROCESSWRAP', (status, signal) => {
      this.onexit(status, signal);
    }, () => listenerOf(this.owner, 'exit'));
    const child = binding.spawn(
      onExit, options.file, args, options.envPairs, options.cwd || undefined, options.detached === true,
      options.uid ?? undefined, options.gid ?? undefined, options[kEndsWithParent] === true, codesOf(options.stdio));
    if (typeof child === 'number') return child;
    this.#child = child;
    child.owner = this;
    this.pid = binding.pid(child);
    return 0;
  }

  // Returns our end of the pipe at the child's descriptor of this number. A child that was never started has streams,
  // too, which are at their end.
  takeEnd(descriptor) {
    return this.#child === undefined ? binding.deadEnd() : binding.takeEnd(this.#child, descriptor);
  }

  // Closes an end that no stream could take over, so that the child sees the end of the pipe.
  dropEnd(end) {
    binding.dropEnd(end);
  }

  kill(signal) {
    return this.#child === undefined ? UV_ESRCH : binding.kill(this.#child, signal);
  }

  ref() {
    this.#child?.ref();
  }

  unref() {
    this.#child?.unref();
  }

  hasRef() {
    return this.#child?.hasRef() ?? false;
  }

  close() {
    this.#child?.close();
    this.#child = undefined;
  }
}

module.exports = { Process, kEndsWithParent };

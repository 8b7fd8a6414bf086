'use strict';

// Worker.startCpuProfile() and startHeapProfile(): profiles that another thread records of itself. `ask` sends a
// request to that thread; answer() handles it there.

const { JSONStringify } = primordials;

const {
  codes: { ERR_CPU_PROFILE_NOT_STARTED, ERR_CPU_PROFILE_TOO_MANY, ERR_HEAP_PROFILE_HAVE_BEEN_STARTED,
    ERR_HEAP_PROFILE_NOT_STARTED },
} = require('internal/errors');
const { SymbolAsyncDispose } = require('internal/util');
const { readCpuOptions, readHeapOptions } = require('internal/v8/profile');

function makeHandle(name, stop) {
  const Class = { [name]: class {
    #profile = undefined;

    // Returns the profile as JSON, the same on each call.
    stop() {
      return this.#profile ??= stop();
    }

    async [SymbolAsyncDispose]() {
      await this.stop();
    }
  } }[name];
  return new Class();
}

function startCpuProfile(request, options) {
  return request('startCpuProfile', readCpuOptions(options), (id) => {
    if (id === undefined) throw new ERR_CPU_PROFILE_TOO_MANY();
    return makeHandle('CPUProfileHandle', () => request('stopCpuProfile', id, (profile) => {
      if (profile === undefined) throw new ERR_CPU_PROFILE_NOT_STARTED();
      return profile;
    }));
  });
}

function startHeapProfile(request, options) {
  return request('startHeapProfile', readHeapOptions(options), (isStarted) => {
    if (!isStarted) throw new ERR_HEAP_PROFILE_HAVE_BEEN_STARTED();
    return makeHandle('HeapProfileHandle', () => request('stopHeapProfile', undefined, (profile) => {
      if (profile === undefined) throw new ERR_HEAP_PROFILE_NOT_STARTED();
      return profile;
    }));
  });
}

function answer(type, options) {
  const binding = internalBinding('v8_profile');
  switch (type) {
    case 'startCpuProfile': return binding.startCpuProfile(options.microseconds, options.samples);
    case 'stopCpuProfile': return binding.stopCpuProfile(options);
    case 'startHeapProfile': return binding.startHeapProfile(options.sampleInterval, options.stackDepth, options.flags);
    case 'stopHeapProfile': {
      const profile = binding.stopHeapProfile();
      return profile === undefined ? undefined : JSONStringify(profile);
    }
  }
}

module.exports = { answer, startCpuProfile, startHeapProfile };

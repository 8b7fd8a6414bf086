'use strict';

// fs.glob(): finds the files that match patterns. The walk is one generator, which yields file system requests and
// results. Its drivers answer the requests synchronously or with promises.

const {
  ArrayFrom,
  ArrayIsArray,
  ArrayPrototypeJoin,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  SafeArrayIterator,
  SafeMap,
  SafeSet,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { validateBoolean, validateObject, validateString, validateStringArray } = require('internal/validators');
const { compilePatterns, kGlobstar, makeMatcher, matchSegment } = require('internal/path/glob');
const { basename, dirname, isAbsolute, join, resolve } = require('path');
const { DirentFromStats } = require('internal/fs/utils');

// The kinds of requests that the walk makes.
const kLstat = 1;
const kIsDirectory = 2;
const kReaddir = 3;
const kRealpath = 4;
// A result, which needs no answer.
const kFound = 5;

// A pattern, and the indexes of its parts that may match next in the visited directory.
class State {
  constructor(pattern, indexes, symlinks = new SafeSet(), realpaths = new SafeSet()) {
    this.pattern = pattern; // { tests, parts }
    this.indexes = indexes;
    this.symlinks = symlinks; // Indexes of `**` that went through a link.
    this.realpaths = realpaths; // Real paths of the directories above, if links are followed.
    this.last = pattern.tests.length - 1;
  }

  at(index) {
    const { tests } = this.pattern;
    return tests[index < 0 ? tests.length + index : index];
  }

  child(indexes, symlinks, realpaths = this.realpaths) {
    return new State(this.pattern, indexes, symlinks, realpaths);
  }

  isLast(isDirectory) {
    return this.indexes.has(this.last) ||
      (this.at(-1) === '' && isDirectory && this.indexes.has(this.last - 1) && this.at(-2) === kGlobstar);
  }

  hasIndexOutsideLinks() {
    for (const index of this.indexes) {
      if (!this.symlinks.has(index)) return true;
    }
    return false;
  }

  test(index, name) {
    const test = this.pattern.tests[index];
    if (test === kGlobstar) return true;
    return test !== undefined && matchSegment(test, name);
  }

  key(index) {
    return ArrayPrototypeJoin(ArrayPrototypeSlice(this.pattern.parts, index), '/');
  }
}

const only = (index) => new SafeSet().add(index);

function validateExclude(exclude) {
  if (ArrayIsArray(exclude)) {
    for (let i = 0; i < exclude.length; i++) {
      if (typeof exclude[i] !== 'string') throw new ERR_INVALID_ARG_TYPE(`options.exclude[${i}]`, 'string', exclude[i]);
    }
  } else if (typeof exclude !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.exclude', ['string[]', 'function'], exclude);
  }
}

class Glob {
  #root;
  #withFileTypes;
  #followSymlinks = false;
  #exclude; // A function of the program.
  #isExcluded = () => false;
  #states = [];
  #seen = new SafeMap(); // Path => keys of the states that have visited it.
  #stats = new SafeMap();
  #directories = new SafeMap();
  #results = new SafeSet();
  #waiting = new SafeMap(); // Path => states that will visit it.

  constructor(pattern, options = kEmptyObject) {
    validateObject(options, 'options');
    const { exclude, cwd, followSymlinks, withFileTypes } = options;
    this.#root = require('internal/url').toPathIfFileURL(cwd) ?? '.';
    if (followSymlinks != null) {
      validateBoolean(followSymlinks, 'options.followSymlinks');
      this.#followSymlinks = followSymlinks;
    }
    this.#withFileTypes = !!withFileTypes;
    if (exclude != null) this.#setExclude(exclude);
    if (typeof pattern === 'object') validateStringArray(pattern, 'patterns');
    else validateString(pattern, 'patterns');
    const patterns = typeof pattern === 'object' ? pattern : [pattern];
    for (let i = 0; i < patterns.length; i++) {
      const compiled = compilePatterns(patterns[i], false);
      for (let j = 0; j < compiled.length; j++) ArrayPrototypePush(this.#states, new State(compiled[j], only(0)));
    }
  }

  #setExclude(exclude) {
    validateExclude(exclude);
    if (!ArrayIsArray(exclude)) {
      this.#exclude = exclude;
      return;
    }
    const matchers = [];
    for (let i = 0; i < exclude.length; i++) {
      ArrayPrototypePush(matchers, makeMatcher(resolve(this.#root, exclude[i]), false));
    }
    this.#isExcluded = (path) => {
      for (let i = 0; i < matchers.length; i++) {
        if (matchers[i](path)) return true;
      }
      return false;
    };
  }

  // ---- Cached requests

  *#lstat(path) {
    let entry = this.#stats.get(path);
    if (entry === undefined) {
      const stats = yield { what: kLstat, path };
      entry = stats === null ? null : new DirentFromStats(basename(path), stats, dirname(path));
      this.#stats.set(path, entry);
    }
    return entry;
  }

  *#readdir(path) {
    let entries = this.#directories.get(path);
    if (entries === undefined) {
      entries = yield { what: kReaddir, path };
      this.#directories.set(path, entries);
    }
    return entries;
  }

  *#isDirectory(path, entry, state) {
    if (entry === null) return false;
    if (entry.isDirectory()) return true;
    if (!entry.isSymbolicLink()) return false;
    return this.#followSymlinks ? yield { what: kIsDirectory, path } : state.hasIndexOutsideLinks();
  }

  // ---- The walk

  *#walk() {
    const queue = [{ path: '.', states: this.#states }];
    while (queue.length > 0) {
      const { path, states } = ArrayPrototypePop(queue);
      for (let i = 0; i < states.length; i++) yield* this.#visit(path, states[i]);
      for (const { 0: nextPath, 1: nextStates } of this.#waiting) {
        ArrayPrototypePush(queue, { path: nextPath, states: nextStates });
      }
      this.#waiting.clear();
    }
  }

  // Records a visit. Returns false if the path was visited with one of these parts before.
  #remember(path, state) {
    let keys = this.#seen.get(path);
    if (keys === undefined) this.#seen.set(path, keys = new SafeSet());
    const { size } = keys;
    for (const index of state.indexes) keys.add(state.key(index));
    return keys.size === size + state.indexes.size;
  }

  #wasSeen(path, state, index) {
    return this.#seen.get(path)?.has(state.key(index)) === true;
  }

  *#add(path, entry) {
    if (this.#results.has(path) || this.#isExcluded(resolve(this.#root, path))) return;
    this.#results.add(path);
    yield { what: kFound, path, entry };
  }

  *#enqueue(path, state) {
    const fullPath = resolve(this.#root, path);
    if (this.#isExcluded(`${fullPath}/`) && (yield* this.#lstat(fullPath))?.isDirectory()) return;
    if (this.#exclude !== undefined) {
      if (!this.#withFileTypes) {
        if (this.#exclude(path)) return;
      } else {
        const entry = yield* this.#lstat(fullPath);
        if (entry !== null && this.#exclude(entry)) return;
      }
    }
    const states = this.#waiting.get(path);
    if (states === undefined) this.#waiting.set(path, [state]);
    else ArrayPrototypePush(states, state);
  }

  // Handles patterns that begin with `/`, `..` or `.`. Returns true if this one does.
  *#start(state) {
    if (!state.indexes.has(0)) return false;
    const first = state.at(0);
    const path = first === '' ? '/' : first === '..' ? '../' : first === '.' ? '.' : undefined;
    if (path === undefined) return false;
    yield* this.#enqueue(path, state.child(only(1)));
    return true;
  }

  *#visit(path, state) {
    if (!this.#remember(path, state)) return;
    const fullPath = resolve(this.#root, path);
    const entry = yield* this.#lstat(fullPath);
    const isDirectory = yield* this.#isDirectory(fullPath, entry, state);
    const isLast = state.isLast(isDirectory);
    if (this.#isExcluded(fullPath) || (yield* this.#start(state))) return;

    const end = state.at(-1);
    if (isLast && typeof end === 'string') {
      const found = yield* this.#lstat(join(fullPath, end));
      if (found !== null && (end !== '' || isDirectory)) yield* this.#add(join(path, end), found);
      if (state.indexes.size === 1 && state.indexes.has(state.last)) return;
    } else if (isLast && end === kGlobstar &&
      (path !== '.' || state.at(0) === '.' || (state.last === 0 && entry !== null))) {
      yield* this.#add(path, entry);
    }
    if (!isDirectory) return;

    let { realpaths } = state;
    if (this.#followSymlinks) {
      const real = yield { what: kRealpath, path: fullPath };
      if (real !== null) {
        if (realpaths.has(real)) return;
        realpaths = new SafeSet(realpaths).add(real);
      }
    }
    const children = yield* this.#children(fullPath, state);
    for (let i = 0; i < children.length; i++) {
      const child = new Child(path, fullPath, children[i]);
      this.#stats.set(child.fullPath, child.entry);
      child.isDirectory = child.entry.isDirectory() || (this.#followSymlinks && child.entry.isSymbolicLink() &&
        (yield { what: kIsDirectory, path: child.fullPath }));
      if (!(yield* this.#match(child, state, isLast))) return;
      if (child.indexes.size > 0) {
        yield* this.#enqueue(child.path, state.child(child.indexes, child.symlinks, realpaths));
      }
    }
  }

  // The entries to match. If the pattern continues with a plain name, only that name is looked up.
  *#children(fullPath, state) {
    const first = state.indexes.size === 1 ? state.at(ArrayFrom(state.indexes)[0]) : undefined;
    if (typeof first !== 'string') return yield* this.#readdir(fullPath);
    const entry = yield* this.#lstat(join(fullPath, first));
    if (entry === null) return [];
    entry.name = first;
    return [entry];
  }

  // Collects the parts of the pattern to continue with below `child`. Returns false if `child` was visited with them
  // before.
  *#match(child, state, isLast) {
    for (const index of state.indexes) {
      if (this.#wasSeen(child.path, state, index) || this.#wasSeen(child.path, state, index + 1)) return false;
      const current = state.at(index);
      if (current === kGlobstar) {
        yield* this.#matchGlobstar(child, state, index, isLast);
      } else if (typeof current === 'string') {
        if (state.test(index, child.entry.name) && index !== state.last) {
          child.indexes.add(index + 1);
        } else if (current === '.' && state.test(index + 1, child.entry.name)) {
          if (index + 1 === state.last) yield* this.#add(child.path, child.entry);
          else child.indexes.add(index + 2);
        }
      } else if (current !== undefined && state.test(index, child.entry.name)) {
        if (index === state.last) yield* this.#add(child.path, child.entry);
        else if (child.isDirectory) child.indexes.add(index + 1);
      }
    }
    return true;
  }

  *#matchGlobstar(child, state, index, isLast) {
    const { entry } = child;
    const next = index + 1;
    const nextMatches = state.test(next, entry.name);
    const fromLink = !this.#followSymlinks && state.symlinks.has(index);
    let afterStars = next;
    while (state.at(afterStars) === kGlobstar) afterStars++;
    if (entry.name[0] === '.' && !state.test(afterStars, entry.name)) return;
    if (this.#exclude?.(this.#withFileTypes ? entry : entry.name)) return;
    if (!fromLink && child.isDirectory) child.indexes.add(index);
    else if (!fromLink && index === state.last) yield* this.#add(child.path, entry);

    if (nextMatches && next === state.last && !isLast) yield* this.#add(child.path, entry);
    else if (nextMatches && child.isDirectory) child.indexes.add(index + 2);
    if (!fromLink && (child.isDirectory ? nextMatches || state.at(0) === '.' : nextMatches && entry.isSymbolicLink())) {
      child.indexes.add(next);
    }
    if (!this.#followSymlinks && entry.isSymbolicLink()) child.symlinks.add(index);
    if (state.at(next) === '..' && child.isDirectory) yield* this.#goUp(child, state, next);
  }

  // `**/..` matches the directory and its parent.
  *#goUp({ parent, parentFullPath }, state, next) {
    const above = join(parent, '..');
    if (next < state.last) {
      for (const path of new SafeArrayIterator([parent, above])) {
        if (!this.#waiting.has(path) && !this.#wasSeen(path, state, next + 1)) {
          this.#waiting.set(path, [state.child(only(next + 1))]);
        }
      }
      return;
    }
    for (const path of new SafeArrayIterator([parent, above])) {
      if (this.#wasSeen(path, state, next)) continue;
      this.#remember(path, state.child(only(next)));
      yield* this.#add(path, yield* this.#lstat(path === parent ? parentFullPath : join(this.#root, above)));
    }
  }

  // ---- The drivers

  globSync() {
    const fs = require('fs');
    const attempt = (call, fallback) => {
      try {
        return call();
      } catch {
        return fallback;
      }
    };
    const answer = ({ what, path }) => {
      switch (what) {
        case kLstat: return attempt(() => fs.lstatSync(path), null);
        case kIsDirectory: return attempt(() => fs.statSync(path).isDirectory(), false);
        case kReaddir: return attempt(() => fs.readdirSync(path, { __proto__: null, withFileTypes: true }), []);
        default: return attempt(() => fs.realpathSync(path), null);
      }
    };
    const found = [];
    const walk = this.#walk();
    for (let step = walk.next(); !step.done;) {
      const { value } = step;
      if (value.what === kFound) {
        ArrayPrototypePush(found, value.path);
        step = walk.next();
      } else {
        step = walk.next(answer(value));
      }
    }
    if (!this.#withFileTypes) return found;
    for (let i = 0; i < found.length; i++) {
      const path = isAbsolute(found[i]) ? found[i] : join(this.#root, found[i]);
      const stats = answer({ what: kLstat, path });
      found[i] = this.#stats.get(path) ??
        (stats === null ? null : new DirentFromStats(basename(path), stats, dirname(path)));
    }
    return found;
  }

  async *glob() {
    const promises = require('internal/fs/promises').exports;
    const attempt = async (promise, fallback) => {
      try {
        return await promise;
      } catch {
        return fallback;
      }
    };
    const answer = ({ what, path }) => {
      switch (what) {
        case kLstat: return attempt(promises.lstat(path), null);
        case kIsDirectory: return attempt((async () => (await promises.stat(path)).isDirectory())(), false);
        case kReaddir: return attempt(promises.readdir(path, { __proto__: null, withFileTypes: true }), []);
        default: return attempt(promises.realpath(path), null);
      }
    };
    const walk = this.#walk();
    for (let step = walk.next(); !step.done;) {
      const { value } = step;
      if (value.what === kFound) {
        yield this.#withFileTypes ? value.entry : value.path;
        step = walk.next();
      } else {
        step = walk.next(await answer(value));
      }
    }
  }
}

// An entry of a directory, and the indexes of the parts of the pattern to match below it.
class Child {
  constructor(parent, parentFullPath, entry) {
    this.entry = entry;
    this.parent = parent;
    this.parentFullPath = parentFullPath;
    this.path = join(parent, entry.name);
    this.fullPath = join(parentFullPath, entry.name);
    this.isDirectory = false;
    this.indexes = new SafeSet();
    this.symlinks = new SafeSet();
  }
}

module.exports = { Glob };

'use strict';

// A ModuleJob takes a module through its stages: compiled, linked with its imports, instantiated, evaluated. All except
// the last are synchronous, so require() and import share them.

const {
  ArrayPrototypePush,
  ObjectSetPrototypeOf,
  Promise,
  PromisePrototypeThen,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  SafeSet,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  hardenRegExp,
} = primordials;

const binding = internalBinding('modules');
const { codes: { ERR_SOURCE_PHASE_NOT_DEFINED } } = require('internal/errors');
const { sourceObjectOf } = require('internal/modules/esm/translators');
const packages = require('internal/modules/package_json_reader');
const { hrefToPath, isFileHref, stripQuery } = require('internal/modules/urls');

function ignore() {}

class ModuleJob {
  constructor(url, format, number) {
    this.url = url;
    this.format = format;
    this.number = number; // The binding's number of the module; -1 if it could not be loaded.
    this.isLinked = format !== 'module' && format !== 'module-typescript' && format !== 'wasm';
    this.targets = undefined; // The jobs of its requests.
    this.links = undefined; // The jobs among them to be linked and evaluated, too: all except those of `import source`.
    this.hasFailed = false;
    this.failure = undefined; // The error because of which the module cannot be used.
    this.preparation = undefined; // The promise of the turns before its evaluation. Imports that overlap share it.
    this.evaluation = undefined; // The promise of its evaluation.
    this.exports = undefined; // The namespace, once the evaluation has succeeded.
  }

  fail(error) {
    this.hasFailed = true;
    this.failure = error;
    throw error;
  }

  // `getJob(specifier, parent URL, attributes)` returns the jobs of the requests. Breadth first: if several requests
  // are wrong, the error is that of the shortest path.
  link(getJob) {
    if (this.hasFailed) throw this.failure;
    if (this.isLinked) return;
    const queue = [this];
    const seen = new SafeSet();
    seen.add(this);
    try {
      for (let i = 0; i < queue.length; i++) {
        const job = queue[i];
        if (job.hasFailed) throw job.failure;
        if (job.targets === undefined) linkOne(job, getJob);
        for (let j = 0; j < job.links.length; j++) {
          const target = job.links[j];
          if (target.isLinked || seen.has(target)) continue;
          seen.add(target);
          ArrayPrototypePush(queue, target);
        }
      }
    } catch (error) {
      // Forget the resolved requests, so that a later import resolves them again.
      for (let i = 0; i < queue.length; i++) queue[i].targets = undefined;
      throw error;
    }
    // Mark jobs as linked only after all succeeded: one failure invalidates every module that depends on it.
    for (let i = 0; i < queue.length; i++) queue[i].isLinked = true;
  }

  instantiate() {
    if (this.hasFailed) throw this.failure;
    if (binding.status(this.number) !== binding.kUninstantiated) return;
    try {
      binding.instantiate(this.number);
    } catch (error) {
      this.fail(explainMissingExport(error, this));
    }
  }

  // Returns the promise of the evaluation, which is never reported as unhandled.
  evaluate() {
    if (this.evaluation === undefined) {
      try {
        this.evaluation = binding.evaluate(this.number);
      } catch (error) {
        this.evaluation = new Promise((resolve, reject) => reject(error)); // A CommonJS module threw.
      }
      PromisePrototypeThen(this.evaluation, undefined, ignore);
    }
    return this.evaluation;
  }

  namespace() {
    return binding.namespaceOf(this.number);
  }
}
// No prototype: assignments to properties must not call a setter that a program has put on Object.prototype.
ObjectSetPrototypeOf(ModuleJob.prototype, null);

function linkOne(job, getJob) {
  const requests = binding.requests(job.number);
  const targets = [];
  const numbers = [];
  const links = [];
  for (let i = 0; i < requests.length; i += 3) {
    let target;
    try {
      target = getJob(requests[i], job.url, requests[i + 1]);
      if (target.hasFailed) throw target.failure;
      if (requests[i + 2]) checkSource(target);
    } catch (error) {
      job.fail(error);
    }
    ArrayPrototypePush(targets, target);
    ArrayPrototypePush(numbers, target.number);
    if (!requests[i + 2]) ArrayPrototypePush(links, target);
  }
  binding.link(job.number, numbers);
  job.targets = targets;
  job.links = links;
}

// Rejects `import source` of a module that has no source object.
function checkSource(job) {
  if (sourceObjectOf(job.number) === undefined) throw new ERR_SOURCE_PHASE_NOT_DEFINED(job.url);
}

// ---- Errors with an explanation

const renaming = hardenRegExp(/\s+as\s+/g);

// Explains V8's error about a missing export if the other module is CommonJS: its names were derived from its text, and
// the missing ones are available through the default export.
function explainMissingExport(error, root) {
  const match = RegExpPrototypeExec(/^The requested module '(.*)' does not provide an export named '(.+)'$/,
    error?.message);
  if (match === null) return error;
  const { 1: specifier, 2: name } = match;
  const { stack } = error;
  const lines = StringPrototypeSplit(stack, '\n');
  const place = RegExpPrototypeExec(/^(.*):\d+$/, lines[0]);
  const parent = place === null ? undefined : findJob(root, place[1]);
  const target = parent === undefined ? undefined : targetOf(parent, specifier);
  if (target === undefined || target.format !== 'commonjs') return error;
  const names = RegExpPrototypeExec(/\{([^}]*)\}/, lines[1]);
  const renamed = names === null ? '' :
    `const {${RegExpPrototypeSymbolReplace(renaming, names[1], ': ')}} = pkg;\n`;
  const message = `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which ` +
    'may not support all module.exports as named exports.\n' +
    'CommonJS modules can always be imported via the default export, for example using:\n\n' +
    `import pkg from '${specifier}';\n${renamed}`;
  const old = error.message;
  error.message = message;
  const at = StringPrototypeIndexOf(stack, old);
  error.stack = StringPrototypeSlice(stack, 0, at) + message + StringPrototypeSlice(stack, at + old.length);
  return error;
}

function findJob(root, url) {
  const queue = [root];
  const seen = new SafeSet();
  seen.add(root);
  for (let i = 0; i < queue.length; i++) {
    const { targets, url: found } = queue[i];
    if (found === url) return queue[i];
    for (let j = 0; targets !== undefined && j < targets.length; j++) {
      if (seen.has(targets[j])) continue;
      seen.add(targets[j]);
      ArrayPrototypePush(queue, targets[j]);
    }
  }
  return undefined;
}

function targetOf(job, specifier) {
  const requests = binding.requests(job.number);
  for (let i = 0; i < requests.length; i += 3) if (requests[i] === specifier) return job.targets?.[i / 3];
  return undefined;
}

const namesOfCommonJS = ['require', 'module', 'exports', '__filename', '__dirname'];

const advices = {
  __proto__: null,
  require: 'replace require() with import',
  module: 'use export instead of module.exports/exports',
  exports: 'use export instead of module.exports/exports',
  __filename: 'use import.meta.filename instead',
  __dirname: 'use import.meta.dirname instead',
};

// Names that exist in CommonJS but not in modules. Using one usually means that the file has the wrong format.
function explainMissingGlobal(error, url, hasAwait) {
  if (error?.name !== 'ReferenceError' || typeof error.message !== 'string') return;
  let found;
  for (let i = 0; i < namesOfCommonJS.length && found === undefined; i++) {
    if (error.message === `${namesOfCommonJS[i]} is not defined`) found = namesOfCommonJS[i];
  }
  if (found === undefined) return;
  if (hasAwait) {
    error.message =
      `Cannot determine intended module format because both '${found}' and top-level await are present. If ` +
      'the code is intended to be CommonJS, wrap await in an async function. If the code is intended to be an ES module, ' +
      `${advices[found]}.`;
    error.code = 'ERR_AMBIGUOUS_MODULE_SYNTAX';
    return;
  }
  let message = `${error.message} in ES module scope`;
  if (found === 'require') message += ', you can use import instead';
  const path = isFileHref(url) ? hrefToPath(stripQuery(url)) : '';
  if (StringPrototypeEndsWith(path, '.js')) {
    const pkg = packages.packageOf(path);
    if (pkg !== null && pkg.type === 'module') {
      message += '\nThis file is being treated as an ES module because it has a \'.js\' file extension and ' +
        `'${pkg.path}' contains "type": "module". To treat it as a CommonJS script, rename it to use the '.cjs' file ` +
        'extension.';
    }
  }
  // The stack is not read here: it is formatted on first use, and includes the source line until then.
  error.message = message;
}

module.exports = { ModuleJob, checkSource, explainMissingGlobal };

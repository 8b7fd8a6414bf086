'use strict';
// vm.SourceTextModule and vm.SyntheticModule.
const vm = require('vm');
const { inspect } = require('util');

process.on('warning', (warning) => console.log('warning', warning.message));

async function attempt(label, call) {
  try {
    console.log(label, inspect(await call()));
  } catch (error) {
    console.log(label, error.code ?? error.name, error.message);
  }
}

const { Module, SourceTextModule, SyntheticModule } = vm;
const none = () => { throw new Error('no imports'); };

(async () => {
  console.log(Object.keys(vm).slice(-3));
  await attempt('Module', () => new Module({}));
  for (const args of [[], [1], ['', null], ['', 1], ['', { context: 1 }], ['', { context: {} }], ['', { identifier: 1 }],
    ['', { lineOffset: 'x' }], ['', { columnOffset: 1.5 }], ['', { initializeImportMeta: 1 }],
    ['', { importModuleDynamically: 1 }], ['', { cachedData: 1 }], ['let 1'], ['', { cachedData: Buffer.alloc(10) }]]) {
    await attempt(`SourceTextModule(${inspect(args)})`, () => new SourceTextModule(...args).status);
  }
  for (const args of [[], [1], [[1]], [['a', 'a']], [['a']], [['a'], 1], [['a'], () => {}, null], [['a'], () => {}, { context: 1 }]]) {
    await attempt(`SyntheticModule(${inspect(args)})`, () => new SyntheticModule(...args).status);
  }

  const context = vm.createContext({ log: (...values) => console.log('log', ...values) });
  const first = new SourceTextModule('export const answer = 42; export default 1', { context });
  const second = new SourceTextModule('', { context, identifier: 'named' });
  const third = new SourceTextModule('');
  console.log(first.identifier, second.identifier, /^vm:module\(\d+\)$/.test(third.identifier), third.context, first.context === context);
  console.log(inspect(first, { depth: -1 }) === first, inspect(second));
  await attempt('namespace too early', () => first.namespace);
  await attempt('evaluate too early', () => first.evaluate());
  await attempt('error too early', () => first.error);
  await attempt('link without', () => first.link());
  await attempt('graph too early', () => first.hasAsyncGraph());
  const linking = first.link(none);
  console.log(first.status);
  await linking;
  console.log(first.status);
  await attempt('link twice', () => first.link(none));
  await attempt('evaluate options', () => first.evaluate(1));
  await attempt('evaluate timeout', () => first.evaluate({ timeout: 'x' }));
  await attempt('evaluate', () => first.evaluate());
  console.log(first.status, inspect(first.namespace), first.hasAsyncGraph(), first.hasTopLevelAwait());
  await attempt('evaluate twice', () => first.evaluate());
  await attempt('cached data too late', () => first.createCachedData());

  // A graph with all kinds of requests.
  const seen = [];
  const root = new SourceTextModule(`
    import text, { named } from 'synthetic';
    import * as other from 'other' with { type: 'json' };
    export { named } from 'synthetic';
    log(text, named, other.value, import.meta.data);
    export let meta = import.meta;
    export const late = () => import('late');
  `, {
    context,
    identifier: 'root',
    initializeImportMeta(meta, module) {
      meta.data = 'meta';
      console.log('meta of', module === root, Object.getPrototypeOf(meta));
    },
    async importModuleDynamically(specifier, referrer, attributes, phase) {
      console.log('dynamic', specifier, referrer === root, attributes, phase);
      const late = new SyntheticModule(['value'], () => late.setExport('value', 'late'), { context });
      await late.evaluate();
      return late;
    },
  });
  console.log(root.moduleRequests, root.dependencySpecifiers, Object.isFrozen(root.moduleRequests));
  const synthetic = new SyntheticModule(['default', 'named'], function() {
    console.log('evaluates', typeof this.setExport);
    synthetic.setExport('default', 'a default');
    synthetic.setExport('named', 'a name');
  }, { context });
  console.log(synthetic.status, synthetic.link());
  await attempt('setExport of no name', () => synthetic.setExport('missing', 1));
  await attempt('setExport of a number', () => synthetic.setExport(1, 1));
  await root.link(async (specifier, referrer, extra) => {
    seen.push([specifier, referrer.identifier, extra]);
    await null;
    return specifier === 'synthetic' ? synthetic : new SourceTextModule('export const value = "other"', { context });
  });
  console.log(inspect(seen, { depth: 5 }));
  await root.evaluate();
  console.log(Object.keys(root.namespace), root.namespace.meta.data, inspect(await root.namespace.late()));

  // Failures.
  const thrower = new SourceTextModule('throw new TypeError("on purpose")', { context });
  await thrower.link(none);
  await attempt('throws', () => thrower.evaluate());
  console.log(thrower.status, thrower.error.message, thrower.error instanceof TypeError);
  await attempt('again', () => thrower.evaluate());
  for (const [label, answer] of [['nothing', undefined], ['no module', {}], ['other context', new SourceTextModule('')],
    ['errored', thrower], ['rejects', Promise.reject(new Error('rejected'))], ['missing export', new SourceTextModule('', { context })]]) {
    const module = new SourceTextModule('import { x } from "y"', { context });
    await attempt(label, () => module.link(() => answer));
    console.log(module.status, module.status === 'errored' ? module.error.message : '');
  }
  await attempt('linker throws', () => new SourceTextModule('import "y"').link(none));
  const slow = new SourceTextModule('while (true) {}', { context });
  await slow.link(none);
  await attempt('timeout', () => slow.evaluate({ timeout: 5 }));
  const badMeta = new SourceTextModule('import.meta', { initializeImportMeta() { throw new Error('bad meta'); } });
  await badMeta.link(none);
  await attempt('meta throws', () => badMeta.evaluate());

  // Linking by requests.
  const parent = new SourceTextModule('import { a } from "child"; import "child"; import { b } from "other"; export default a + b');
  const child = new SourceTextModule('export const a = 1');
  const other = new SourceTextModule('export const b = await 2');
  await attempt('too few', () => parent.linkRequests([child]));
  await attempt('no modules', () => parent.linkRequests([1, 2]));
  await attempt('not linked', () => parent.instantiate());
  console.log(parent.moduleRequests.map((request) => request.specifier));
  parent.linkRequests([child, other]);
  child.linkRequests([]);
  other.linkRequests([]);
  parent.instantiate();
  console.log(parent.status, child.status, parent.hasAsyncGraph(), parent.hasTopLevelAwait(), other.hasTopLevelAwait());
  await parent.evaluate();
  console.log(inspect(parent.namespace));

  const orphan = new SourceTextModule('import "child of no one"');
  orphan.linkRequests([new SourceTextModule('import "grandchild"')]);
  await attempt('child not linked', () => orphan.instantiate());

  // A cycle.
  const left = new SourceTextModule('import { r } from "right"; export const l = "l"; export const both = () => l + r');
  const right = new SourceTextModule('import { l } from "left"; export const r = "r"; export const both = () => l + r');
  await left.link((specifier) => (specifier === 'right' ? right : left));
  await left.evaluate();
  console.log(left.namespace.both(), right.namespace.both(), right.status);

  // Code caches.
  const cachedData = new SourceTextModule('export const cached = () => 1').createCachedData();
  const cached = new SourceTextModule('export const cached = () => 1', { cachedData });
  await cached.link(none);
  await cached.evaluate();
  console.log(Buffer.isBuffer(cachedData), cached.namespace.cached());

  // A context with its own queue.
  const own = vm.createContext({ log: (text) => console.log(text) }, { microtaskMode: 'afterEvaluate' });
  const queued = new SourceTextModule('Promise.resolve().then(() => log("own queue")); await null; log("awaited")', { context: own });
  await queued.link(none);
  const evaluation = queued.evaluate();
  console.log(evaluation instanceof Promise);
  await evaluation;

  // import() in scripts with a function.
  const script = new vm.Script('import("x")', {
    importModuleDynamically(specifier, referrer, attributes, phase) {
      console.log(specifier, referrer === script, attributes, phase);
      return child;
    },
  });
  console.log(inspect(await script.runInThisContext()));
  const compiled = vm.compileFunction('return import("y")', [], {
    importModuleDynamically(specifier, referrer) {
      console.log(specifier, referrer === compiled);
      return child.namespace;
    },
  });
  console.log(inspect(await compiled()));
  const box = vm.createContext({}, {
    importModuleDynamically(specifier, referrer) {
      console.log(specifier, referrer === box);
      return specifier === 'none' ? undefined : thrower;
    },
  });
  await attempt('no module', () => vm.runInContext('eval("import(\\"none\\")")', box));
  await attempt('errored module', () => vm.runInContext('eval("import(\\"errored\\")")', box));
  let turns = 0;
  let isDone = false;
  new vm.Script('import("z")', { importModuleDynamically: () => child }).runInThisContext().then(() => { isDone = true; });
  while (!isDone) {
    await null;
    turns++;
  }
  console.log('turns', turns);
})();

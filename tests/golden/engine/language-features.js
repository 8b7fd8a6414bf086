'use strict';
// Availability of newer built-ins and syntax, including features that are still behind flags.
const has = (path) => {
  let object = globalThis;
  for (const name of path.split('.')) {
    if (object === undefined || object === null) return false;
    const key = name.startsWith('@@') ? Symbol[name.slice(2)] : name;
    if (key === undefined || !(key in Object(object))) return false;
    object = Object(object)[key];
  }
  return true;
};
const list = (title, paths) => {
  for (const path of paths) console.log(title, path, has(path));
};
list('array', ['Array.fromAsync', 'Array.prototype.at', 'Array.prototype.flat', 'Array.prototype.findLast', 'Array.prototype.toSorted',
               'Array.prototype.toSpliced', 'Array.prototype.toReversed', 'Array.prototype.with', 'Array.prototype.group']);
list('object', ['Object.groupBy', 'Object.hasOwn', 'Object.fromEntries', 'Object.getOwnPropertyDescriptors']);
list('iterator', ['Iterator', 'Iterator.from', 'Iterator.concat', 'Iterator.zip', 'Iterator.zipKeyed', 'Iterator.range',
                  'Iterator.prototype.map', 'Iterator.prototype.filter', 'Iterator.prototype.take', 'Iterator.prototype.drop',
                  'Iterator.prototype.flatMap', 'Iterator.prototype.reduce', 'Iterator.prototype.toArray', 'Iterator.prototype.forEach',
                  'Iterator.prototype.some', 'Iterator.prototype.every', 'Iterator.prototype.find', 'Iterator.prototype.chunks',
                  'Iterator.prototype.windows', 'Iterator.prototype.join', 'Iterator.prototype.@@dispose', 'AsyncIterator']);
list('collections', ['Set.prototype.union', 'Set.prototype.intersection', 'Set.prototype.difference', 'Set.prototype.symmetricDifference',
                     'Set.prototype.isSubsetOf', 'Set.prototype.isSupersetOf', 'Set.prototype.isDisjointFrom', 'Map.groupBy',
                     'Map.prototype.getOrInsert', 'Map.prototype.getOrInsertComputed', 'WeakMap.prototype.getOrInsert',
                     'WeakMap.prototype.getOrInsertComputed', 'Map.prototype.emplace']);
list('promise', ['Promise.withResolvers', 'Promise.try', 'Promise.any', 'Promise.allSettled', 'Promise.allKeyed', 'Promise.isPromise']);
list('buffers', ['ArrayBuffer.prototype.resize', 'ArrayBuffer.prototype.transfer', 'ArrayBuffer.prototype.transferToFixedLength',
                 'ArrayBuffer.prototype.transferToImmutable', 'ArrayBuffer.prototype.sliceToImmutable', 'SharedArrayBuffer.prototype.grow',
                 'Float16Array', 'Math.f16round', 'DataView.prototype.getFloat16', 'DataView.prototype.setFloat16',
                 'Uint8Array.fromBase64', 'Uint8Array.fromHex', 'Uint8Array.prototype.toBase64', 'Uint8Array.prototype.toHex',
                 'Uint8Array.prototype.setFromBase64', 'Uint8Array.prototype.setFromHex', 'Atomics.waitAsync', 'Atomics.pause']);
list('text', ['String.prototype.at', 'String.prototype.isWellFormed', 'String.prototype.toWellFormed', 'String.prototype.replaceAll',
              'String.dedent', 'RegExp.escape', 'RegExp.prototype.hasIndices', 'RegExp.prototype.unicodeSets', 'JSON.rawJSON', 'JSON.isRawJSON']);
list('math', ['Math.sumPrecise', 'Math.clamp', 'Math.clz32', 'BigInt.asIntN', 'Number.isSafeInteger']);
list('errors', ['Error.isError', 'Error.captureStackTrace', 'AggregateError', 'SuppressedError', 'DisposableStack', 'AsyncDisposableStack']);
list('disposal', ['Symbol.dispose', 'Symbol.asyncDispose', 'Symbol.metadata', 'Symbol.observable', 'Function.prototype.@@metadata']);
list('memory', ['WeakRef', 'FinalizationRegistry']);
list('temporal', ['Temporal', 'Temporal.Now', 'Temporal.Instant', 'Temporal.PlainDate', 'Temporal.PlainTime', 'Temporal.PlainDateTime',
                  'Temporal.PlainYearMonth', 'Temporal.PlainMonthDay', 'Temporal.ZonedDateTime', 'Temporal.Duration',
                  'Date.prototype.toTemporalInstant']);
list('absent', ['ShadowRealm', 'AsyncContext', 'Signal', 'Observable', 'Tuple', 'Record', 'CompositeKey', 'ModuleSource', 'SharedStruct',
                'Array.isTemplateObject', 'Atomics.Mutex', 'gc', 'd8']);
list('wasm', ['WebAssembly.compile', 'WebAssembly.instantiate', 'WebAssembly.validate',
              'WebAssembly.Tag', 'WebAssembly.Exception', 'WebAssembly.JSTag', 'WebAssembly.Suspending', 'WebAssembly.promising',
              'WebAssembly.SuspendError', 'WebAssembly.Memory.prototype.toResizableBuffer', 'WebAssembly.Function']);
console.log(Object.getOwnPropertyNames(Intl).join());
list('intl', ['Intl.Locale.prototype.getWeekInfo', 'Intl.Locale.prototype.getCalendars', 'Intl.Locale.prototype.variants',
              'Intl.NumberFormat.prototype.formatRange', 'Intl.PluralRules.prototype.selectRange', 'Intl.DurationFormat.prototype.format',
              'Intl.Segmenter', 'Intl.supportedValuesOf']);

const compiles = (source) => {
  try {
    return typeof new Function(source) === 'function';
  } catch (error) {
    return error.name;
  }
};
for (const [name, source] of Object.entries({
  'using': '{ using x = null; }',
  'await using': 'return async () => { await using x = null; }',
  'class fields': 'class A { x = 1; #y = 2; static z = 3; static #w; has(o) { return #y in o; } }',
  'static blocks': 'class A { static { this.x = 1; } }',
  'accessor': 'class A { accessor x = 1; }',
  'decorators': 'class A { @d x = 1; }',
  'private calls': 'class A { #f() {} g() { this?.#f(); } }',
  'logical assignment': 'let a; a ||= 1; a &&= 2; a ??= 3;',
  'numeric separators': 'return 1_000;',
  'regexp v': 'return /[\\p{L}--[a-z]]/v;',
  'regexp d': 'return /a/d;',
  'regexp modifiers': 'return /(?i:a)b(?-i:c)/;',
  'regexp duplicate groups': 'return /(?<y>a)|(?<y>b)/;',
  'regexp lookbehind': 'return /(?<=a)b/;',
  'hashbang': '#!x',
  'top-level await': 'await 1;',
  'import defer': 'return import.defer("x");',
  'import attributes': 'return import("x", { with: { type: "json" } });',
  'import assertions': 'return import("x", { assert: { type: "json" } },);',
  'pipeline': 'return 1 |> f(%);',
  'do expressions': 'return do { 1 };',
  'match': 'return match (1) {};',
  'throw expressions': 'return () => throw 1;',
  'record': 'return #{ a: 1 };',
  'optional chaining assignment': 'a?.b = 1;',
  'for await': 'return async () => { for await (const x of []); }',
  'for using': 'for (using x of []) ;',
  'new.target': 'return new.target;',
  'import.meta': 'return import.meta;',
})) console.log('syntax', name, compiles(source));

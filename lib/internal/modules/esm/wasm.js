'use strict';

// WebAssembly as ES modules. V8 gets a JavaScript module with the same imports and exports, whose body creates the
// instance, so that imports are linked and evaluated in the order of the language.

const {
  ArrayPrototypePush,
  JSONStringify,
  ObjectAssign,
  SafeMap,
  SafeSet,
  SafeWeakMap,
  StringPrototypeStartsWith,
  globalThis,
} = primordials;

const { compileModule, setSource } = internalBinding('modules');
const { codes: { ERR_INVALID_RETURN_PROPERTY_VALUE } } = require('internal/errors');
const { emitExperimentalWarning } = require('internal/util');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { hrefToPath, isFileHref, stripQuery } = require('internal/modules/urls');

const kWarning = 'Importing WebAssembly module instances';

// Namespace of a module => exports of its instance, in which globals are still WebAssembly.Global objects.
const instances = new SafeWeakMap();

function isReserved(name) {
  return StringPrototypeStartsWith(name, 'wasm:') || StringPrototypeStartsWith(name, 'wasm-js:');
}

// Returns { names, globals }: the imported modules without duplicates, and the names of the globals imported from each.
function readImports(WebAssembly, compiled, url) {
  const globals = new SafeMap();
  const list = WebAssembly.Module.imports(compiled);
  for (let i = 0; i < list.length; i++) {
    const { module, name, kind } = list[i];
    if (StringPrototypeStartsWith(module, 'wasm-js:')) {
      throw new WebAssembly.LinkError(`Invalid Wasm import "${module}" in ${url}`);
    }
    if (isReserved(name)) throw new WebAssembly.LinkError(`Invalid Wasm import name "${name}" in ${url}`);
    let names = globals.get(module);
    if (names === undefined) {
      names = [];
      globals.set(module, names);
    }
    if (kind === 'global') ArrayPrototypePush(names, name);
  }
  return globals;
}

// Returns the names of the exports, and the set of those that are globals.
function readExports(WebAssembly, compiled, url) {
  const names = [];
  const globals = new SafeSet();
  const list = WebAssembly.Module.exports(compiled);
  for (let i = 0; i < list.length; i++) {
    const { name, kind } = list[i];
    if (isReserved(name)) throw new WebAssembly.LinkError(`Invalid Wasm export name "${name}" in ${url}`);
    ArrayPrototypePush(names, name);
    if (kind === 'global') globals.add(name);
  }
  return { names, globals };
}

// Names of imports and exports can be any text, so they are always written as string literals.
function bodyOf(modules, names) {
  let imports = '';
  let spaces = '';
  let declared = '';
  let exported = '';
  let setters = '';
  for (let i = 0; i < modules.length; i++) {
    imports += `import * as i${i} from ${JSONStringify(modules[i])};\n`;
    spaces += `i${i},`;
  }
  for (let i = 0; i < names.length; i++) {
    declared += `let e${i};\n`;
    exported += `e${i} as ${JSONStringify(names[i])},`;
    setters += `(v) => { e${i} = v; },`;
  }
  return `${imports}${declared}export {${exported}};\nimport.meta.instantiate([${spaces}], [${setters}]);`;
}

// Returns the imports of an instance. Globals of another instance are passed as objects, not as values.
function importsOf(modules, spaces, globals) {
  const imports = { __proto__: null };
  for (let i = 0; i < modules.length; i++) {
    const exporter = instances.get(spaces[i]);
    let values = spaces[i];
    if (exporter !== undefined) {
      values = ObjectAssign({ __proto__: null }, spaces[i]);
      const names = globals.get(modules[i]);
      for (let j = 0; j < names.length; j++) values[names[j]] = exporter[names[j]];
    }
    imports[modules[i]] = values;
  }
  return imports;
}

function setExports(exports, { names, globals }, setters) {
  for (let i = 0; i < names.length; i++) {
    let value = exports[names[i]];
    if (globals.has(names[i])) {
      try {
        ({ value } = value);
      } catch {
        continue; // A v128 cannot be represented in JavaScript.
      }
    }
    setters[i](value);
  }
}

// Returns { number, source, instantiate }: the JavaScript module, the compiled WebAssembly.Module, and the function
// that the body calls through import.meta. `namespaceOf(number)` is called once the module runs.
function translateWasm(url, bytes, namespaceOf) {
  if (!isAnyArrayBuffer(bytes) && !isArrayBufferView(bytes)) {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('array buffer, or typed array', 'load', 'source', bytes);
  }
  const { WebAssembly } = globalThis;
  let compiled;
  try {
    compiled = new WebAssembly.Module(bytes, {
      builtins: ['js-string'],
      importedStringConstants: 'wasm:js/string-constants',
    });
  } catch (error) {
    error.message = `${isFileHref(url) ? hrefToPath(stripQuery(url)) : url}: ${error.message}`;
    throw error;
  }
  const globals = readImports(WebAssembly, compiled, url);
  const exported = readExports(WebAssembly, compiled, url);
  const modules = [];
  globals.forEach((names, module) => ArrayPrototypePush(modules, module));
  const number = compileModule(url, bodyOf(modules, exported.names));
  setSource(number, compiled);
  const instantiate = (spaces, setters) => {
    emitExperimentalWarning(kWarning);
    const { exports } = new WebAssembly.Instance(compiled, importsOf(modules, spaces, globals));
    instances.set(namespaceOf(number), exports);
    setExports(exports, exported, setters);
  };
  return { number, source: compiled, instantiate };
}

module.exports = { translateWasm };

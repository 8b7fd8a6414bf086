'use strict';

// Compiles the text of a CommonJS module as the body of a function. The parameters are passed separately, so that lines
// and columns are those of the file. If a program replaces Module.wrap, the wrapped text is compiled instead.

const {
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  Proxy,
  ReflectDefineProperty,
  ReflectSet,
  SyntaxErrorPrototype,
} = primordials;

const { compileFunction, hasModuleSyntax, runScript } = internalBinding('modules');
const { noteSource } = require('internal/async_context/thenables');
const compileState = require('internal/modules/compile_state');
const sourceMaps = require('internal/source_map/cache');

const wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];

let isPatched = false;
let wrap = function wrap(script) {
  return Module.wrapper[0] + script + Module.wrapper[1];
};
let wrapperProxy;
let Module;

function defineWrap(target) {
  Module = target;
  ObjectDefineProperty(target, 'wrap', {
    __proto__: null,
    get() {
      return wrap;
    },
    set(value) {
      isPatched = true;
      wrap = value;
    },
  });
  ObjectDefineProperty(target, 'wrapper', {
    __proto__: null,
    get() {
      wrapperProxy ??= new Proxy(wrapper, {
        __proto__: null,
        set(list, property, value, receiver) {
          isPatched = true;
          return ReflectSet(list, property, value, receiver);
        },
        defineProperty(list, property, descriptor) {
          isPatched = true;
          return ReflectDefineProperty(list, property, descriptor);
        },
      });
      return wrapperProxy;
    },
    set(value) {
      isPatched = true;
      wrapperProxy = value;
    },
  });
}

function hintFor(filename) {
  return `Failed to load the ES module: ${filename}. Make sure to set "type": "module" in the nearest package.json file ` +
    'or use the .mjs extension.';
}

function warnOfModuleSyntax(error, content, filename) {
  if (typeof error !== 'object' || error === null || ObjectGetPrototypeOf(error) !== SyntaxErrorPrototype) return;
  if (hasModuleSyntax(content, filename)) require('internal/process/warnings').emitWarningSync(hintFor(filename));
}

function compile(content, filename, mayBeModule) {
  const { cache } = compileState;
  const entry = cache === null ? undefined : cache.lookUp(content, filename, 'CommonJS');
  try {
    const compiled = compileFunction(content, filename, mayBeModule, entry);
    if (entry !== undefined && compiled !== null) cache.keep(entry, compiled);
    return compiled;
  } catch (error) {
    warnOfModuleSyntax(error, content, filename);
    throw error;
  }
}

// Returns the function of a file, or null if its text is an ES module and `mayBeModule` is set.
function compileWrapped(content, filename, mayBeModule) {
  noteSource(content);
  const compiled = isPatched ? runScript(Module.wrap(content), filename) : compile(content, filename, mayBeModule);
  if (typeof compiled === 'function' && sourceMaps.isKept()) sourceMaps.remember(filename, content, compiled);
  return compiled;
}

module.exports = { compileWrapped, defineWrap };

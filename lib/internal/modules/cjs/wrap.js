'use strict';

// The function around the text of a CommonJS module. It is compiled with its parameters given apart, so that lines and
// columns are those of the file; only a program that replaces Module.wrap gets the text wrapped in text.

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
const sourceMaps = require('internal/source_map/cache');
const { rewriteCalls, rewriteRegExps } = require('internal/modules/esm/attributes');

const wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];

let isPatched = false;
let wrap = function wrap(script) { // eslint-disable-line func-style
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

const hint = 'To load an ES module, set "type": "module" in the package.json or use the .mjs extension.';

function warnOfModuleSyntax(error, content, filename) {
  if (typeof error !== 'object' || error === null || ObjectGetPrototypeOf(error) !== SyntaxErrorPrototype) return;
  if (hasModuleSyntax(content, filename)) require('internal/process/warnings').emitWarningSync(hint);
}

// The function of a file, or null if its text is an ES module and `mayBeModule`.
function compileWrapped(content, filename, mayBeModule) {
  if (sourceMaps.isEnabled()) sourceMaps.remember(filename, content);
  noteSource(content);
  if (isPatched) return runScript(Module.wrap(content), filename);
  content = rewriteCalls(content);
  try {
    return compileFunction(content, filename, mayBeModule);
  } catch (error) {
    const rewritten = rewriteRegExps(content, error, false);
    if (rewritten !== undefined) return compileFunction(rewritten, filename, mayBeModule);
    warnOfModuleSyntax(error, content, filename);
    throw error;
  }
}

module.exports = { compileWrapped, defineWrap };

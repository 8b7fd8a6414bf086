'use strict';
// import() in code of vm: callbacks, the default loader, errors, and the microtasks that they take.
const vm = require('vm');
const path = require('path');

process.on('warning', (warning) => console.log('warning', warning.message));

async function attempt(label, call) {
  try {
    const result = await call();
    console.log(label, Object.keys(result));
  } catch (error) {
    console.log(label, error.code ?? error.name, error.message.split('\n')[0].replaceAll(__dirname, 'HERE'));
  }
}

(async () => {
  const { USE_MAIN_CONTEXT_DEFAULT_LOADER: main } = vm.constants;
  const here = { filename: path.join(__dirname, 'here.js') };
  const code = 'import("./fixtures/value.mjs")';
  await attempt('none', () => vm.runInThisContext(code, here));
  await attempt('function without the flag', () => vm.runInThisContext(code, { ...here, importModuleDynamically() {} }));
  await attempt('main', () => vm.runInThisContext(code, { ...here, importModuleDynamically: main }));
  await attempt('main, no file', () => vm.runInThisContext('import("fs")', { importModuleDynamically: main }));
  await attempt('main, relative', () => vm.runInThisContext(code, { importModuleDynamically: main }));
  await attempt('main, missing', () => vm.runInThisContext('import("./missing.mjs")', { ...here, importModuleDynamically: main }));
  await attempt('context', () => vm.runInNewContext(code, {}, { ...here, importModuleDynamically: main }));
  await attempt('eval', () => vm.runInThisContext(`eval('${code}')`, { ...here, importModuleDynamically: main }));
  await attempt('function', () => vm.compileFunction(`return ${code}`, [], { ...here, importModuleDynamically: main })());
  await attempt('function, none', () => vm.compileFunction(`return ${code}`, [], here)());
  const context = vm.createContext({}, { importModuleDynamically: main });
  await attempt('option of the context', () => vm.runInContext('eval("import(\\"fs\\")")', context, here));
  await attempt('Function in the context', () => vm.runInContext('new Function("return import(\\"fs\\")")()', context));
  await attempt('eval in a context without', () => vm.runInNewContext('(0, eval)("import(\\"fs\\")")'));
  const promise = vm.runInNewContext('[import("fs"), Promise]', {}, { importModuleDynamically: main });
  console.log(promise[0] instanceof promise[1], promise[0] instanceof Promise);
  await promise[0];

  // The number of microtasks until a failure is known.
  for (const make of [() => vm.runInThisContext('import("x")'), () => vm.runInNewContext('import("x")')]) {
    let turns = 0;
    let done = false;
    make().catch(() => { done = true; });
    while (!done) {
      await null;
      turns++;
    }
    console.log('turns', turns);
  }
})();

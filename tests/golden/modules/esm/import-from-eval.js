'use strict';
// import() of code that was made from text starts at the script that made it.
(async () => {
  console.log(Object.keys(await eval("import('../fixtures/dynamic.mjs')")));
  console.log(Object.keys(await (0, eval)("import('../fixtures/dynamic.mjs')")));
  console.log(Object.keys(await new Function("return import('../fixtures/dynamic.mjs')")()));
  console.log((await import('node:path')).sep, (await import('path')) === (await import('node:path')));
})();

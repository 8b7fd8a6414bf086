'use strict';
// Changes of a built-in module reach its imports after syncBuiltinESMExports().
const path = require('path');
const { syncBuiltinESMExports } = require('module');
(async () => {
  const namespace = await import('node:path');
  const { sep } = path;
  path.sep = 'changed';
  path.added = 1;
  console.log(namespace.sep, namespace.default.sep, namespace.added);
  syncBuiltinESMExports();
  console.log(namespace.sep, namespace.added);
  path.sep = sep;
  delete path.added;
  syncBuiltinESMExports();
  console.log(namespace.sep);
})();

'use strict';
// What V8 asks of the module system: dynamic import() and import.meta. The module system itself is
// loaded when the first of them is needed.

function importModuleDynamically(specifier, referrer, attributes, compiler) {
  return require('internal/modules/esm/host').importModuleDynamically(specifier, referrer, attributes, compiler);
}

function initializeImportMeta(meta, module) {
  require('internal/modules/esm/host').initializeImportMeta(meta, module);
}

module.exports = { importModuleDynamically, initializeImportMeta };

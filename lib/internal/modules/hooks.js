'use strict';
// V8's callbacks into the module system: dynamic import() and import.meta. Loads both loaders, so that they are part of
// the start-up snapshot.

const { importModuleDynamically, initializeImportMeta } = require('internal/modules/esm/host');
require('internal/modules/run_main');
require('internal/modules/warm_up');

module.exports = { importModuleDynamically, initializeImportMeta };

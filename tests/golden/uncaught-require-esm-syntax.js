'use strict';
// The report shows the line of the module that does not compile.
require('./fixtures/modules/esm/syntax.mjs');

'use strict';
// The report shows the line of the module that does not compile.
require('../fixtures/esm/syntax.mjs');

// Where a required file does not compile.
require('./fixtures/modules/syntax.js');

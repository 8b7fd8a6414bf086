// A required file does not compile.
require('../fixtures/syntax.js');

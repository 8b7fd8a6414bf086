'use strict';
// The report of a syntax error in a script.
require('vm').runInThisContext('let valid;\n  const = 1;', { filename: 'syntax.js', lineOffset: 2 });

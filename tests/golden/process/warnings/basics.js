'use strict';
process.on('warning', (warning) => console.log(warning.name, warning.code, warning.message, warning.detail));
process.emitWarning('only text');
process.emitWarning('with a type', 'CustomWarning');
process.emitWarning('with a code', 'CustomWarning', 'COD001');
process.emitWarning('with options', { type: 'OptionWarning', code: 'COD002', detail: 'more about it' });
process.emitWarning(new Error('an error'));
process.emitWarning('deprecated', 'DeprecationWarning', 'DEP_X');
for (const args of [[], [1], [null], [{}], ['x', 1], ['x', 'T', 1], ['x', { type: 1 }], ['x', { code: 1 }]]) {
  try {
    process.emitWarning(...args);
    console.log('took', args.length);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
console.log('main');

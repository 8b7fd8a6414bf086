'use strict';
process.emitWarning('only text');
process.emitWarning('with a code', { type: 'CustomWarning', code: 'COD001', detail: 'Some detail.\nOn two lines.' });
process.emitWarning('deprecated', 'DeprecationWarning', 'DEP_X');

'use strict';
// rondo -e CODE, rondo -p CODE
const { getFlag, hasFlag } = require('internal/options');
const { state } = require('internal/process/pre_execution');

module.exports = function main() {
  const { evalModule, evalScript } = require('internal/modules/run_main');
  const isPrint = hasFlag('print');
  if (getFlag('input-type') === 'module') {
    if (isPrint) {
      const { codes: { ERR_EVAL_ESM_CANNOT_PRINT } } = require('internal/errors');
      throw new ERR_EVAL_ESM_CANNOT_PRINT();
    }
    evalModule(state.source);
  } else {
    evalScript('[eval]', state.source, isPrint);
  }
};

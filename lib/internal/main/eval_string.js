'use strict';
// rondo -e CODE, rondo -p CODE.
const { hasFlag } = require('internal/options');
const { state } = require('internal/process/pre_execution');

module.exports = function main() {
  require('internal/modules/run_main').evalText('[eval]', state.source, hasFlag('print'));
};

require('./fixtures/modules/node_modules/self/index.js');
const { createRequire } = require('module');
createRequire(`${__dirname}/fixtures/modules/`)('conditional/nothing');

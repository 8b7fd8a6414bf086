require('../fixtures/node_modules/self/index.js');
const { createRequire } = require('module');
createRequire(`${__dirname}/../fixtures/`)('conditional/nothing');

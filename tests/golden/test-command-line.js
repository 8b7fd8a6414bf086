'use strict';
const show = require('./fixtures/test_runner/show');
const folder = 'fixtures/test_runner';
show(['--test', '--test-reporter=tap', `${folder}/few.js`, `${folder}/none.js`, `${folder}/exits.js`]);
show(['--test', '--test-reporter=spec', `${folder}/few.js`]);
show(['--test', '--test-name-pattern=two', `${folder}/few.js`]);
show(['--test', `${folder}/nowhere.js`], { stderr: true });

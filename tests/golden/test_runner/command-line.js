'use strict';
const show = require('./fixtures/show');
const folder = 'fixtures';
const errors = /as an error/;
show(['--test', '--test-reporter=tap', `${folder}/few.js`, `${folder}/none.js`, `${folder}/exits.js`], { errors });
show(['--test', '--test-reporter=spec', `${folder}/few.js`], { errors });
show(['--test', '--test-reporter=tap', '--test-name-pattern=two', `${folder}/few.js`], { errors });
show(['--test', `${folder}/nowhere.js`], { stderr: true });

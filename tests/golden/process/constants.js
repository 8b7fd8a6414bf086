'use strict';
const constants = require('node:constants');
const os = require('os');

console.log(Object.isFrozen(constants));
for (const group of ['dlopen', 'errno', 'priority', 'signals']) {
  console.log(group, Object.entries(os.constants[group]).every(([name, value]) => constants[name] === value));
}
console.log(constants.ENOENT, constants.SIGTERM, constants.RTLD_LAZY, constants.PRIORITY_LOW);

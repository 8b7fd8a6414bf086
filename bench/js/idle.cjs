'use strict';
setTimeout(() => {}, 60000);
process.stdout.write('idle\n');

'use strict';
process.on('warning', (warning) => console.log('listener', warning.message));
process.emitWarning('not on stderr');

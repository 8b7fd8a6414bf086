'use strict';
const error = new Error('no stack');
error.stack = undefined;
throw error;

'use strict';
const error = new Error('with properties');
error.code = 'E_SOME';
error.detail = { a: [1, 2] };
throw error;

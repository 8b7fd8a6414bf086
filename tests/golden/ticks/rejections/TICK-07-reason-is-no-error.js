'use strict';
Promise.reject({ a: 1 });

'use strict';
// Even where there is nothing to do, no callback comes before its call has returned (API-01).
const crypto = require('node:crypto');
let returned = false;
crypto.randomBytes(0, (error, bytes) => console.log(returned, error, bytes));
crypto.randomFill(new Uint8Array(0), (error, bytes) => console.log(returned, error, bytes));
crypto.randomInt(1, (error, number) => console.log(returned, error, number));
returned = true;

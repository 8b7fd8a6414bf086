'use strict';
// tls.connect() makes its context with the function of the module that the program sees, before it looks at the address.
const tls = require('tls');

tls.createSecureContext = (options) => {
  console.log(options.ciphers === tls.DEFAULT_CIPHERS);
  throw new Error('replaced');
};
try {
  tls.connect();
} catch (error) {
  console.log(error.message);
}

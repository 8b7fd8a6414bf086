'use strict';
// The parts of the package readable-stream that our own Readable and Writable stand on. The package fills this in while it
// is loaded, before it asks for the first of them.
module.exports = { __proto__: null };

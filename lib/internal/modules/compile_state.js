'use strict';

// Holds the compile cache in use, or null. In a separate file, because both loaders check it for every file, and few
// programs load the cache itself.

module.exports = { cache: null };

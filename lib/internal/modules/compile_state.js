'use strict';

// The compile cache that is in use, or null: a holder of its own, since both loaders look at it for every file, and few
// programs have one.

module.exports = { cache: null };

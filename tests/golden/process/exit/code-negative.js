'use strict';
process.exit(-1);

'use strict';
process.exitCode = 257 + 1;

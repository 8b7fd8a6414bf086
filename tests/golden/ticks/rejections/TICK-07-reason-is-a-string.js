'use strict';
(async () => { throw 'just text'; })();

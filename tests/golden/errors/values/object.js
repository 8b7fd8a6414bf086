'use strict';
throw { code: 7, nested: { deep: true } };

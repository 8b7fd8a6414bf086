'use strict';
Promise.reject();

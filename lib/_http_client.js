'use strict';
// Node's older name for parts of `http`.

module.exports = { ClientRequest: require('internal/http/client_request').ClientRequest };

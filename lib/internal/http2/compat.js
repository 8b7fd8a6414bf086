'use strict';
// The API of `http` on top of HTTP/2: requests and responses instead of streams.

const { Http2ServerRequest } = require('internal/http2/compat_request');
const { Http2ServerResponse } = require('internal/http2/compat_response');
const { constants } = require('internal/http2/constants');

const { HTTP_STATUS_EXPECTATION_FAILED, HTTP_STATUS_METHOD_NOT_ALLOWED } = constants;

function refuse(response, status) {
  response.statusCode = status;
  response.end();
}

// Answers the header Expect, and reports the request.
function onServerStream(server, Request, Response, stream, headers, rawHeaders) {
  const request = new Request(stream, headers, undefined, rawHeaders);
  const response = new Response(stream);
  const { expect } = headers;
  if (headers[':method'] === 'CONNECT') {
    if (!server.emit('connect', request, response)) refuse(response, HTTP_STATUS_METHOD_NOT_ALLOWED);
  } else if (expect === undefined) {
    server.emit('request', request, response);
  } else if (expect === '100-continue') {
    if (server.listenerCount('checkContinue') > 0) {
      server.emit('checkContinue', request, response);
    } else {
      response.writeContinue();
      server.emit('request', request, response);
    }
  } else if (server.listenerCount('checkExpectation') > 0) {
    server.emit('checkExpectation', request, response);
  } else {
    refuse(response, HTTP_STATUS_EXPECTATION_FAILED);
  }
}

module.exports = { Http2ServerRequest, Http2ServerResponse, onServerStream };

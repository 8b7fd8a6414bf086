'use strict';
// Takes the place of undici's module of events, so that sockets, event sources and ports share one class of each event.

const { CloseEvent, ErrorEvent } = require('internal/event_target/web_events');
const { MessageEvent } = require('internal/worker/message_event');

function createFastMessageEvent(type, init) {
  return new MessageEvent(type, init);
}

module.exports = { CloseEvent, ErrorEvent, MessageEvent, createFastMessageEvent };

'use strict';

// Runs while the snapshot is made, for what it leaves behind: functions that have run once are in the snapshot with
// their bytecode, and need not be compiled when a program first calls them.

const { URL, URLSearchParams } = require('internal/url');
const { AbortController } = require('internal/abort_controller');
const { EventTarget } = require('internal/event_target');
const path = require('path');
const querystring = require('querystring');
const { parse: parseOldUrl } = require('url');
require('perf_hooks');

function warmUrl() {
  const texts = ['https://user:pw@Example.com:8080/a/./b/../c%20d?e=f&g#h', 'file:///a/b.js', 'http://127.0.0.1/', 'node:fs'];
  for (const text of texts) {
    const url = new URL(text);
    for (const name of ['href', 'origin', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']) {
      if (typeof url[name] !== 'string') throw new TypeError('A URL lacks a part');
    }
    url.searchParams.get('e');
  }
  new URL('../x?y#z', 'http://host/a/b');
  new URLSearchParams({ a: 'b c' }).append('d', 'é');
  parseOldUrl('http://user@host:1/a b?c=d#e', true);
  parseOldUrl('/a?b');
  querystring.stringify({ a: ['b c', 1] });
}

function warmPath() {
  path.join('/a', '../b', './c');
  path.resolve('/a', 'b');
  path.relative('/a/b', '/a/c/d');
  path.basename('/a/b.js', '.js');
  path.extname('/a/b.js');
  path.dirname('/a/b.js');
  path.parse('/a/b.js');
  path.normalize('/a//b/../c/');
}

function warmEvents() {
  const target = new EventTarget();
  const listener = () => {};
  target.addEventListener('x', listener, { once: true });
  target.addEventListener('y', listener);
  target.removeEventListener('y', listener);
  // No event is made: there is no clock yet to give it a time.
  new AbortController().abort('no reason');
}

warmUrl();
warmPath();
warmEvents();
require('internal/events/warm_up');
require('internal/util/warm_up');
require('internal/streams/warm_up');
require('internal/fs/warm_up');
require('internal/bootstrap/shapes');
require('internal/buffer/create').dropPool();

'use strict';
// Sessions of clients as programs see them: OpenSSL's bytes behind the name of the server whose identity was checked. A
// session is not used for another server, because a resumed connection has no certificate to check.
//
//   prefix, size of the name (2 bytes), name, session

const { FunctionPrototypeCall, StringPrototypeCharCodeAt, TypedArrayPrototypeGetLength } = primordials;

const { Buffer } = require('buffer');

const prefix = '\0nodejs:tls:session:1\0';

function serverOf(options) {
  return options?.servername || options?.host || options?.socket?._host || 'localhost';
}

function wrapSession(session, options) {
  if (!Buffer.isBuffer(session) || options?.isServer) return session;
  const name = Buffer.from(serverOf(options));
  const size = Buffer.allocUnsafe(2);
  size.writeUInt16BE(name.length, 0);
  return Buffer.concat([Buffer.from(prefix, 'latin1'), size, name, session]);
}

function hasPrefix(session) {
  if (TypedArrayPrototypeGetLength(session) < prefix.length + 2) return false;
  for (let i = 0; i < prefix.length; i++) {
    if (session[i] !== StringPrototypeCharCodeAt(prefix, i)) return false;
  }
  return true;
}

// The part of a program's session that OpenSSL may use; undefined if it belongs to another server, or if its server was
// never checked.
function sessionToUse(session, options) {
  if (typeof session === 'string') session = Buffer.from(session, 'latin1');
  if (options?.isServer || !Buffer.isBuffer(session)) return session;
  if (!hasPrefix(session)) return options?.rejectUnauthorized === false ? session : undefined;
  const start = prefix.length + 2;
  const end = start + FunctionPrototypeCall(Buffer.prototype.readUInt16BE, session, prefix.length);
  if (session.length < end) return options?.rejectUnauthorized === false ? session : undefined;
  return session.toString('utf8', start, end) === serverOf(options) ? session.subarray(end) : undefined;
}

module.exports = { serverOf, sessionToUse, wrapSession };

'use strict';

const { SafeSet } = primordials;

// URLs of these protocols are only a path, which is not escaped.
const scriptProtocols = new SafeSet(['javascript', 'javascript:']);
// URLs of these protocols have '//' before the host, and paths that start with '/'.
const slashedProtocols = new SafeSet([
  'http', 'http:', 'https', 'https:', 'ftp', 'ftp:', 'gopher', 'gopher:', 'file', 'file:', 'ws', 'ws:', 'wss', 'wss:',
]);

module.exports = { scriptProtocols, slashedProtocols };

'use strict';

const { SafeSet } = primordials;

// The path is all there is in these; quotes and spaces in it are the program's affair.
const scriptProtocols = new SafeSet(['javascript', 'javascript:']);
// A host follows two slashes in these, and a path starts with one.
const slashedProtocols = new SafeSet([
  'http', 'http:', 'https', 'https:', 'ftp', 'ftp:', 'gopher', 'gopher:', 'file', 'file:', 'ws', 'ws:', 'wss', 'wss:',
]);

module.exports = { scriptProtocols, slashedProtocols };

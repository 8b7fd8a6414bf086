'use strict';
// readline.emitKeypressEvents(): makes a stream emit 'keypress' for each character or escape sequence.
const { SafeStringIterator, Symbol } = primordials;
const { StringDecoder } = require('string_decoder');
const { clearTimeout, setTimeout } = require('timers');
const { charLengthAt, kSawKeyPress } = require('internal/readline/utils');
const { KeyDecoder, kEscape } = require('internal/readline/keys');

const kDecoder = Symbol('keypress-decoder');

// An escape character that is not followed by others for this many milliseconds is the Escape key, not a sequence.
const kEscapeCodeTimeout = 500;

function emitKeypressEvents(stream, iface = {}) {
  if (stream[kDecoder]) return;
  const text = stream[kDecoder] = new StringDecoder('utf8');
  const keys = new KeyDecoder(stream);
  let timeout;

  function onEscapeAlone() {
    keys.write('');
  }

  function onData(input) {
    if (stream.listenerCount('keypress') === 0) {
      // No listener for 'keypress' is left: stop reading until one is added.
      stream.removeListener('data', onData);
      stream.on('newListener', onNewListener);
      return;
    }
    const string = text.write(input);
    if (string === '') return;
    clearTimeout(timeout);
    iface[kSawKeyPress] = charLengthAt(string, 0) === string.length;
    // Disable completion: tabs in pasted text are plain characters.
    iface.isCompletionEnabled = false;
    let length = 0;
    for (const character of new SafeStringIterator(string)) {
      length += character.length;
      if (length === string.length) iface.isCompletionEnabled = true;
      keys.write(character);
      if (length === string.length && character === kEscape) {
        timeout = setTimeout(onEscapeAlone, iface.escapeCodeTimeout ?? kEscapeCodeTimeout);
      }
    }
  }

  function onNewListener(event) {
    if (event !== 'keypress') return;
    stream.on('data', onData);
    stream.removeListener('newListener', onNewListener);
  }

  if (stream.listenerCount('keypress') > 0) stream.on('data', onData);
  else stream.on('newListener', onNewListener);
}

module.exports = { emitKeypressEvents, kEscapeCodeTimeout };

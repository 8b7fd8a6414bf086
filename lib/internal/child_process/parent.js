'use strict';

// The other side of fork(): a program whose parent left a channel to itself in the environment.

// Looks for it. The variables are for this process only, not for its own children.
function refreshChannel() {
  const { env } = process;
  const text = env.NODE_CHANNEL_FD;
  if (text === undefined) return;
  const mode = env.NODE_CHANNEL_SERIALIZATION_MODE;
  delete env.NODE_CHANNEL_FD;
  delete env.NODE_CHANNEL_SERIALIZATION_MODE;
  const fd = +text;
  if (fd === (fd | 0) && fd >= 0) connect(fd, mode);
}

function isListener(name) {
  return name === 'message' || name === 'disconnect';
}

// Opens the channel to the parent. It keeps the program alive while there are listeners.
function connect(fd, serializationMode) {
  const { openChannel } = require('internal/child_process/channel');
  const control = openChannel(process, fd, serializationMode, () => {});
  if (control === undefined) return;
  // Not yet.
  control.refCounted();
  control.unrefCounted();
  process.on('newListener', (name) => {
    if (isListener(name)) control.refCounted();
  });
  process.on('removeListener', (name) => {
    if (isListener(name)) control.unrefCounted();
  });
}

module.exports = { connect, refreshChannel };

'use strict';

// The child's side of fork(): connects to the IPC channel that the parent passed in the environment.

// Reads the channel's descriptor and removes the variables, so that they are not inherited by child processes.
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
  // Without listeners the channel does not keep the program alive.
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

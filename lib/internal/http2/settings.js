'use strict';
// Settings of HTTP/2: checks, the numbers that native code gets, and the packed form of the HTTP2-Settings header.

const {
  ArrayPrototypePush,
  Number,
  ObjectEntries,
  Uint32Array,
} = primordials;

const {
  codes: {
    ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH,
    ERR_HTTP2_INVALID_SETTING_VALUE,
    ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS,
    ERR_INVALID_ARG_TYPE,
  },
  hideStackFrames,
} = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const { constants } = require('internal/http2/constants');
const { assertIsObject, assertWithinRange } = require('internal/http2/util');
const { kMostCustomSettings, kNamedSettings } = internalBinding('http2');

const kMaxUint32 = 2 ** 32 - 1;
const kMaxInt32 = 2 ** 31 - 1;

// The named settings in the order in which they are sent and native code reads them: name, id, whether the value is a
// boolean.
const named = [
  ['headerTableSize', constants.NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, false],
  ['enablePush', constants.NGHTTP2_SETTINGS_ENABLE_PUSH, true],
  ['maxConcurrentStreams', constants.NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, false],
  ['initialWindowSize', constants.NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, false],
  ['maxFrameSize', constants.NGHTTP2_SETTINGS_MAX_FRAME_SIZE, false],
  ['maxHeaderListSize', constants.NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, false],
  ['enableConnectProtocol', constants.NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, true],
];
// The order in which objects have them, as positions in `named`.
const shown = [0, 1, 3, 4, 2, 5, 6];
// As in Node, custom settings with the ids 0 to 6 set named ones: the ids are positions in this order of `named`.
const aliases = [0, 1, 3, 4, 2, 5, 6];

const validateSettings = hideStackFrames((settings) => {
  if (settings === undefined) return;
  const { customSettings } = settings;
  assertIsObject(customSettings, 'customSettings', 'Number');
  if (customSettings) {
    const entries = ObjectEntries(customSettings);
    if (entries.length > kMostCustomSettings) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
    for (let i = 0; i < entries.length; i++) {
      assertWithinRange('customSettings:id', Number(entries[i][0]), 0, 0xffff);
      assertWithinRange('customSettings:value', Number(entries[i][1]), 0, kMaxUint32);
    }
  }
  assertWithinRange('headerTableSize', settings.headerTableSize, 0, kMaxUint32);
  assertWithinRange('initialWindowSize', settings.initialWindowSize, 0, kMaxInt32);
  assertWithinRange('maxFrameSize', settings.maxFrameSize, constants.MIN_MAX_FRAME_SIZE, constants.MAX_MAX_FRAME_SIZE);
  assertWithinRange('maxConcurrentStreams', settings.maxConcurrentStreams, 0, kMaxUint32);
  assertWithinRange('maxHeaderListSize', settings.maxHeaderListSize, 0, kMaxUint32);
  assertWithinRange('maxHeaderSize', settings.maxHeaderSize, 0, kMaxUint32);
  const { enablePush, enableConnectProtocol } = settings;
  if (enablePush !== undefined && typeof enablePush !== 'boolean') {
    throw new ERR_HTTP2_INVALID_SETTING_VALUE('enablePush', enablePush);
  }
  if (enableConnectProtocol !== undefined && typeof enableConnectProtocol !== 'boolean') {
    throw new ERR_HTTP2_INVALID_SETTING_VALUE('enableConnectProtocol', enableConnectProtocol);
  }
});

function checkCustom(id, value) {
  if (!(id > 0 && id <= 0xffff)) throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('Range Error', id, 0, 0xffff);
  if (!(value > 0 && value <= kMaxUint32)) {
    throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('Range Error', value, 0, kMaxUint32);
  }
}

// The value of `maxHeaderListSize`, which also has the name `maxHeaderSize`.
function headerListSize({ maxHeaderListSize, maxHeaderSize }) {
  if (typeof maxHeaderListSize !== 'number' && typeof maxHeaderSize !== 'number') return undefined;
  if (maxHeaderSize === undefined || maxHeaderSize === maxHeaderListSize) return maxHeaderListSize;
  process.emitWarning('settings.maxHeaderSize overwrite settings.maxHeaderListSize');
  return maxHeaderSize;
}

// Settings as a list of ids and values in turn.
function toPairs(settings) {
  const values = [];
  const custom = [];
  if (typeof settings.customSettings === 'object') {
    for (const key in settings.customSettings) {
      const value = settings.customSettings[key];
      if (typeof value !== 'number') continue;
      const id = Number(key);
      checkCustom(id, value);
      if (id < aliases.length) {
        values[aliases[id]] = value;
      } else {
        if (custom.length === 2 * kMostCustomSettings) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
        ArrayPrototypePush(custom, id, value);
      }
    }
  }
  for (let i = 0; i < named.length; i++) {
    const { 0: name, 2: isBoolean } = named[i];
    const value = name === 'maxHeaderListSize' ? headerListSize(settings) : settings[name];
    if (typeof value === (isBoolean ? 'boolean' : 'number')) values[i] = Number(value);
  }
  const pairs = [];
  for (let i = 0; i < named.length; i++) {
    if (values[i] !== undefined) ArrayPrototypePush(pairs, named[i][1], values[i]);
  }
  for (let i = 0; i < custom.length; i++) ArrayPrototypePush(pairs, custom[i]);
  return pairs;
}

function packPairs(settings) {
  return new Uint32Array(toPairs(settings));
}

function setValue(settings, { 0: name, 2: isBoolean }, value) {
  settings[name] = isBoolean ? value !== 0 : value;
}

const numbers = new Uint32Array(kNamedSettings + 1 + 2 * kMostCustomSettings);

// The settings of a session, or of its peer.
function readSettings(handle, isRemote) {
  handle.readSettings(isRemote, numbers);
  const settings = {};
  for (let i = 0; i < shown.length; i++) {
    const setting = named[shown[i]];
    setValue(settings, setting, numbers[shown[i]]);
    if (setting[0] === 'maxHeaderListSize') settings.maxHeaderSize = numbers[shown[i]];
  }
  const count = numbers[kNamedSettings];
  if (count === 0) return settings;
  settings.customSettings = {};
  for (let i = 0; i < count; i++) {
    settings.customSettings[numbers[kNamedSettings + 1 + 2 * i]] = numbers[kNamedSettings + 2 + 2 * i];
  }
  return settings;
}

function getDefaultSettings() {
  return {
    __proto__: null,
    headerTableSize: constants.DEFAULT_SETTINGS_HEADER_TABLE_SIZE,
    enablePush: constants.DEFAULT_SETTINGS_ENABLE_PUSH === 1,
    initialWindowSize: constants.DEFAULT_SETTINGS_INITIAL_WINDOW_SIZE,
    maxFrameSize: constants.DEFAULT_SETTINGS_MAX_FRAME_SIZE,
    maxConcurrentStreams: constants.DEFAULT_SETTINGS_MAX_CONCURRENT_STREAMS,
    maxHeaderSize: constants.DEFAULT_SETTINGS_MAX_HEADER_LIST_SIZE,
    maxHeaderListSize: constants.DEFAULT_SETTINGS_MAX_HEADER_LIST_SIZE,
    enableConnectProtocol: constants.DEFAULT_SETTINGS_ENABLE_CONNECT_PROTOCOL === 1,
  };
}

// Checks values again, because custom settings can set named ones (see `aliases`) without a check.
function areValid(pairs) {
  for (let i = 0; i < pairs.length; i += 2) {
    const value = pairs[i + 1];
    switch (pairs[i]) {
      case constants.NGHTTP2_SETTINGS_ENABLE_PUSH:
      case constants.NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL:
        if (value > 1) return false;
        break;
      case constants.NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE:
        if (value > kMaxInt32) return false;
        break;
      case constants.NGHTTP2_SETTINGS_MAX_FRAME_SIZE:
        if (value < constants.MIN_MAX_FRAME_SIZE || value > constants.MAX_MAX_FRAME_SIZE) return false;
    }
  }
  return true;
}

const kPackedSize = 6;

function getPackedSettings(settings) {
  assertIsObject(settings, 'settings');
  validateSettings(settings);
  const pairs = toPairs({ ...settings });
  if (!areValid(pairs)) return undefined;
  const { Buffer } = require('buffer');
  const packed = Buffer.alloc(pairs.length / 2 * kPackedSize);
  for (let i = 0; i < pairs.length; i += 2) {
    packed.writeUInt16BE(pairs[i], i / 2 * kPackedSize);
    packed.writeUInt32BE(pairs[i + 1], i / 2 * kPackedSize + 2);
  }
  return packed;
}

function settingOfId(id) {
  for (let i = 0; i < named.length; i++) {
    if (named[i][1] === id) return named[i];
  }
  return undefined;
}

function getUnpackedSettings(buf, options = kEmptyObject) {
  if (!isArrayBufferView(buf) || buf.length === undefined) {
    throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray'], buf);
  }
  if (buf.length % kPackedSize !== 0) throw new ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH();
  const settings = {};
  for (let at = 0; at < buf.length; at += kPackedSize) {
    const id = buf[at] * 0x100 + buf[at + 1];
    const value = buf[at + 2] * 0x1000000 + buf[at + 3] * 0x10000 + buf[at + 4] * 0x100 + buf[at + 5];
    const setting = settingOfId(id);
    if (setting !== undefined) {
      if (setting[0] === 'maxHeaderListSize') settings.maxHeaderSize = value;
      setValue(settings, setting, value);
    } else {
      settings.customSettings ||= {};
      settings.customSettings[id] = value;
    }
  }
  if (options != null && options.validate) validateSettings(settings);
  return settings;
}

// The ids of the option remoteCustomSettings.
function checkRemoteIds(ids) {
  if (ids.length > kMostCustomSettings) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
  for (let i = 0; i < ids.length; i++) {
    if (typeof ids[i] !== 'number' || !(ids[i] >= 0 && ids[i] <= 0xffff)) {
      throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('Range Error', ids[i], 0, 0xffff);
    }
  }
  return new Uint32Array(ids);
}

module.exports = {
  checkRemoteIds,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  packPairs,
  readSettings,
  validateSettings,
};

'use strict';

// url.resolve(): resolves a relative URL with the rules of the legacy interface.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePop,
  ArrayPrototypeShift,
  ArrayPrototypeSlice,
  ArrayPrototypeUnshift,
  Boolean,
  ObjectKeys,
  RegExpPrototypeExec,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
} = primordials;

const { scriptProtocols, slashedProtocols } = require('internal/url/protocols');

function copyOf(source, Url) {
  const result = new Url();
  const keys = ObjectKeys(source);
  for (let i = 0; i < keys.length; ++i) result[keys[i]] = source[keys[i]];
  return result;
}

function setPath(result) {
  result.path = result.pathname !== null || result.search !== null ?
    `${result.pathname || ''}${result.search || ''}` :
    null;
}

// Resolves `relative` against `source`. Both are Url objects.
function resolveAgainst(source, relative, Url) {
  const result = copyOf(source, Url);
  result.hash = relative.hash; // The hash is always the relative one, even if it is empty.
  if (relative.href === '') {
    result.href = result.format();
    return result;
  }
  if (relative.slashes && !relative.protocol) {
    // '//host/path' takes only the protocol of the source.
    const keys = ObjectKeys(relative);
    for (let i = 0; i < keys.length; ++i) if (keys[i] !== 'protocol') result[keys[i]] = relative[keys[i]];
    if (slashedProtocols.has(result.protocol) && result.hostname && !result.pathname) {
      result.path = result.pathname = '/';
    }
    result.href = result.format();
    return result;
  }
  if (relative.protocol && relative.protocol !== result.protocol) return resolveProtocol(result, relative, Url);
  return resolvePath(result, relative);
}

// The protocols differ: nearly everything comes from the relative URL.
function resolveProtocol(result, relative, Url) {
  if (!slashedProtocols.has(relative.protocol)) {
    const other = copyOf(relative, Url);
    other.href = other.format();
    return other;
  }
  result.protocol = relative.protocol;
  if (!relative.host && RegExpPrototypeExec(/^file:?$/, relative.protocol) === null &&
      !scriptProtocols.has(relative.protocol)) {
    // The host is the first part of the path that is not empty.
    const parts = StringPrototypeSplit(relative.pathname || '', '/');
    let host = '';
    while (parts.length > 0 && !(host = ArrayPrototypeShift(parts)));
    relative.host = host || '';
    relative.hostname ||= '';
    if (parts[0] !== '') ArrayPrototypeUnshift(parts, '');
    if (parts.length < 2) ArrayPrototypeUnshift(parts, '');
    result.pathname = ArrayPrototypeJoin(parts, '/');
  } else {
    result.pathname = relative.pathname;
  }
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) result.path = `${result.pathname || ''}${result.search || ''}`;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
  return result;
}

// For other than slashed protocols the host counts as the first part of the path.
function hostIntoPath(url, parts) {
  url.hostname = '';
  url.port = null;
  if (url.host) {
    if (parts[0] === '') parts[0] = url.host;
    else ArrayPrototypeUnshift(parts, url.host);
  }
  url.host = '';
}

function resolvePath(result, relative) {
  const isSourceAbsolute = Boolean(result.pathname) && result.pathname[0] === '/';
  const isRelativeAbsolute = Boolean(relative.host) || (Boolean(relative.pathname) && relative.pathname[0] === '/');
  let mustEndAbsolute = isRelativeAbsolute || isSourceAbsolute || (Boolean(result.host) && Boolean(relative.pathname));
  const removeAllDots = mustEndAbsolute;
  let source = result.pathname ? StringPrototypeSplit(result.pathname, '/') : [];
  const parts = relative.pathname ? StringPrototypeSplit(relative.pathname, '/') : [];
  const noLeadingSlashes = Boolean(result.protocol) && !slashedProtocols.has(result.protocol);

  if (noLeadingSlashes) {
    hostIntoPath(result, source);
    if (relative.protocol) {
      relative.hostname = null;
      relative.port = null;
      result.auth = null;
      if (relative.host) {
        if (parts[0] === '') parts[0] = relative.host;
        else ArrayPrototypeUnshift(parts, relative.host);
      }
      relative.host = null;
    }
    mustEndAbsolute &&= parts[0] === '' || source[0] === '';
  }

  if (isRelativeAbsolute) {
    if (relative.host || relative.host === '') {
      if (result.host !== relative.host) result.auth = null;
      result.host = relative.host;
      result.port = relative.port;
    }
    if (relative.hostname || relative.hostname === '') {
      if (result.hostname !== relative.hostname) result.auth = null;
      result.hostname = relative.hostname;
    }
    result.search = relative.search;
    result.query = relative.query;
    source = parts;
  } else if (parts.length > 0) {
    // Relative to the directory of the source: drop its last part.
    ArrayPrototypePop(source);
    for (let i = 0; i < parts.length; ++i) source[source.length] = parts[i];
    result.search = relative.search;
    result.query = relative.query;
  } else if (relative.search !== null && relative.search !== undefined) {
    if (noLeadingSlashes) {
      result.hostname = result.host = ArrayPrototypeShift(source);
      takeAuth(result, relative);
    }
    result.search = relative.search;
    result.query = relative.query;
    setPath(result);
    result.href = result.format();
    return result;
  }

  if (source.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    result.href = result.format();
    return result;
  }
  finishPath(result, relative, source, mustEndAbsolute, removeAllDots, noLeadingSlashes);
  return result;
}

// The host may contain 'user@host'.
function takeAuth(result, relative) {
  const at = result.host ? StringPrototypeIndexOf(result.host, '@') : -1;
  if (at <= 0) return;
  result.auth = StringPrototypeSlice(result.host, 0, at);
  result.host = result.hostname = StringPrototypeSlice(result.host, at + 1);
}

function finishPath(result, relative, source, mustEndAbsolute, removeAllDots, noLeadingSlashes) {
  const last = source[source.length - 1];
  const hasTrailingSlash = ((result.host || relative.host || source.length > 1) && (last === '.' || last === '..')) ||
                           last === '';
  // From the end, so that each '..' comes before the name that it removes.
  let up = 0;
  for (let i = source.length - 1; i >= 0; --i) {
    const name = source[i];
    if (name === '.') {
      source = without(source, i);
    } else if (name === '..') {
      source = without(source, i);
      ++up;
    } else if (up > 0) {
      source = without(source, i);
      --up;
    }
  }
  if (!mustEndAbsolute && !removeAllDots) {
    while (up-- > 0) ArrayPrototypeUnshift(source, '..');
  }
  if (mustEndAbsolute && source[0] !== '' && (!source[0] || source[0][0] !== '/')) ArrayPrototypeUnshift(source, '');
  if (hasTrailingSlash) {
    const joined = ArrayPrototypeJoin(source, '/');
    if (joined[joined.length - 1] !== '/') source[source.length] = '';
  }

  const isAbsolute = source[0] === '' || (Boolean(source[0]) && source[0][0] === '/');
  if (noLeadingSlashes) {
    result.hostname = result.host = isAbsolute ? '' : source.length > 0 ? ArrayPrototypeShift(source) : '';
    takeAuth(result, relative);
  }
  mustEndAbsolute = mustEndAbsolute || (Boolean(result.host) && source.length > 0);
  if (mustEndAbsolute && !isAbsolute) ArrayPrototypeUnshift(source, '');

  if (source.length === 0) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = ArrayPrototypeJoin(source, '/');
  }
  if (result.pathname !== null || result.search !== null) setPath(result);
  result.auth = relative.auth || result.auth;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
}

function without(list, index) {
  const out = ArrayPrototypeSlice(list, 0, index);
  for (let i = index + 1; i < list.length; ++i) out[out.length] = list[i];
  return out;
}

module.exports = { resolveAgainst };

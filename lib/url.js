'use strict';

// node:url: the URL standard's classes and the legacy functions.
const {
  Boolean,
  StringPrototypeStartsWith,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors');
const { validateObject } = require('internal/validators');
const {
  URL,
  URLSearchParams,
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  isURL,
  pathToFileURL,
  urlToHttpOptions,
} = require('internal/url');
const { kEmptyObject } = require('internal/util');
const {
  Url,
  urlParse,
  urlResolve,
  urlResolveObject,
} = require('internal/url/legacy');

function urlFormat(urlObject, options) {
  if (typeof urlObject === 'string') {
    urlObject = urlParse(urlObject);
  } else if (typeof urlObject !== 'object' || urlObject === null) {
    throw new ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], urlObject);
  } else if (isURL(urlObject)) {
    return formatURL(urlObject, options);
  }
  return Url.prototype.format.call(urlObject);
}

// Returns the href without the components that the options exclude.
function formatURL(url, options) {
  let fragment = true;
  let unicode = false;
  let search = true;
  let auth = true;
  if (options) {
    validateObject(options, 'options');
    if (options.fragment !== null && options.fragment !== undefined) fragment = Boolean(options.fragment);
    if (options.unicode !== null && options.unicode !== undefined) unicode = Boolean(options.unicode);
    if (options.search !== null && options.search !== undefined) search = Boolean(options.search);
    if (options.auth !== null && options.auth !== undefined) auth = Boolean(options.auth);
  }
  let out = url.protocol;
  if (url.host !== '' || StringPrototypeStartsWith(url.href, `${out}//`)) {
    out += '//';
    if (auth && (url.username !== '' || url.password !== '')) {
      out += url.username;
      if (url.password !== '') out += `:${url.password}`;
      out += '@';
    }
    out += unicode ? domainToUnicode(url.hostname) : url.hostname;
    if (url.port !== '') out += `:${url.port}`;
  } else if (StringPrototypeStartsWith(url.pathname, '//')) {
    out += '/.';
  }
  out += url.pathname;
  if (search) out += url.search;
  if (fragment) out += url.hash;
  return out;
}

function fileURLToPathBuffer(path, options = kEmptyObject) {
  return require('internal/url/path_buffer').fileURLToPathBuffer(path, options);
}

module.exports = {
  // Legacy API.
  Url,
  parse: urlParse,
  resolve: urlResolve,
  resolveObject: urlResolveObject,
  format: urlFormat,

  // URL standard.
  URL,
  get URLPattern() { return require('internal/url/pattern').URLPattern; },
  URLSearchParams,
  domainToASCII,
  domainToUnicode,

  pathToFileURL,
  fileURLToPath,
  fileURLToPathBuffer,
  urlToHttpOptions,
};

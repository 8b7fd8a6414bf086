'use strict';

// The format of a file for require(), by its name and the nearest package.json: 'module', 'commonjs', either with
// '-typescript', 'typescript', or undefined if the format must be detected from the source text.

const { StringPrototypeEndsWith } = primordials;

const packages = require('internal/modules/package_json_reader');
const { hasFlag } = require('internal/options');
const path = require('path');

function formatOf(filename) {
  if (StringPrototypeEndsWith(filename, '.js')) {
    const type = packages.typeOf(filename);
    return type === 'none' ? undefined : type;
  }
  if (StringPrototypeEndsWith(filename, '.mjs')) return 'module';
  if (StringPrototypeEndsWith(filename, '.cjs')) return 'commonjs';
  const extension = path.extname(filename);
  if (extension === '') {
    const type = packages.typeOf(filename);
    return type === 'none' ? undefined : type;
  }
  if (hasFlag('no-strip-types')) return undefined;
  if (extension === '.mts') return 'module-typescript';
  if (extension === '.cts') return 'commonjs-typescript';
  if (extension !== '.ts') return undefined;
  const type = packages.typeOf(filename);
  return type === 'none' ? 'typescript' : `${type}-typescript`;
}

function isTypeScript(format) {
  return format !== undefined && StringPrototypeEndsWith(format, 'typescript');
}

module.exports = { formatOf, isTypeScript };

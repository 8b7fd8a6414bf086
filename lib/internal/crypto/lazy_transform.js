'use strict';

// A Transform that creates its stream state on first use, because most programs never use it as a stream.

const { FunctionPrototypeCall, ObjectDefineProperties, ObjectDefineProperty, ObjectSetPrototypeOf } = primordials;

const { Transform } = require('stream');

function LazyTransform(options) {
  this._options = options;
}
ObjectSetPrototypeOf(LazyTransform.prototype, Transform.prototype);
ObjectSetPrototypeOf(LazyTransform, Transform);

function accessor(name) {
  return {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      FunctionPrototypeCall(Transform, this, this._options);
      // update() accepts strings with their encoding.
      this._writableState.decodeStrings = false;
      return this[name];
    },
    set(value) {
      ObjectDefineProperty(this, name, {
        __proto__: null, value, configurable: true, enumerable: true, writable: true,
      });
    },
  };
}

ObjectDefineProperties(LazyTransform.prototype, {
  _readableState: accessor('_readableState'),
  _writableState: accessor('_writableState'),
});

module.exports = LazyTransform;

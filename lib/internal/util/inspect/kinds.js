'use strict';

// Results of kindOf() of the types binding, which finds the type of an object in one call.
module.exports = internalBinding('types').kinds;

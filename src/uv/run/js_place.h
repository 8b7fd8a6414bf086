// The place in JavaScript that is running, in a program that contains V8 and exports its interface,
// as Node does for add-ons. The functions are found by their names, so that this layer needs no
// headers of V8 and works with every version that has them. Thread: the main thread.
#pragma once

#include <string>

namespace rondo::uv {

// "/folder/app.js:3:4" of the innermost function that does not belong to Node itself; empty if no
// JavaScript of the program is running, or without V8.
std::string javascript_place();

}  // namespace rondo::uv

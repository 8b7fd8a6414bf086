// Reports an uncaught exception on stderr: the source line with a caret, then the stack, or the
// inspected exception if it has none. Thread: the isolate's only.
#pragma once

#include <string>
#include <string_view>

#include "runtime/values/v8.h"

namespace rondo::runtime {

// Stores the source line of an error in the error, for a report after lib has rethrown it.
void keep_source_line(v8::Isolate* isolate, v8::Local<v8::Value> exception);
void report_exception(v8::Isolate* isolate, v8::Local<v8::Value> exception,
                      v8::Local<v8::Message> message);
// Prints an exception in a callback of V8 that must not throw, below `title`. Runs no JavaScript.
void report_dropped_exception(v8::Isolate* isolate, const char* title,
                              v8::Local<v8::Message> message);
// "file.js:3\nthrow x;\n^\n", empty if there is no line to show. A long line is cut to an excerpt
// around the error, and the column is included: "file.js:3:1200\n...throw x;...\n   ^\n".
std::string source_line(v8::Isolate* isolate, v8::Local<v8::Message> message);

// Puts the source line of an error in front of its stack, once. The stack of a syntax error shows
// only the code that compiled the text.
void put_source_line_before_stack(v8::Isolate* isolate, const v8::TryCatch& caught,
                                  std::string_view gap = "\n");

}  // namespace rondo::runtime

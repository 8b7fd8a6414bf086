// JsEntry is the only way from native code into JavaScript. It calls a function, reports
// exceptions, and drains ticks and microtasks when the outermost call has returned (TICK-01).
// Thread: the loop's only. The caller holds a HandleScope.
#pragma once

#include <initializer_list>

#include "runtime/engine/realm.h"

namespace rondo::runtime {

class JsEntry {
 public:
  // Calls `function`. Empty if it threw (the exception has been handled) or the realm is exiting.
  // After an exception the queues are not drained (TICK-05).
  static v8::MaybeLocal<v8::Value> call(Realm& realm, v8::Local<v8::Function> function,
                                        std::initializer_list<v8::Local<v8::Value>> arguments) {
    return call(realm, function, v8::Undefined(realm.isolate()), arguments);
  }
  static v8::MaybeLocal<v8::Value> call(Realm& realm, v8::Local<v8::Function> function,
                                        v8::Local<v8::Value> receiver,
                                        std::initializer_list<v8::Local<v8::Value>> arguments);
  static v8::MaybeLocal<v8::Value> call(Realm& realm, Hook hook,
                                        std::initializer_list<v8::Local<v8::Value>> arguments) {
    return call(realm, realm.hook(hook), arguments);
  }
  // call() without the drain: for callers that make several calls which count as one callback.
  static v8::MaybeLocal<v8::Value> call_undrained(
      Realm& realm, v8::Local<v8::Function> function, v8::Local<v8::Value> receiver,
      std::initializer_list<v8::Local<v8::Value>> arguments);
  static v8::MaybeLocal<v8::Value> call_undrained(
      Realm& realm, Hook hook, std::initializer_list<v8::Local<v8::Value>> arguments) {
    return call_undrained(realm, realm.hook(hook), v8::Undefined(realm.isolate()), arguments);
  }

  // Drains ticks, then microtasks, until both queues are empty or a tick throws. Does nothing if
  // JavaScript is on the stack.
  static void drain(Realm& realm) { drain(realm, false); }

  // Handles an uncaught exception: emits uncaughtException, or reports the exception and exits.
  static void uncaught(Realm& realm, v8::Local<v8::Value> exception, v8::Local<v8::Message> message,
                       bool is_from_promise);

 private:
  // `has_just_left`: no code has run since the call of JavaScript returned.
  static void drain(Realm& realm, bool has_just_left);
};

}  // namespace rondo::runtime

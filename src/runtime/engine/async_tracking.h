// AsyncTracking: whether a hook of async_hooks is enabled. Native code that calls JavaScript
// several times for one event then leaves it to lib to report these calls to the hooks as one
// callback. lib sets it. Use: `realm.state<AsyncTracking>()`. Thread: the loop's only.
#pragma once

namespace rondo::runtime {

class Realm;

struct AsyncTracking {
  explicit AsyncTracking(Realm&) {}
  bool has_hooks = false;
};

}  // namespace rondo::runtime

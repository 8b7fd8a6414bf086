// AsyncTracking: whether JavaScript keeps track of callbacks with async ids, because the program
// uses async_hooks or is traced. lib turns it on, for good. Native code that calls JavaScript
// several times for one event then leaves it to lib to report these calls as one callback.
// Use: `realm.state<AsyncTracking>()`. Thread: the loop's only.
#pragma once

namespace rondo::runtime {

class Realm;

struct AsyncTracking {
  explicit AsyncTracking(Realm&) {}
  bool is_on = false;
};

}  // namespace rondo::runtime

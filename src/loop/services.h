// Per-loop singletons of the layers above, made on first use: a shared read buffer, the inotify
// descriptor. The loop only owns them and destroys them at its end.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"

namespace rondo {

class Loop;

class Service {
 public:
  virtual ~Service() = default;
  // Called in a child process after fork(), once the poller works there again: stop sharing kernel
  // objects with the parent.
  virtual Result<void> reopen_after_fork() { return {}; }
};

class Services {
 public:
  // The loop's one T, made as T(loop) on first use.
  template <class T>
  T& get(Loop& loop) {
    const void* key = &key_<T>;
    for (const Entry& entry : entries_) {
      if (entry.key == key) return static_cast<T&>(*entry.service);
    }
    entries_.push_back({key, std::make_unique<T>(loop)});
    return static_cast<T&>(*entries_.back().service);
  }
  // In reverse order of creation: later services may use earlier ones.
  void clear() {
    while (!entries_.empty()) entries_.pop_back();
  }
  ~Services() { clear(); }
  Result<void> reopen_after_fork() {
    for (const Entry& entry : entries_) {
      if (Result<void> reopened = entry.service->reopen_after_fork(); !reopened) return reopened;
    }
    return {};
  }

 private:
  // Its address identifies T without run-time type information. Not const: equal constants may
  // share an address.
  template <class T>
  inline static char key_ = 0;

  struct Entry {
    const void* key;
    std::unique_ptr<Service> service;
  };
  std::vector<Entry> entries_;
};

}  // namespace rondo

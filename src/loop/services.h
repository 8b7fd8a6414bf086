// Things a loop has one of, made on first use by layers above it: a shared read buffer, the inotify
// descriptor. The loop knows only that they exist, and drops them when it ends.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"

namespace rondo {

class Loop;

class Service {
 public:
  virtual ~Service() = default;
  // In a child process after fork(), once the poller works there again: part with what the kernel
  // still shares with the parent.
  virtual Result<void> reopen_after_fork() { return {}; }
};

class Services {
 public:
  // The loop's one T, made as T(loop) the first time it is asked for.
  template <class T>
  T& get(Loop& loop) {
    const void* key = &key_<T>;
    for (const Entry& entry : entries_) {
      if (entry.key == key) return static_cast<T&>(*entry.service);
    }
    entries_.push_back({key, std::make_unique<T>(loop)});
    return static_cast<T&>(*entries_.back().service);
  }
  // The last one made goes first: it may stand on those before it.
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
  // Its address is what tells one T from another, without run-time type information. Not const:
  // equal constants may share an address.
  template <class T>
  inline static char key_ = 0;

  struct Entry {
    const void* key;
    std::unique_ptr<Service> service;
  };
  std::vector<Entry> entries_;
};

}  // namespace rondo

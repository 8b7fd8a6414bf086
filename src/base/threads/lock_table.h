// Named locks (Web Locks) for the threads of a process, shared or exclusive. Requests for a name
// are served in order. Independent of V8 and of loops. Thread: any.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/threads/port.h"

namespace rondo {

class LockTable {
 public:
  enum class Mode : uint8_t { exclusive, shared };
  enum class Outcome : uint8_t {
    granted,
    missed,  // A request with `if_available` for a lock that is taken.
    stolen,  // A granted lock was taken over by another request.
  };
  struct Event {
    Outcome outcome;
    uint64_t id;
  };
  struct Request {
    std::u16string name;
    Mode mode = Mode::exclusive;
    bool steals = false;
    bool if_available = false;
  };

  // A thread that uses the table. Its notifier is called, under the table's lock, when another
  // thread's call has caused an event for it.
  class Client {
   public:
    Client(LockTable& table, Port::Notifier notifier) : table_(table), notifier_(notifier) {}
    // Releases all locks and requests.
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Returns the id of the request, which events refer to.
    uint64_t request(Request request);
    // Releases a lock, or cancels a pending request. Does nothing if the lock was already lost.
    void release(uint64_t id);
    // All events since the last call, in order.
    std::vector<Event> take();

   private:
    friend class LockTable;
    LockTable& table_;
    const Port::Notifier notifier_;
    std::vector<Event> events_;
  };

 private:
  struct Entry {
    Client* client;
    uint64_t id;
    Mode mode;
  };
  struct Resource {
    std::vector<Entry> held;
    std::deque<Entry> waiting;
  };
  using Resources = std::map<std::u16string, Resource>;

  // Called under the lock. `caller` gets no wake-up: it takes its events itself after the call.
  static bool is_grantable(const Resource& resource, Mode mode);
  static void report(const Entry& entry, Outcome outcome, const Client* caller);
  static void grant_waiting(Resource& resource, const Client* caller);
  template <class Predicate>
  void remove_if(Predicate predicate, const Client* caller);

  std::mutex mutex_;
  Resources resources_;  // Only those with a holder or a pending request.
  uint64_t last_id_ = 0;
};

}  // namespace rondo

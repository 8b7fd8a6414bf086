// Ports carry parcels between threads: each has a queue that any thread may add to, and a notifier
// that wakes its owner. All data between two engines passes through ports; they are independent of
// V8 and of loops.
//
//   post() on one port -> the queues of the others in its group -> their notifiers -> take()
//
// A group of two ports is a channel (MessageChannel); any number under a name are a broadcast group
// (BroadcastChannel).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace rondo {

// A message. Each receiver reads it once, on the receiver's thread.
class Parcel {
 public:
  Parcel() = default;
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;
  virtual ~Parcel() = default;
};

class PortGroup;

// One end of a channel, or a member of a broadcast group. Thread: the owner's; ownership may pass
// to another thread, for example inside a parcel. Other ports of the group use only its queue,
// under its lock.
class Port {
 public:
  // Called from any thread, after the locks are released: the woken thread takes them.
  struct Notifier {
    void (*notify)(void*) = nullptr;
    void* argument = nullptr;
  };

  explicit Port(std::shared_ptr<PortGroup> group);
  // Closes the port; pending parcels are dropped.
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  // From now on every arrival notifies; notifies at once if the queue is not empty.
  void attach(Notifier notifier);
  // When this returns no thread notifies any more, so the notifier's target may be freed.
  void detach();

  // Sends to all other ports of the group, in the order of the calls. Returns false if there are
  // none.
  bool post(const std::shared_ptr<Parcel>& parcel);

  struct Taken {
    std::shared_ptr<Parcel> parcel;
    bool is_closed = false;  // The other end has closed, and every parcel that it sent was taken.
  };
  // Takes the first item of the queue; an empty result if there is none. If `wants_parcels` is
  // false, a parcel stays in the queue.
  Taken take(bool wants_parcels = true);
  size_t size() const;

  // Leaves the group: no more parcels arrive. The other end of a channel is notified.
  void close();
  // True if `other` receives the parcels that this port sends.
  bool is_connected_to(const Port& other) const;

 private:
  friend class PortGroup;
  // Each returns the notifier to call once no lock is held; end_notify() must follow if there is
  // one.
  Notifier receive(std::shared_ptr<Parcel> parcel);
  Notifier receive_close();
  Notifier begin_notify();  // Under the lock.
  void end_notify() { notifying_threads_.fetch_sub(1, std::memory_order_release); }
  void wait_for_notifying_threads() const;

  std::shared_ptr<PortGroup> group_;  // Null once closed.
  // Guards the members below. Taken after the group's mutex, never before.
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<Parcel>> queue_;
  bool is_other_closed_ = false;
  Notifier notifier_;
  // Threads that are about to notify and still refer to this port. Incremented under the lock,
  // while there is a notifier.
  std::atomic<int> notifying_threads_{0};
};

// Ports that send to each other. Thread: any.
class PortGroup {
 public:
  // `is_channel`: the group has two ports, and closing one closes the other.
  explicit PortGroup(bool is_channel) : is_channel_(is_channel) {}
  PortGroup(const PortGroup&) = delete;
  PortGroup& operator=(const PortGroup&) = delete;

 private:
  friend class Port;
  void add(Port& port);
  void remove(Port& port);
  bool post(const Port& from, const std::shared_ptr<Parcel>& parcel);
  bool holds(const Port& port) const;
  Port* other_than(const Port& port) const;

  mutable std::mutex mutex_;
  std::vector<Port*> ports_;
  const bool is_channel_;
};

struct Channel {
  std::shared_ptr<Port> first;
  std::shared_ptr<Port> second;
};
Channel make_channel();

// Groups by name, one table per process. Thread: any.
class Switchboard {
 public:
  std::shared_ptr<Port> open(const std::string& name);

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<PortGroup>> groups_;
};

// Ports by number, for threads that know the number. Thread: any.
class Directory {
 public:
  // Creates a port that receives the parcels posted to `number`. An earlier port of that number is
  // closed.
  std::shared_ptr<Port> enter(uint32_t number);
  void remove(uint32_t number);
  // Returns false if there is no such port.
  bool post(uint32_t number, const std::shared_ptr<Parcel>& parcel);

 private:
  std::mutex mutex_;
  std::map<uint32_t, std::shared_ptr<Port>> ports_;  // The sending ends.
};

}  // namespace rondo

// Ports carry parcels between threads: each has a queue that any thread may add to, and a bell for
// whoever holds it. This is all that crosses between two engines; it knows nothing of V8, nor of
// loops.
//
//   post() on one port -> the queues of the others in its group -> their bells -> take()
//
// Two ports in a group are a channel (MessageChannel); any number under a name hear each other
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

// What is sent. It is read once per receiver, on the receiver's thread.
class Parcel {
 public:
  Parcel() = default;
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;
  virtual ~Parcel() = default;
};

class PortGroup;

// Thread: whoever holds the port, which may be handed to another thread as a whole (inside of a
// parcel, say); the others of the group reach only its queue, under its lock.
class Port {
 public:
  // Rung from any thread, after the locks are given back: whom it wakes would run into them.
  struct Bell {
    void (*ring)(void*) = nullptr;
    void* argument = nullptr;
  };

  explicit Port(std::shared_ptr<PortGroup> group);
  // Closes it; what it still held is dropped.
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  // From now on every arrival rings; and at once, if something is there already.
  void attach(Bell bell);
  // When it returns nobody rings any more, so that what the bell points to may go.
  void detach();

  // To all others of the group, in the order of the calls. False if there is nobody.
  bool post(const std::shared_ptr<Parcel>& parcel);

  struct Taken {
    std::shared_ptr<Parcel> parcel;
    bool is_closed = false;  // The other end has closed, and everything it sent was taken.
  };
  // The first in the queue, which stays there if it is a parcel and `wants_parcels` is not set.
  // Nothing if there is none.
  Taken take(bool wants_parcels = true);
  size_t size() const;

  // Leaves the group: nothing arrives any more. The other end of a channel is told.
  void close();
  // Whether `other` hears us.
  bool is_connected_to(const Port& other) const;

 private:
  friend class PortGroup;
  // Each gives the bell to ring once no lock is held; end_ring() must follow if there is one.
  Bell receive(std::shared_ptr<Parcel> parcel);
  Bell receive_close();
  Bell begin_ring();  // Under the lock.
  void end_ring() { ringers_.fetch_sub(1, std::memory_order_release); }
  void wait_for_ringers() const;

  std::shared_ptr<PortGroup> group_;  // Null once closed.
  mutable std::mutex mutex_;          // Of all below. Taken after the group's, never before it.
  std::deque<std::shared_ptr<Parcel>> queue_;
  bool is_other_closed_ = false;
  Bell bell_;
  // How many are about to ring, and still refer to us. Grows under the lock, while there is a bell.
  std::atomic<int> ringers_{0};
};

// The ports that hear each other. Any thread.
class PortGroup {
 public:
  // `is_channel`: two ports, of which one's end is the other's, too.
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

// The groups that have a name, one per process. Any thread.
class Switchboard {
 public:
  std::shared_ptr<Port> open(const std::string& name);

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<PortGroup>> groups_;
};

// Ports by number, to be reached by whoever knows it. Any thread.
class Directory {
 public:
  // What is posted to `number` arrives there. A port of that number that was there before is
  // closed.
  std::shared_ptr<Port> enter(uint32_t number);
  void remove(uint32_t number);
  // False if there is nobody.
  bool post(uint32_t number, const std::shared_ptr<Parcel>& parcel);

 private:
  std::mutex mutex_;
  std::map<uint32_t, std::shared_ptr<Port>> ports_;  // The ends that post.
};

}  // namespace rondo

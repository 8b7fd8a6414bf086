#include "base/threads/port.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace rondo {

Port::Port(std::shared_ptr<PortGroup> group) : group_(std::move(group)) { group_->add(*this); }

Port::~Port() {
  close();
  wait_for_notifying_threads();
}

void Port::attach(Notifier notifier) {
  const std::lock_guard lock(mutex_);
  notifier_ = notifier;
  if (notifier.notify != nullptr && (!queue_.empty() || is_other_closed_))
    notifier.notify(notifier.argument);
}

void Port::detach() {
  {
    const std::lock_guard lock(mutex_);
    notifier_ = {};
  }
  wait_for_notifying_threads();
}

Port::Notifier Port::begin_notify() {
  if (notifier_.notify != nullptr) notifying_threads_.fetch_add(1, std::memory_order_relaxed);
  return notifier_;
}

// Lasts as long as one call of the notifier: rare and short.
void Port::wait_for_notifying_threads() const {
  while (notifying_threads_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

bool Port::post(const std::shared_ptr<Parcel>& parcel) {
  return group_ != nullptr && group_->post(*this, parcel);
}

Port::Taken Port::take(bool wants_parcels) {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return {nullptr, is_other_closed_};
  if (!wants_parcels) return {};
  Taken taken{std::move(queue_.front()), false};
  queue_.pop_front();
  return taken;
}

size_t Port::size() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void Port::close() {
  if (group_ == nullptr) return;
  group_->remove(*this);
  group_.reset();
  // Parcels may hold ports, whose destructors take other locks: destroy them after ours is
  // released.
  std::deque<std::shared_ptr<Parcel>> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(queue_);
}

bool Port::is_connected_to(const Port& other) const {
  return this != &other && group_ != nullptr && group_->holds(other);
}

Port::Notifier Port::receive(std::shared_ptr<Parcel> parcel) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(parcel));
  return begin_notify();
}

Port::Notifier Port::receive_close() {
  const std::lock_guard lock(mutex_);
  is_other_closed_ = true;
  return begin_notify();
}

void PortGroup::add(Port& port) {
  const std::lock_guard lock(mutex_);
  ports_.push_back(&port);
}

void PortGroup::remove(Port& port) {
  std::unique_lock lock(mutex_);
  std::erase(ports_, &port);
  if (!is_channel_ || ports_.empty()) return;
  Port* const other = ports_.front();
  const Port::Notifier notifier = other->receive_close();
  lock.unlock();
  if (notifier.notify == nullptr) return;
  notifier.notify(notifier.argument);
  other->end_notify();
}

bool PortGroup::post(const Port& from, const std::shared_ptr<Parcel>& parcel) {
  std::unique_lock lock(mutex_);
  if (is_channel_) {  // A channel has at most one other port.
    Port* const port = other_than(from);
    if (port == nullptr) return false;
    const Port::Notifier notifier = port->receive(parcel);
    lock.unlock();
    if (notifier.notify == nullptr) return true;
    notifier.notify(notifier.argument);
    port->end_notify();
    return true;
  }
  bool has_others = false;
  for (Port* const port : ports_) {
    if (port == &from) continue;
    const Port::Notifier notifier = port->receive(parcel);
    has_others = true;
    if (notifier.notify == nullptr) continue;
    notifier.notify(notifier.argument);
    port->end_notify();
  }
  return has_others;
}

Port* PortGroup::other_than(const Port& port) const {
  for (Port* const other : ports_) {
    if (other != &port) return other;
  }
  return nullptr;
}

bool PortGroup::holds(const Port& port) const {
  const std::lock_guard lock(mutex_);
  return std::find(ports_.begin(), ports_.end(), &port) != ports_.end();
}

Channel make_channel() {
  const auto group = std::make_shared<PortGroup>(true);
  return {std::make_shared<Port>(group), std::make_shared<Port>(group)};
}

std::shared_ptr<Port> Switchboard::open(const std::string& name) {
  const std::lock_guard lock(mutex_);
  // Drop the names of groups that no port uses any more.
  std::erase_if(groups_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<PortGroup>& entry = groups_[name];
  std::shared_ptr<PortGroup> group = entry.lock();
  if (group == nullptr) entry = group = std::make_shared<PortGroup>(false);
  return std::make_shared<Port>(std::move(group));
}

std::shared_ptr<Port> Directory::enter(uint32_t number) {
  Channel channel = make_channel();
  const std::lock_guard lock(mutex_);
  ports_[number] = std::move(channel.first);
  return std::move(channel.second);
}

void Directory::remove(uint32_t number) {
  const std::lock_guard lock(mutex_);
  ports_.erase(number);
}

// Posts under the lock: many threads post to one port here, and it must not be destroyed meanwhile.
bool Directory::post(uint32_t number, const std::shared_ptr<Parcel>& parcel) {
  const std::lock_guard lock(mutex_);
  const auto found = ports_.find(number);
  return found != ports_.end() && found->second->post(parcel);
}

}  // namespace rondo

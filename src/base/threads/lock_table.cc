#include "base/threads/lock_table.h"

#include <algorithm>
#include <utility>

namespace rondo {

LockTable::Client::~Client() {
  const std::lock_guard lock(table_.mutex_);
  table_.remove_if([this](const Entry& entry) { return entry.client == this; }, this);
}

uint64_t LockTable::Client::request(Request request) {
  const std::lock_guard lock(table_.mutex_);
  const Entry entry{this, ++table_.last_id_, request.mode};
  if (request.if_available && !request.steals) {
    const auto known = table_.resources_.find(request.name);
    if (known != table_.resources_.end() &&
        (!known->second.waiting.empty() || !is_grantable(known->second, request.mode))) {
      report(entry, Outcome::missed, this);
      return entry.id;
    }
  }
  Resource& resource = table_.resources_[std::move(request.name)];
  if (request.steals) {
    for (const Entry& loser : resource.held) report(loser, Outcome::stolen, this);
    resource.held.assign(1, entry);
    report(entry, Outcome::granted, this);
    return entry.id;
  }
  resource.waiting.push_back(entry);
  grant_waiting(resource, this);
  return entry.id;
}

void LockTable::Client::release(uint64_t id) {
  const std::lock_guard lock(table_.mutex_);
  table_.remove_if([id](const Entry& entry) { return entry.id == id; }, this);
}

std::vector<LockTable::Event> LockTable::Client::take() {
  const std::lock_guard lock(table_.mutex_);
  return std::exchange(events_, {});
}

bool LockTable::is_grantable(const Resource& resource, Mode mode) {
  if (resource.held.empty()) return true;
  return mode == Mode::shared && resource.held.front().mode == Mode::shared;
}

void LockTable::report(const Entry& entry, Outcome outcome, const Client* caller) {
  Client& client = *entry.client;
  client.events_.push_back({outcome, entry.id});
  if (&client != caller) client.notifier_.notify(client.notifier_.argument);
}

void LockTable::grant_waiting(Resource& resource, const Client* caller) {
  while (!resource.waiting.empty() && is_grantable(resource, resource.waiting.front().mode)) {
    const Entry entry = resource.waiting.front();
    resource.waiting.pop_front();
    resource.held.push_back(entry);
    report(entry, Outcome::granted, caller);
  }
}

template <class Predicate>
void LockTable::remove_if(Predicate predicate, const Client* caller) {
  for (auto it = resources_.begin(); it != resources_.end();) {
    Resource& resource = it->second;
    if (std::erase_if(resource.held, predicate) + std::erase_if(resource.waiting, predicate) > 0) {
      grant_waiting(resource, caller);
    }
    it = resource.held.empty() && resource.waiting.empty() ? resources_.erase(it) : std::next(it);
  }
}

}  // namespace rondo

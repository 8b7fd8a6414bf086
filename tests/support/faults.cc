#include "support/faults.h"

#include "base/assert.h"

namespace rondo {

FaultPlan::FaultPlan() {
  RONDO_ASSERT(sys::fault_plan.load() == nullptr);
  sys::fault_plan.store(this);
}

FaultPlan::~FaultPlan() { sys::fault_plan.store(nullptr); }

void FaultPlan::fail(const char* call, int error, When when) {
  std::lock_guard lock(mutex_);
  rules_.push_back({call, when, -1, error, 0});
}

void FaultPlan::answer(const char* call, long result, When when) {
  std::lock_guard lock(mutex_);
  rules_.push_back({call, when, result, 0, 0});
}

void FaultPlan::shorten(const char* call, size_t most, When when) {
  RONDO_ASSERT(most > 0);
  std::lock_guard lock(mutex_);
  rules_.push_back({call, when, 0, 0, most});
}

void FaultPlan::clear() {
  std::lock_guard lock(mutex_);
  rules_.clear();
}

size_t FaultPlan::calls(const char* call, int fd) const {
  std::lock_guard lock(mutex_);
  size_t sum = 0;
  for (const Count& count : counts_) {
    if (count.call == call && (fd == kAnyFd || count.fd == fd)) sum += count.calls;
  }
  return sum;
}

size_t FaultPlan::injected(const char* call) const {
  std::lock_guard lock(mutex_);
  size_t sum = 0;
  for (const Count& count : counts_) {
    if (count.call == call) sum += count.injected;
  }
  return sum;
}

bool FaultPlan::inject(const char* call, int fd, long& result) {
  std::lock_guard lock(mutex_);
  Count& counted = count(call, fd);
  ++counted.calls;
  const Rule* rule = match(call, fd, false);
  if (rule == nullptr) return false;
  ++counted.injected;
  result = rule->result;
  if (result < 0) errno = rule->error;
  return true;
}

size_t FaultPlan::most_bytes(const char* call, int fd) {
  std::lock_guard lock(mutex_);
  const Rule* rule = match(call, fd, true);
  if (rule == nullptr) return SIZE_MAX;
  ++count(call, fd).injected;
  return rule->most;
}

// The first rule that applies to this call. Every matching rule counts the call.
FaultPlan::Rule* FaultPlan::match(const char* call, int fd, bool shortens) {
  Rule* found = nullptr;
  for (Rule& rule : rules_) {
    if (rule.call != call || (rule.most > 0) != shortens) continue;
    if (rule.when.fd != kAnyFd && rule.when.fd != fd) continue;
    if (rule.when.skip > 0) {
      --rule.when.skip;
      continue;
    }
    if (found != nullptr || rule.when.times == 0) continue;
    if (rule.when.times != kAlways) --rule.when.times;
    found = &rule;
  }
  return found;
}

FaultPlan::Count& FaultPlan::count(const char* call, int fd) {
  for (Count& known : counts_) {
    if (known.fd == fd && known.call == call) return known;
  }
  counts_.push_back({call, fd, 0, 0});
  return counts_.back();
}

}  // namespace rondo

#include "loop/trace/mapping_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace rondo {

namespace {

// The signal handler may only read data without a lock: fixed slots, free if `end` is 0.
struct Slot {
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};
  std::atomic<bool> was_hit{false};
};

std::array<Slot, MappingGuard::kMost> slots;
std::mutex slots_mutex;  // Held while taking or returning a slot.
struct sigaction action_before;
std::atomic<uintptr_t> page_size{4096};

bool replace(uintptr_t fault) {
  for (Slot& slot : slots) {
    const uintptr_t end = slot.end.load(std::memory_order_acquire);
    if (fault < slot.begin.load(std::memory_order_relaxed) || fault >= end) continue;
    const uintptr_t page = fault & ~(page_size.load(std::memory_order_relaxed) - 1);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the signal gives the address as a number.
    void* const wanted = reinterpret_cast<void*>(page);
    if (::mmap(wanted, end - page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
               -1, 0) == MAP_FAILED) {
      return false;
    }
    slot.was_hit.store(true, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void on_bus_error(int, siginfo_t* info, void*) {
  const int saved = errno;
  // The address is in no guarded mapping: restore the earlier handler, which gets the fault when
  // the instruction is repeated.
  if (!replace(reinterpret_cast<uintptr_t>(info->si_addr)))
    ::sigaction(SIGBUS, &action_before, nullptr);
  errno = saved;
}

void install() {
  page_size.store(static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE)));
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGBUS, &action, &action_before);
}

}  // namespace

MappingGuard::MappingGuard(void* begin, size_t size) {
  static std::once_flag installed;
  std::call_once(installed, install);
  const std::lock_guard lock(slots_mutex);
  for (size_t i = 0; i < kMost; ++i) {
    Slot& slot = slots[i];
    if (slot.end.load(std::memory_order_relaxed) != 0) continue;
    const auto from = reinterpret_cast<uintptr_t>(begin);
    slot.was_hit.store(false, std::memory_order_relaxed);
    slot.begin.store(from, std::memory_order_relaxed);
    slot.end.store(from + size, std::memory_order_release);
    slot_ = i;
    return;
  }
}

MappingGuard::~MappingGuard() {
  if (slot_ == kMost) return;
  const std::lock_guard lock(slots_mutex);
  slots[slot_].end.store(0, std::memory_order_release);
}

bool MappingGuard::was_hit() const {
  return slot_ != kMost && slots[slot_].was_hit.load(std::memory_order_relaxed);
}

}  // namespace rondo

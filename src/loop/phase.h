// The phases in ring order: the only place where the order is data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo {

enum class Phase : uint8_t { timers, pending, idle, prepare, poll, check, closing, none };

inline constexpr size_t kPhaseCount = static_cast<size_t>(Phase::none);

constexpr const char* phase_name(Phase phase) {
  constexpr const char* kNames[] = {"timers", "pending", "idle",    "prepare",
                                    "poll",   "check",   "closing", "none"};
  return kNames[static_cast<size_t>(phase)];
}

}  // namespace rondo

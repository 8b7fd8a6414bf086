// Phase 5, check: runs right after poll. Check handles run every turn while active; immediates run
// once, in the order in which they were set.
#pragma once

#include "loop/phases/hook.h"

namespace rondo {

class Check final : public Hook {
 public:
  explicit Check(Loop& loop);
};

// Runs once, right after the next poll. Not a handle: nothing to close; destroying it clears it.
class Immediate {
 public:
  using OnCheck = Callback<void()>;

  explicit Immediate(Loop& loop) : loop_(loop) {}
  Immediate(const Immediate&) = delete;
  Immediate& operator=(const Immediate&) = delete;
  ~Immediate() { clear(); }

  // Setting a pending one moves it to the end. Set by an immediate, it runs in the next turn
  // (CHK-02).
  void set(OnCheck on_check);
  void clear();  // Idempotent; stops one that has not run yet, even inside the phase (CHK-03).
  bool is_set() const { return link_.is_linked(); }

  // Without a ref it neither keeps the loop alive nor the poll from sleeping.
  void ref();
  void unref();
  bool has_ref() const { return has_ref_; }

 private:
  friend class CheckPhase;
  Loop& loop_;
  ListLink link_;
  OnCheck on_check_;
  uint64_t id_ = 0;
  bool has_ref_ = true;
};

class CheckPhase {
 public:
  explicit CheckPhase(LoopState& loop) : loop_(loop), hooks_(loop) {}

  void run();
  HookPhase& hooks() { return hooks_; }
  // Called at the beginning of the phase, in every turn. Not itself a user callback: it may run
  // some.
  void set_prologue(Callback<void()> prologue) { prologue_ = std::move(prologue); }
  bool has_refd_immediates() const { return refd_immediates_ > 0 || *outside_ > 0; }
  // For a runtime that keeps its own queue of immediates and runs it from a Check handle: counters
  // of the pending immediates, with a ref and in all. Registering each one with the loop would cost
  // more than running it. The counters must outlive the loop's last turn; null removes them.
  void count_outside(const volatile uint32_t* refd_immediates,
                     const volatile uint32_t* all_immediates = nullptr) {
    outside_ = refd_immediates != nullptr ? refd_immediates : &kNone;
    all_outside_ = all_immediates != nullptr ? all_immediates : outside_;
  }
  // True if the phase would run anything. A Check handle that serves an outside queue counts only
  // if that queue is not empty.
  bool has_work() const {
    return !immediates_.is_empty() || (outside_ == &kNone ? !hooks_.is_empty() : *all_outside_ > 0);
  }

 private:
  friend class Immediate;
  LoopState& loop_;
  Callback<void()> prologue_;
  HookPhase hooks_;
  List<Immediate, &Immediate::link_> immediates_;
  size_t refd_immediates_ = 0;
  static constexpr uint32_t kNone = 0;
  const volatile uint32_t* outside_ = &kNone;
  const volatile uint32_t* all_outside_ = &kNone;
};

}  // namespace rondo

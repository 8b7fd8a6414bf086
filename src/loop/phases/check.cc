#include "loop/phases/check.h"

#include "loop/internals.h"

namespace rondo {

Check::Check(Loop& loop) : Hook(loop, HandleKind::check, LoopState::of(loop).check.hooks()) {}

void Immediate::set(OnCheck on_check) {
  clear();
  on_check_ = std::move(on_check);
  LoopState& state = LoopState::of(loop_);
  state.check.immediates_.push_back(*this);
  if (has_ref_) ++state.check.refd_immediates_;
  id_ = state.next_id();
  state.trace.scheduled(id_, "immediate");
}

void Immediate::clear() {
  if (!link_.is_linked()) return;
  link_.unlink();
  if (has_ref_) --LoopState::of(loop_).check.refd_immediates_;
}

void Immediate::ref() {
  if (has_ref_) return;
  has_ref_ = true;
  if (link_.is_linked()) ++LoopState::of(loop_).check.refd_immediates_;
}

void Immediate::unref() {
  if (!has_ref_) return;
  has_ref_ = false;
  if (link_.is_linked()) --LoopState::of(loop_).check.refd_immediates_;
}

void CheckPhase::run() {
  if (prologue_) [[unlikely]]
    prologue_();
  hooks_.run();
  if (immediates_.is_empty()) return;
  auto turn = immediates_.take();
  while (Immediate* immediate = turn.pop_front()) {
    if (immediate->has_ref_) --refd_immediates_;
    CallbackScope scope(loop_, immediate->id_, "immediate");
    // Called through a local: the immediate may set itself again, or be destroyed.
    Immediate::OnCheck on_check = std::move(immediate->on_check_);
    on_check();
  }
}

}  // namespace rondo

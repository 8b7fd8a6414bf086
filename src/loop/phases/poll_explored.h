// Poll with a Choice: waits until everything in flight is ready, and lets the Choice decide which
// event comes next and which are late. Under virtual time it waits as VirtualPoll does.
#pragma once

#include <vector>

#include "loop/choice.h"
#include "loop/phases/poll_virtual.h"

namespace rondo {

class ExploredPoll final : public VirtualPoll {
 public:
  ExploredPoll(LoopState& loop, PollPhase& poll);

  void run(bool may_sleep) override;
  bool tracks_operations() const override { return true; }
  // Records the order of submission, which does not depend on the machine's speed.
  void operation_submitted(const Target& target, uint64_t id, const char* label,
                           PoolRequest* late) override;
  void operation_over(const Target& target) override;
  void settle_effects(const Touch& touch, const PoolRequest* self) override;

 private:
  using AsyncList = PollPhase::AsyncList;
  // The mailbox has one place in a batch: first the results delivered in this poll, then the
  // messages (POL-08, ASY-02).
  enum class Mail : uint8_t { waiting, results, messages, over };
  // A candidate for delivery: an element of batch_.ready, or an Async.
  struct Pick {
    size_t index;
    Async* async;
  };
  struct Submitted {
    const Target* target;
    uint64_t id;
    const char* label;
    PoolRequest* job;  // Null if no worker is needed.
    bool is_running;   // It has a worker, so it can complete next.
  };

  // Waiting for events, and questions to the Choice.
  void collect_mail(size_t first_new) override;
  bool has_something() const override;
  void await_operations();
  bool has_local_data_in_flight() const;
  void put_in_order();
  void run_internal_asyncs();
  bool may_end();
  bool end_early(bool is_first);
  bool choose_next();  // True if the poll ends with this event.
  bool ask(ChoicePoint point);
  uint64_t state(ChoicePoint point) const;
  const Submitted* find_submitted(const Target* target) const;
  // 0 if it is not a handle of the loop.
  uint64_t handle_id(const void* source) const;

  // One batch of events and the candidates in it: poll_batch.cc.
  void begin_batch();
  void end_batch();
  void begin_mail();
  void end_mail();
  bool is_mail_begun() const {
    return mail_stage_ == Mail::results || mail_stage_ == Mail::messages;
  }
  // True if an event is ready that Node always delivers in the same poll.
  bool is_certain_left() const;
  bool is_message_due() const;
  bool is_signal_due() const;
  bool is_instant_due() const;
  bool is_instant(const Target& target) const;
  static bool is_local_message(const Async& async);
  bool find_candidates();
  void find_running_jobs();
  void add_readiness();
  void add_messages();
  void add_results();
  void add_signals();
  void add_candidate(size_t index);
  void deliver_message(Async& async);

  PollPhase::Batch& batch_;
  AsyncList& asyncs_;
  std::vector<Submitted> submitted_;  // Operations in flight, in order of submission.
  std::vector<Candidate> candidates_;
  std::vector<Pick> picks_;  // The candidates' positions.
  Mail mail_stage_ = Mail::waiting;
  AsyncList unvisited_;              // The Asyncs that this batch has not visited yet.
  bool began_with_message_ = false;  // This thread had sent a message when the batch began.
  uint32_t times_late_ = 0;          // Number of polls in a row in which all events were late.
  Nanos late_since_{0};
};

}  // namespace rondo

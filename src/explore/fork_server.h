// ForkServer is the server of `rondo explore`: a process that has started everything up to the
// point where a program is read, and forks a process for each requested run. For a program that is
// not Rondo's runtime, the process then executes it.
//
// Both directions of its channel carry frames: a length of four bytes, then that many bytes. A
// request is text, "milliseconds describes seed schedule"; an answer begins with a RunAnswer, whose
// layout the binding `explore` exports to lib.
// Thread: the only one of its process.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "explore/run.h"

namespace rondo {

enum class RunEnd : uint32_t { exit, signal, timeout };

// The fixed part of an answer. Behind it are `decisions` entries of a RunRecord, at most
// RunRecord::kMostDecisions; the kept bytes of both outputs; the text of the record; and its ports.
struct RunAnswer {
  RunEnd how = RunEnd::exit;
  int32_t code = 0;  // The exit code or the signal.
  uint32_t decisions = 0;
  uint32_t diverged_at = 0;
  uint32_t outside = 0;
  uint32_t text_size = 0;
  uint32_t kept[2] = {};  // Of stdout and stderr, here and below.
  double total[2] = {};
  uint64_t hash[2] = {};
  double took_ms = 0;
  uint32_t ports = 0;
  uint32_t unused = 0;
};
static_assert(sizeof(RunAnswer) == 80);
static_assert(sizeof(RunRecord::Entry) == 24);

class ForkServer {
 public:
  // `folder` is emptied before each run and is the run's TMPDIR; "": none.
  ForkServer(ExploredRun& run, int channel, std::string folder)
      : run_(run), channel_(channel), folder_(std::move(folder)) {}

  // Returns in each process that was forked for a run, whose loop must still be reopened. The
  // server itself ends its process when the channel is closed.
  ExploredRun::Request serve();

 private:
  struct RunRequest;
  struct Output;

  [[noreturn]] void leave();
  void clear_folder();
  // Forks a run. Returns true in the new process.
  bool start(const RunRequest& request);
  void become_run(Output (&outputs)[2]);
  void watch(pid_t pid, Output (&outputs)[2], int limit_ms, RunAnswer& answer);
  void reply(RunAnswer& answer, const Output (&outputs)[2]);

  ExploredRun& run_;
  int channel_;
  std::string folder_;
  const pid_t server_ = ::getpid();
};

}  // namespace rondo

// ForkServer is the server of `rondo explore`: a process that has started everything up to the
// point where a program is read, and forks a process for each requested run.
//
// Both directions of its channel carry frames: a length of four bytes, then that many bytes. A
// request is text, "milliseconds describes seed schedule"; lib/internal/explore/server.js reads the
// answers. Thread: the only one of its process.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "explore/run.h"

namespace rondo {

class ForkServer {
 public:
  // `folder` is emptied before each run and is the run's TMPDIR; "": none.
  ForkServer(ExploredRun& run, int channel, std::string folder)
      : run_(run), channel_(channel), folder_(std::move(folder)) {}

  // Returns in each process that was forked for a run, whose loop must still be reopened. The
  // server itself ends its process when the channel is closed.
  ExploredRun::Request serve();

 private:
  struct Answer;
  struct RunRequest;
  struct Output;

  [[noreturn]] void leave();
  void clear_folder();
  // Forks a run. Returns true in the new process.
  bool start(const RunRequest& asked);
  void become_run(Output (&outputs)[2]);
  void watch(pid_t pid, Output (&outputs)[2], int limit_ms, Answer& answer);
  void reply(Answer& answer, const Output (&outputs)[2]);

  ExploredRun& run_;
  int channel_;
  std::string folder_;
  const pid_t server_ = ::getpid();
};

}  // namespace rondo

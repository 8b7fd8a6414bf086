#include "support/test_loop.h"

#include <memory>

namespace rondo {

TestLoop::TestLoop(LoopOptions options) : loop_(prepare(std::move(options))) {}

LoopOptions TestLoop::prepare(LoopOptions options) {
  auto poller = std::make_unique<ScriptedPoller>(clock_);
  poller_ = poller.get();
  options.poller = std::move(poller);
  options.clock = &clock_;
  options.trace = &trace_;
  return options;
}

void TestLoop::log(std::string_view word) {
  if (!log_.empty()) log_ += ' ';
  log_ += word;
}

std::string TestLoop::run(RunMode mode) {
  was_alive_ = loop_.run(mode);
  return take_log();
}

}  // namespace rondo

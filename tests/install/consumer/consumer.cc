// A program outside Rondo's tree: public headers only, with exceptions and RTTI as by default. It
// runs a loop with a timer, a pool job and its own clock and sink.
#include <rondo.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace {

class CountingSink final : public rondo::TraceSink {
 public:
  void record(const rondo::TraceEvent& event) override {
    if (event.kind == rondo::TraceKind::callback_begin) ++callbacks_;
  }
  int callbacks() const { return callbacks_; }

 private:
  int callbacks_ = 0;
};

}  // namespace

int main() {
  CountingSink sink;
  rondo::VirtualClock clock;
  rondo::LoopOptions options;
  options.clock = &clock;
  options.trace = &sink;
  rondo::Loop loop(std::move(options));

  int ticks = 0;
  const rondo::Nanos began = loop.now();
  auto timer = loop.make<rondo::Timer>();
  timer->start(
      rondo::Millis{3'600'000},
      [&ticks](rondo::Timer& self) {
        if (++ticks == 3) self.stop();
      },
      rondo::Millis{3'600'000});

  int product = 0;
  rondo::Work work(loop);
  work.submit([&product] { product = 6 * 7; },
              [&product](rondo::Work&, rondo::Result<void> outcome) {
                if (!outcome) product = 0;
              });
  loop.run();

  const auto hours = std::chrono::duration_cast<std::chrono::hours>(loop.now() - began).count();
  const rondo::Result<int> failed = rondo::Error{ECONNREFUSED, "connect"};
  std::printf("%d ticks in %d hours, %d callbacks, %d, %s\n", ticks, static_cast<int>(hours),
              sink.callbacks(), product, failed.error().name());
  timer.reset();
  loop.run();
  return 0;
}

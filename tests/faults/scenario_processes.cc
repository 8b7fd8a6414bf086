// Scenarios for processes and signals.
#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "io/net/pipe.h"
#include "io/process/process.h"
#include "io/process/run_to_end.h"
#include "io/process/signal.h"
#include "scenario.h"
#include "support/pipes.h"

namespace rondo::faults {
namespace {

using Bytes = std::span<std::byte>;
using Direction = Stdio::Direction;

ProcessOptions program_of(std::string file, std::vector<std::string> args) {
  ProcessOptions options;
  options.file = std::move(file);
  options.args = std::move(args);
  return options;
}

// A child that copies its input to its output, with both of its pipes.
class Cat {
 public:
  Cat(Loop& loop, Context& context)
      : loop_(loop), account_(context.account), process_(loop.make<Process>()) {}

  void start(ProcessOptions options) {
    options.stdio = {Stdio::pipe(Direction::child_reads), Stdio::pipe(Direction::child_writes)};
    exit_ = account_.open("end of cat");
    const Result<void> spawned =
        process_->spawn(options, [this](Process&, Result<ProcessExit> exit) {
          account_.settle(exit_);
          was_right_ = exit && exit->status == 0 && exit->signal == 0;
          process_.reset();
        });
    if (!spawned) return account_.settle(exit_);
    input_ = loop_.make<PipeSocket>();
    output_ = loop_.make<PipeSocket>();
    const bool has_output = output_->open(process_->take_stdio(1)) && read();
    if (!has_output) output_.reset();
    if (!input_->open(process_->take_stdio(0))) return input_.reset();
    input_->write("hello",
                  [this, entry = account_.open("write to cat")](Stream&, Result<void> written) {
                    account_.settle(entry);
                    was_written_ = written.has_value();
                  });
    input_->shutdown([this, entry = account_.open("shutdown of cat")](Stream&, Result<void>) {
      account_.settle(entry);
      input_.reset();
    });
  }
  void check() const {
    if (was_written_ && was_right_ && has_ended_) {
      account_.expect(text_ == "hello", "the output of a child was lost without an error");
    }
  }

 private:
  bool read() {
    return output_
        ->read_start([this](Stream&, Result<Bytes> data) {
          if (data && !data->empty()) {
            text_.append(reinterpret_cast<const char*>(data->data()), data->size());
          } else {
            has_ended_ = data.has_value();
            output_.reset();
          }
        })
        .has_value();
  }

  Loop& loop_;
  Account& account_;
  Owned<Process> process_;
  Owned<PipeSocket> input_;
  Owned<PipeSocket> output_;
  std::string text_;
  uint32_t exit_ = 0;
  bool was_written_ = false, was_right_ = false, has_ended_ = false;
};

// Runs a program that ends by itself, or is killed.
void run_one(Loop& loop, Context& context, const ProcessOptions& options, bool kills) {
  Account& account = context.account;
  auto process = loop.make<Process>();
  const uint32_t entry = account.open("end of a child");
  const Result<void> spawned = process->spawn(
      options, [&account, entry](Process&, Result<ProcessExit>) { account.settle(entry); });
  if (!spawned) account.settle(entry);
  // A fault occurs only once.
  if (spawned && kills && !process->kill(SIGKILL)) (void)process->kill(SIGKILL);
  loop.run();
}

}  // namespace

void run_children(Context& context) {
  context.with_loop([&](Loop& loop) {
    Cat cat(loop, context);
    cat.start(program_of("cat", {"cat"}));
    loop.run();
    cat.check();
    ProcessOptions elsewhere = program_of("true", {"true"});
    elsewhere.cwd = "/";
    elsewhere.stdio = {Stdio::ignore(), Stdio::ignore(), Stdio::ignore(), Stdio::ignore(),
                       Stdio::pipe(Direction::duplex)};
    run_one(loop, context, elsewhere, false);
    run_one(loop, context, program_of("sleep", {"sleep", "600"}), true);
    run_one(loop, context, program_of("/nowhere/at/all", {}), false);
    // A descriptor that is non-blocking here must block there.
    std::optional<Pipe> pipe;
    {
      const Quietly quietly;
      pipe.emplace();
    }
    ProcessOptions inheriting = program_of("true", {"true"});
    inheriting.stdio = {Stdio::inherit(pipe->out.get())};
    run_one(loop, context, inheriting, false);
  });
}

void run_forked_children(Context& context) {
  context.with_loop([&](Loop& loop) {
    ProcessOptions options = program_of("cat", {"cat"});
    options.ends_with_parent = true;
    options.detached = true;
    options.cwd = "/";
    Cat cat(loop, context);
    cat.start(options);
    loop.run();
    cat.check();
    ProcessOptions other = program_of("true", {"true"});
    other.uid = ::getuid();
    other.gid = ::getgid();
    Fd null;
    {
      const Quietly quietly;
      null = Fd(::open("/dev/null", O_RDWR | O_CLOEXEC));
      const gid_t group = ::getgid();
      if (::geteuid() == 0) (void)!::setgroups(1, &group);  // So that there is one to drop.
    }
    other.stdio = {Stdio::inherit(0), Stdio::ignore(), Stdio::inherit(null.get()), Stdio::ignore()};
    run_one(loop, context, other, false);
    other.file = "/nowhere/at/all";
    run_one(loop, context, other, false);
  });
}

void run_to_the_end(Context& context) {
  const std::string input = "for spawnSync()";
  RunOptions options;
  options.process = program_of("cat", {"cat"});
  options.process.stdio = {Stdio::pipe(Direction::duplex), Stdio::pipe(Direction::duplex)};
  options.input = {reinterpret_cast<const uint8_t*>(input.data()), input.size()};
  options.timeout = std::chrono::seconds{30};
  options.kill_signal = SIGKILL;
  RunResult result = run_to_end(options);
  if (result.error == 0 && result.exit && result.exit->status == 0) {
    context.expect(result.outputs[1].size() == input.size(),
                   "run_to_end() lost output without an error");
  }
  // Killed because of too much output.
  options.process = program_of("yes", {"yes"});
  options.process.stdio = {Stdio::pipe(Direction::duplex), Stdio::pipe(Direction::duplex)};
  options.input = {};
  options.most_output = 1000;
  result = run_to_end(options);
  const bool has_failed = result.error != 0 || (result.exit && result.exit->status != 0);
  context.expect(has_failed, "run_to_end() took more output than it may");
}

void run_signals(Context& context) {
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    auto regular = loop.make<Signal>();
    auto once = loop.make<Signal>();
    const auto listen = [&account](Owned<Signal>& signal, bool is_once, const char* what) {
      const uint32_t entry = account.open(what);
      const auto on_signal = [&account, entry](Signal& self, int) {
        account.settle(entry);
        self.stop();
      };
      const Result<void> started =
          is_once ? signal->start_oneshot(SIGUSR2, on_signal) : signal->start(SIGUSR1, on_signal);
      if (!started) account.settle(entry);
      return started.has_value();
    };
    const bool has_regular = listen(regular, false, "signal");
    const bool has_once = listen(once, true, "one-shot signal");
    {
      const Quietly quietly;
      ::signal(SIGCHLD, SIG_DFL);
    }
    if (has_regular) ::raise(SIGUSR1);
    if (has_once) ::raise(SIGUSR2);
    loop.run();
  });
}

// A loop that continues in a forked child.
void run_fork(Context& context) {
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    std::optional<Pipe> pipe;
    {
      const Quietly quietly;
      pipe.emplace();
    }
    auto signal = loop.make<Signal>();
    auto reader = loop.make<PipeSocket>();
    const bool listens = signal->start(SIGUSR1, [](Signal& self, int) { self.stop(); }).has_value();
    const bool reads =
        reader->open(std::move(pipe->out)) &&
        reader->read_start([](Stream& self, Result<Bytes>) { self.close(); }).has_value();
    loop.run_nowait();
    const pid_t child = ::fork();
    if (child == 0) {
      const bool is_open = loop.reopen_after_fork().has_value();
      if (is_open && listens) ::raise(SIGUSR1);
      if (is_open && reads && !reader->is_closing()) {
        const Quietly quietly;
        (void)!::write(pipe->in.get(), "x", 1);
      }
      if (is_open) loop.run();
      ::_exit(0);
    }
    if (child > 0) {
      const Quietly quietly;
      int status = 0;
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      account.expect(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                     "the loop did not end in a forked child: " + std::to_string(status));
    }
    signal->stop();
    if (!reader->is_closing()) reader->close();
    loop.run();
  });
}

}  // namespace rondo::faults

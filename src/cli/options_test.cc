#include "cli/options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "cli/options_table.h"

namespace rondo::cli {

namespace {

ParsedOptions parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "rondo");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return parse_options(static_cast<int>(arguments.size()), pointers.data());
}

std::string value_of(const ParsedOptions& parsed, std::string_view name) {
  for (const auto& [key, value] : parsed.options->realm.flags) {
    if (key == name) return value;
  }
  return "(absent)";
}

TEST(Options, AScriptTakesTheRestOfTheLine) {
  const ParsedOptions parsed = parse({"app.js", "--version", "-x"});
  ASSERT_TRUE(parsed.options);
  EXPECT_EQ(parsed.options->mode, "run_main");
  EXPECT_EQ(parsed.options->realm.args, (std::vector<std::string>{"app.js", "--version", "-x"}));
  EXPECT_TRUE(parsed.options->realm.exec_args.empty());
}

TEST(Options, OptionsBeforeTheScriptAreExecArgv) {
  const ParsedOptions parsed = parse({"--no-warnings", "-r", "./x.js", "--", "app.js"});
  ASSERT_TRUE(parsed.options);
  EXPECT_EQ(parsed.options->realm.exec_args,
            (std::vector<std::string>{"--no-warnings", "-r", "./x.js"}));
  EXPECT_EQ(value_of(parsed, "require"), "./x.js");
  EXPECT_FALSE(parsed.options->realm.watchdog.warns);
}

TEST(Options, CodeOnTheCommandLine) {
  EXPECT_EQ(parse({"-e", "1"}).options->mode, "eval_string");
  EXPECT_EQ(parse({"--eval=1"}).options->realm.source, "1");
  EXPECT_EQ(parse({"-p", "2+2", "x"}).options->realm.source, "2+2");
  EXPECT_EQ(parse({"-p", "2+2", "x"}).options->realm.args, std::vector<std::string>{"x"});
  EXPECT_EQ(parse({"--print", "--eval=3", "x"}).options->realm.source, "3");
  EXPECT_EQ(parse({"-p", "4", "-e", "5"}).options->realm.source, "5");
  EXPECT_EQ(parse({"-p", "\\-6"}).options->realm.source, "-6");
  EXPECT_EQ(parse({"-p", "--no-warnings"}).options->mode, "eval_stdin");
  EXPECT_FALSE(parse({"-pe", "-1"}).options);
  EXPECT_EQ(parse({"-"}).options->mode, "eval_stdin");
  EXPECT_EQ(parse({"-", "x"}).options->realm.args, (std::vector<std::string>{"-", "x"}));
  EXPECT_EQ(parse({"-c", "app.js"}).options->mode, "check_syntax");
}

TEST(Options, UnknownOnesEndWithNineAndASuggestion) {
  const ParsedOptions parsed = parse({"--clok=virtual", "app.js"});
  EXPECT_FALSE(parsed.options);
  EXPECT_EQ(parsed.exit_code, 9);
  EXPECT_NE(parsed.text.find("did you mean --clock?"), std::string::npos) << parsed.text;
  EXPECT_NE(parse({"--zzzzzzzz"}).text.find("--help"), std::string::npos);
}

TEST(Options, OnlyCloseOnesAreSuggested) {
  for (const char* const far : {"--bad", "--x", "-q", "--foo", "--list", "--trade"}) {
    const std::string text = parse({far}).text;
    EXPECT_EQ(text.find("did you mean"), std::string::npos) << text;
  }
  EXPECT_NE(parse({"--trce-file=x"}).text.find("did you mean --trace-file?"), std::string::npos);
  EXPECT_NE(parse({"--evl"}).text.find("did you mean --eval?"), std::string::npos);
  EXPECT_NE(parse({"--sede=7"}).text.find("did you mean --seed?"), std::string::npos);
}

TEST(Options, OnlyCloseCommandsAreSuggested) {
  EXPECT_EQ(nearest_command("tarce"), "trace");
  EXPECT_EQ(nearest_command("explroe"), "explore");
  EXPECT_EQ(nearest_command("tset"), "test");
  for (const char* const far : {"app", "server", "index", "app.js", "./trace", "a", ""}) {
    EXPECT_EQ(nearest_command(far), "") << far;
  }
}

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name); before != nullptr) before_ = before;
    ::setenv(name, value, 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(Options, AVariableThatCannotBeUsedIsNamedWithItsValues) {
  const struct {
    const char* name;
    const char* value;
    const char* message;
  } wrong[] = {
      {"RONDO_BACKEND", "x", "rondo: RONDO_BACKEND must be epoll or uring, not 'x'\n"},
      {"RONDO_THREADPOOL_SIZE", "many",
       "rondo: RONDO_THREADPOOL_SIZE must be a number of threads from 1 to 1024, not 'many'\n"},
      {"RONDO_THREADPOOL_SIZE", "4 ",
       "rondo: RONDO_THREADPOOL_SIZE must be a number of threads from 1 to 1024, not '4 '\n"},
      {"RONDO_THREADPOOL_SIZE", "0",
       "rondo: RONDO_THREADPOOL_SIZE must be a number of threads from 1 to 1024, not '0'\n"},
      {"RONDO_SPIN", "-1",
       "rondo: RONDO_SPIN must be a number of microseconds from 0 to 10000, not '-1'\n"},
  };
  for (const auto& [name, value, message] : wrong) {
    const Variable variable(name, value);
    const ParsedOptions parsed = parse({"app.js"});
    EXPECT_FALSE(parsed.options);
    EXPECT_EQ(parsed.exit_code, 9);
    EXPECT_EQ(parsed.text, message);
    EXPECT_EQ(parse({"--version"}).exit_code, 0);
  }
  for (const char* const name : {"RONDO_BACKEND", "RONDO_THREADPOOL_SIZE", "RONDO_SPIN"}) {
    const Variable variable(name, "");
    EXPECT_TRUE(parse({"app.js"}).options) << name;
  }
  const Variable of_node("UV_THREADPOOL_SIZE", "many");
  EXPECT_TRUE(parse({"app.js"}).options);
}

TEST(Options, ValuesThatMakeNoSenseAreNamed) {
  for (const char* wrong :
       {"--clock=virtual:tomorrow", "--clock=x", "--seed=", "--seed=-1",
        "--seed=99999999999999999999", "--blocked=0", "--blocked=x", "--ticks=sometimes",
        "--backend=kqueue", "--input-type=x", "--check=1"}) {
    const ParsedOptions parsed = parse({wrong, "app.js"});
    EXPECT_FALSE(parsed.options) << wrong;
    EXPECT_EQ(parsed.exit_code, 9) << wrong;
  }
  EXPECT_EQ(parse({"-r"}).exit_code, 9);
  EXPECT_EQ(parse({"--eval"}).exit_code, 9);
  EXPECT_EQ(parse({"-c", "-e", "1"}).exit_code, 9);
}

TEST(Options, TheLoopsOptionsReachTheLoop) {
  const ParsedOptions parsed = parse({"--clock=virtual:2026-01-31T12:00:00.250Z", "--seed=7",
                                      "--backend=epoll", "--ticks=per-phase", "--blocked=50", "x"});
  ASSERT_TRUE(parsed.options);
  EXPECT_TRUE(parsed.options->is_virtual_time);
  EXPECT_EQ(parsed.options->virtual_start, Nanos(1'769'860'800'250'000'000));
  EXPECT_EQ(parsed.options->seed, 7u);
  EXPECT_EQ(parsed.options->backend, Backend::epoll);
  EXPECT_TRUE(parsed.options->realm.ticks_per_phase);
  EXPECT_EQ(parsed.options->realm.watchdog.limit.count(), 50);
}

// Sets NODE_OPTIONS for the duration of a test.
class Environment {
 public:
  explicit Environment(const char* options) { ::setenv("NODE_OPTIONS", options, 1); }
  ~Environment() { ::unsetenv("NODE_OPTIONS"); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
};

TEST(Options, TracesAreNoneOfTheProgramsBusiness) {
  const ParsedOptions parsed =
      parse({"--trace-file", "/a/b.rtrace", "--no-warnings", "--trace-buffer=3",
             "--trace-on=blocked:20,uncaught", "--trace-on=SIGUSR2", "app.js"});
  ASSERT_TRUE(parsed.options);
  EXPECT_EQ(parsed.options->realm.exec_args, std::vector<std::string>{"--no-warnings"});
  ASSERT_TRUE(parsed.options->trace);
  const runtime::TraceSettings& trace = *parsed.options->trace;
  EXPECT_EQ(trace.path, "/a/b.rtrace");
  EXPECT_EQ(trace.bytes, size_t{3} << 20);
  EXPECT_EQ(trace.flight.blocked, Millis(20));
  EXPECT_TRUE(trace.flight.on_uncaught && trace.flight.on_signal);
  EXPECT_EQ(trace.flight.folder, "/a");
  EXPECT_EQ(parse({"--trace-file=x\"\\y", "-e", "\n"}).options->trace->command,
            R"(["rondo","--trace-file=x\"\\y","-e","\u000a"])");
  EXPECT_FALSE(parse({"--trace-buffer=3", "app.js"}).options->trace);
  EXPECT_EQ(parse({"--trace-on=uncaught", "app.js"}).options->trace->path, "");
  for (const char* const bad : {"--trace-buffer=0", "--trace-buffer=1e3", "--trace-on=SIGUSR1",
                                "--trace-on=blocked:", "--trace-on=uncaught,"}) {
    EXPECT_EQ(parse({bad, "app.js"}).exit_code, 9) << bad;
  }
}

TEST(Options, MetricsAreServedByThisProcessOnly) {
  const ParsedOptions parsed = parse({"--metrics", "0.0.0.0:9464", "--metrics=[::1]:1", "app.js"});
  ASSERT_TRUE(parsed.options);
  ASSERT_TRUE(parsed.options->metrics);
  EXPECT_EQ(runtime::to_text(*parsed.options->metrics), "[::1]:1");
  EXPECT_TRUE(parsed.options->realm.exec_args.empty());
  EXPECT_FALSE(parse({"app.js"}).options->metrics);
  for (const char* const bad : {"--metrics=x", "--metrics=65536", "--metrics=a:b"}) {
    EXPECT_EQ(parse({bad, "app.js"}).exit_code, 9) << bad;
  }
}

TEST(Options, SpansAreSentByChildrenToo) {
  const ParsedOptions parsed = parse({"--trace-otlp=http://a:1", "app.js"});
  ASSERT_TRUE(parsed.options);
  ASSERT_TRUE(parsed.options->otlp);
  EXPECT_EQ(parsed.options->otlp->collector.path, "/v1/traces");
  EXPECT_EQ(parsed.options->otlp->service, "unknown_service:rondo");
  EXPECT_EQ(parsed.options->realm.exec_args, std::vector<std::string>{"--trace-otlp=http://a:1"});
  EXPECT_EQ(parse({"--trace-otlp=https://a:1", "app.js"}).exit_code, 9);
}

TEST(Options, TheEnvironmentsComeFirstAndAreNoExecArgv) {
  const Environment environment("--no-warnings  --title=a -r \"./with blank\\\".js\"");
  const ParsedOptions parsed = parse({"--title=b", "app.js"});
  ASSERT_TRUE(parsed.options);
  EXPECT_EQ(parsed.options->realm.exec_args, std::vector<std::string>{"--title=b"});
  EXPECT_EQ(value_of(parsed, "require"), "./with blank\".js");
  EXPECT_EQ(parsed.options->realm.flags.back().second, "b");
  EXPECT_FALSE(parsed.options->realm.watchdog.warns);
}

TEST(Options, TheEnvironmentCannotSelectTheProgram) {
  for (const char* options : {"-e 1", "--print=1", "app.js", "--", "--no-warnings --version"}) {
    const Environment environment(options);
    const ParsedOptions parsed = parse({"app.js"});
    ASSERT_FALSE(parsed.options) << options;
    EXPECT_EQ(parsed.exit_code, 9);
    EXPECT_NE(parsed.text.find("is not allowed in NODE_OPTIONS"), std::string::npos) << parsed.text;
  }
  for (const char* options : {"\"--title=x", "--title=\"x\\"}) {
    const Environment environment(options);
    const ParsedOptions parsed = parse({"app.js"});
    ASSERT_FALSE(parsed.options) << options;
    EXPECT_NE(parsed.text.find("unterminated string"), std::string::npos) << parsed.text;
  }
}

TEST(Options, TheLastOfAnOptionAndItsNegationCounts) {
  EXPECT_EQ(value_of(parse({"--no-warnings", "--warnings", "x"}), "no-warnings"), "(absent)");
  EXPECT_EQ(value_of(parse({"--warnings", "--no-warnings", "x"}), "no-warnings"), "");
  EXPECT_EQ(value_of(parse({"--trace-warnings", "--no-trace-warnings", "x"}), "trace-warnings"),
            "(absent)");
  const ParsedOptions parsed = parse({"--no-title", "x"});
  ASSERT_FALSE(parsed.options);
  EXPECT_EQ(parsed.text,
            "rondo: --no-title is an invalid negation because it is not a boolean option\n");
}

TEST(Options, SomeVariablesAreOptions) {
  ::setenv("NODE_PENDING_DEPRECATION", "1", 1);
  EXPECT_EQ(value_of(parse({"x"}), "pending-deprecation"), "");
  EXPECT_EQ(value_of(parse({"--no-pending-deprecation", "x"}), "pending-deprecation"), "(absent)");
  ::setenv("NODE_PENDING_DEPRECATION", "0", 1);
  EXPECT_EQ(value_of(parse({"x"}), "pending-deprecation"), "(absent)");
  ::unsetenv("NODE_PENDING_DEPRECATION");
}

TEST(Options, V8sOwnPassThrough) {
  const ParsedOptions parsed = parse({"--expose-gc", "--max-old-space-size=100", "x"});
  ASSERT_TRUE(parsed.options);
  EXPECT_EQ(parsed.options->v8_flags,
            (std::vector<std::string>{"--expose-gc", "--max-old-space-size=100"}));
}

TEST(Options, HelpAndVersionGoToStdout) {
  EXPECT_EQ(parse({"--help"}).exit_code, 0);
  EXPECT_NE(parse({"-h"}).text.find("usage: rondo"), std::string::npos);
  EXPECT_EQ(parse({"-v"}).text, "rondo " RONDO_VERSION " (Node " RONDO_NODE_VERSION " API, V8 " +
                                    std::string(v8::V8::GetVersion()) + ")\n");
}

TEST(NodeOptions, OfAWorkerSetNothingOfTheProcess) {
  const runtime::ExecArgs parsed = parse_node_options("--no-warnings --stack-trace-limit=5");
  EXPECT_TRUE(parsed.refused.empty());
  ASSERT_EQ(parsed.flags.size(), 2U);
  EXPECT_EQ(parsed.flags[0].first, "no-warnings");
  EXPECT_EQ(parsed.flags[1].second, "5");
  EXPECT_EQ(parse_node_options("--title=x").refused,
            std::vector<std::string>{"--title= is not allowed in NODE_OPTIONS"});
  EXPECT_EQ(parse_node_options("--require").refused,
            std::vector<std::string>{"--require requires an argument"});
  EXPECT_EQ(parse_node_options("\"x").refused.size(), 1U);
}

TEST(ExecArgs, AWorkerHasItsOwnFlagsAndNoneOfTheProcess) {
  const runtime::ExecArgs parsed =
      parse_exec_args({"--no-warnings", "--title=x", "plain", "--conditions", "c",
                       "--backend=epoll", "--max-old-space-size=10", "--no-such"});
  EXPECT_EQ(parsed.refused, (std::vector<std::string>{"--title=x", "--backend=epoll",
                                                      "--max-old-space-size=10", "--no-such"}));
  ASSERT_EQ(parsed.flags.size(), 4u);
  EXPECT_EQ(parsed.flags[0].first, "no-warnings");
  EXPECT_EQ(parsed.flags[2].first, "conditions");
}

}  // namespace

}  // namespace rondo::cli

// internalBinding('explore'): the server of `rondo explore`, and notes of the runs that it makes.
#include <cstddef>

#include "base/assert.h"
#include "explore/fork_server.h"
#include "loop/loop.h"
#include "runtime/control/explored_program.h"
#include "runtime/engine/commons.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;

ExploredRun* run_of(Realm& realm) {
  return realm.commons() != nullptr ? realm.commons()->explored_run : nullptr;
}

// serve(descriptor, folder): answers queries from there. Returns in each process forked for a run,
// with its own temporary folder as the current one.
void serve(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32());
  RONDO_EXPECT(info, info[1]->IsString());
  Realm& realm = Realm::of(info.GetIsolate());
  ExploredRun* const run = run_of(realm);
  RONDO_EXPECT(info, run != nullptr);
  ForkServer server(*run, info[0].As<v8::Int32>()->Value(),
                    runtime::to_std(info.GetIsolate(), info[1]));
  ExploredRun::Request request = server.serve();
  if (Result<void> reopened = realm.loop().reopen_after_fork(); !reopened) {
    fatal(reopened.error().message().c_str());
  }
  run->begin(std::move(request), realm.loop(), std::make_unique<runtime::ExploredProgram>(realm));
}

// noteOutside(bit): the program does what no schedule decides; see Outside in src/explore/run.h.
void note_outside(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsUint32());
  if (ExploredRun* const run = run_of(Realm::of(info.GetIsolate())); run != nullptr) {
    run->note_outside(static_cast<Outside>(info[0].As<v8::Uint32>()->Value()));
  }
}

constexpr runtime::Method kMethods[] = {{"serve", serve}, {"noteOutside", note_outside}};

using runtime::Constant;
using Entry = RunRecord::Entry;

// The offsets of the fields of an answer.
constexpr Constant kAnswer[] = {
    {"kHow", offsetof(RunAnswer, how)},
    {"kCode", offsetof(RunAnswer, code)},
    {"kDecisions", offsetof(RunAnswer, decisions)},
    {"kDivergedAt", offsetof(RunAnswer, diverged_at)},
    {"kOutside", offsetof(RunAnswer, outside)},
    {"kTextSize", offsetof(RunAnswer, text_size)},
    {"kStdoutKept", offsetof(RunAnswer, kept[0])},
    {"kStderrKept", offsetof(RunAnswer, kept[1])},
    {"kStdoutTotal", offsetof(RunAnswer, total[0])},
    {"kStderrTotal", offsetof(RunAnswer, total[1])},
    {"kStdoutHash", offsetof(RunAnswer, hash[0])},
    {"kTookMs", offsetof(RunAnswer, took_ms)},
    {"kPorts", offsetof(RunAnswer, ports)},
    {"kSize", sizeof(RunAnswer)},
};

constexpr Constant kEntry[] = {
    {"kState", offsetof(Entry, state)},
    {"kOptions", offsetof(Entry, options)},
    {"kPicked", offsetof(Entry, picked)},
    {"kPoint", offsetof(Entry, point)},
    {"kSize", sizeof(Entry)},
    {"kMost", RunRecord::kMostDecisions},
};

// The order is that of RunEnd.
constexpr const char* kEnds[] = {"exit", "signal", "timeout"};

constexpr Constant kOutsides[] = {
    {"worker threads", Outside::worker},
    {"child processes", Outside::child_process},
    {"the network", Outside::network},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, "answer", kAnswer);
  runtime::set_constants(isolate, target, "entry", kEntry);
  runtime::set_constants(isolate, target, "outsides", kOutsides);
  runtime::set_texts(isolate, target, "ends", kEnds);
  runtime::set(isolate, target, "letters", kChoiceLetters);
  runtime::set(isolate, target, "nowhere", static_cast<double>(UINT32_MAX));
}

}  // namespace

extern const runtime::Binding explore;
const runtime::Binding explore{"explore", kMethods, add_constants};

}  // namespace rondo::bindings

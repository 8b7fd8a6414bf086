// internalBinding('child_process'): starts programs, and waits for them with or without the loop.
#include <linux/close_range.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/process/process.h"
#include "io/process/run_to_end.h"
#include "loop/loop.h"
#include "runtime/control/explored_program.h"
#include "runtime/engine/js_entry.h"
#include "runtime/message/unclaimed_fds.h"
#include "runtime/values/binding.h"
#include "runtime/values/handle_wrap.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Wrap;

// Values in the array `stdio`; 0 and more is a descriptor of ours.
constexpr int kIgnore = -1;
constexpr int kPipe = -2;

// file, args, env, cwd, detached, uid, gid, endsWithParent, stdio: in this order, from a given
// index.
constexpr int kOptionCount = 9;

// Descriptors that this program inherited are not for its children: mostly a shell's own, which are
// low. Done before the first child, as few programs have children.
struct Inherited {
  explicit Inherited(Realm&) { ::close_range(STDERR_FILENO + 1, 15, CLOSE_RANGE_CLOEXEC); }
};

std::vector<std::string> read_strings(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> list = value.As<v8::Array>();
  std::vector<std::string> strings;
  strings.reserve(list->Length());
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!list->Get(context, i).ToLocal(&item)) break;
    strings.push_back(runtime::to_std(isolate, item));
  }
  return strings;
}

const int32_t* ints_of(v8::Local<v8::Value> value, size_t* size) {
  const v8::Local<v8::Int32Array> array = value.As<v8::Int32Array>();
  *size = array->Length();
  auto* const memory = static_cast<uint8_t*>(array->Buffer()->GetBackingStore()->Data());
  return reinterpret_cast<const int32_t*>(memory + array->ByteOffset());
}

// Checks what read_options() relies on.
bool has_options(const Arguments& info, int first) {
  return info.Length() == first + kOptionCount && info[first]->IsString() &&
         info[first + 1]->IsArray() && info[first + kOptionCount - 1]->IsInt32Array();
}

// An empty path is not a directory; for ProcessOptions it would mean the current one.
bool has_empty_cwd(const Arguments& info, int first) {
  return info[first + 3]->IsString() && info[first + 3].As<v8::String>()->Length() == 0;
}

ProcessOptions read_options(const Arguments& info, int first) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm::of(isolate).state<Inherited>();
  ProcessOptions options;
  options.file = runtime::to_std(isolate, info[first]);
  options.args = read_strings(isolate, info[first + 1]);
  if (info[first + 2]->IsArray()) options.env = read_strings(isolate, info[first + 2]);
  if (info[first + 3]->IsString()) options.cwd = runtime::to_std(isolate, info[first + 3]);
  options.detached = info[first + 4]->IsTrue();
  if (info[first + 5]->IsInt32()) {
    options.uid = static_cast<uid_t>(info[first + 5].As<v8::Int32>()->Value());
  }
  if (info[first + 6]->IsInt32()) {
    options.gid = static_cast<gid_t>(info[first + 6].As<v8::Int32>()->Value());
  }
  size_t count = 0;
  options.ends_with_parent = info[first + 7]->IsTrue();
  const int32_t* const stdio = ints_of(info[first + 8], &count);
  for (size_t i = 0; i < count; ++i) {
    if (stdio[i] == kIgnore) {
      options.stdio.push_back(Stdio::ignore());
    } else if (stdio[i] == kPipe) {
      // Sockets, as in Node: a child may read and write all of them.
      options.stdio.push_back(Stdio::pipe(Stdio::Direction::duplex));
    } else {
      options.stdio.push_back(Stdio::inherit(stdio[i]));
    }
  }
  return options;
}

// Closing it leaves the child running; its end is not reported.
class ChildWrap final : public runtime::HandleWrap<Process> {
 public:
  explicit ChildWrap(Realm& realm)
      : HandleWrap(realm, kind_of<ChildWrap>(), realm.loop().make<Process>()) {}

  Result<void> spawn(const ProcessOptions& options, v8::Local<v8::Function> on_exit) {
    on_exit_.Reset(isolate(), on_exit);
    return handle().spawn(options,
                          [this](Process&, Result<ProcessExit> exit) { ended(std::move(exit)); });
  }

 private:
  void ended(Result<ProcessExit> exit) {
    const v8::HandleScope handles(isolate());
    // The exit is unknown if other code has waited for the child.
    const ProcessExit how = exit ? *exit : ProcessExit{};
    const v8::Local<v8::Function> on_exit = on_exit_.Get(isolate());
    on_exit_.Reset();
    JsEntry::call(
        realm(), on_exit,
        {v8::Integer::New(isolate(), how.status), v8::Integer::New(isolate(), how.signal)});
  }

  v8::Global<v8::Function> on_exit_;
};

// spawn(onExit, file, args, env, cwd, detached, uid, gid, endsWithParent, stdio): a child, or a
// negative errno. The child object owns the ends of pipes until they are taken: a worker may be
// stopped between any two calls.
void spawn(const Arguments& info) {
  runtime::note_outside(runtime::Realm::of(info.GetIsolate()), Outside::child_process);
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, has_options(info, 1));
  RONDO_EXPECT(info, info[0]->IsFunction());
  const ProcessOptions options = read_options(info, 1);
  auto* const child = new ChildWrap(Realm::of(isolate));
  if (Result<void> spawned = child->spawn(options, info[0].As<v8::Function>()); !spawned) {
    child->destroy();
    info.GetReturnValue().Set(-spawned.error().code);
    return;
  }
  info.GetReturnValue().Set(child->object());
}

Process* process_of(const Arguments& info) {
  ChildWrap* const child = Wrap::of<ChildWrap>(info[0]);
  return child != nullptr ? &child->handle() : nullptr;
}

// takeEnd(child, descriptor): our end of a pipe, to open a stream or a channel with; or -1.
void take_end(const Arguments& info) {
  Process* const process = process_of(info);
  RONDO_EXPECT(info, info[1]->IsUint32());
  const uint32_t descriptor = info[1].As<v8::Uint32>()->Value();
  auto& unclaimed = Realm::of(info.GetIsolate()).state<runtime::UnclaimedFds>();
  info.GetReturnValue().Set(process == nullptr ? -1
                                               : unclaimed.give(process->take_stdio(descriptor)));
}

// dropEnd(descriptor): closes a result of takeEnd() or deadEnd(), if no stream has taken it over.
void drop_end(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32());
  auto& unclaimed = Realm::of(info.GetIsolate()).state<runtime::UnclaimedFds>();
  unclaimed.drop(info[0].As<v8::Int32>()->Value());
}

// deadEnd(): a descriptor like those of spawn() whose child has ended, or a negative errno.
void dead_end(const Arguments& info) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    info.GetReturnValue().Set(-errno);
    return;
  }
  ::close(ends[1]);
  info.GetReturnValue().Set(
      Realm::of(info.GetIsolate()).state<runtime::UnclaimedFds>().give(Fd(ends[0])));
}

void close_descriptor(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32());
  ::close(info[0].As<v8::Int32>()->Value());
}

void pid(const Arguments& info) {
  if (Process* const process = process_of(info)) info.GetReturnValue().Set(process->pid());
}

// kill(child, signal): 0 or a negative errno.
void kill(const Arguments& info) {
  Process* const process = process_of(info);
  RONDO_EXPECT(info, info[1]->IsInt32());
  if (process == nullptr) {
    info.GetReturnValue().Set(-ESRCH);
    return;
  }
  const Result<void> sent = process->kill(info[1].As<v8::Int32>()->Value());
  info.GetReturnValue().Set(sent ? 0 : -sent.error().code);
}

v8::Local<v8::Value> bytes_to_js(v8::Isolate* isolate, ByteBuffer& bytes) {
  const size_t size = bytes.size();
  return runtime::own_memory(isolate, bytes.release(), size);
}

// spawnSync(input, timeout, maxBuffer, killSignal, file, ...as spawn):
// [pid, status, signal, error, [null or ArrayBuffer...] or null]. Status or signal is null.
void spawn_sync(const Arguments& info) {
  runtime::note_outside(runtime::Realm::of(info.GetIsolate()), Outside::child_process);
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  RONDO_EXPECT(info, has_options(info, 4));
  RunOptions options;
  options.process = read_options(info, 4);
  runtime::Bytes input;
  if (runtime::bytes_of(info[0], &input)) options.input = {input.data, input.size};
  // More than three hundred years would overflow.
  const double timeout_ms = std::min(info[1]->NumberValue(context).FromMaybe(0.0), 9e12);
  options.timeout = Nanos{static_cast<int64_t>(timeout_ms * 1e6)};
  const double most = info[2]->NumberValue(context).FromMaybe(0.0);
  constexpr auto kMost = static_cast<double>(std::numeric_limits<int64_t>::max());
  options.most_output = most > 0 && most < kMost ? static_cast<size_t>(most) : 0;
  options.kill_signal = info[3]->Int32Value(context).FromMaybe(0);

  RunResult result;
  if (has_empty_cwd(info, 4)) {
    result.error = ENOENT;
  } else {
    result = run_to_end(options);
  }
  v8::Local<v8::Value> status = v8::Null(isolate);
  v8::Local<v8::Value> signal = v8::Null(isolate);
  v8::Local<v8::Value> output = v8::Null(isolate);
  if (result.exit && result.exit->signal != 0) {
    signal = v8::Integer::New(isolate, result.exit->signal);
  } else if (result.pid != 0) {
    status = v8::Integer::New(isolate, result.exit ? result.exit->status : 0);
  }
  if (result.pid != 0) {
    std::vector<v8::Local<v8::Value>> outputs;
    for (size_t i = 0; i < options.process.stdio.size(); ++i) {
      const bool is_output = i > 0 && options.process.stdio[i].kind == Stdio::Kind::pipe;
      v8::Local<v8::Value> bytes = v8::Null(isolate);
      if (is_output) bytes = bytes_to_js(isolate, result.outputs[i]);
      outputs.push_back(bytes);
    }
    output = v8::Array::New(isolate, outputs.data(), outputs.size());
  }
  std::array<v8::Local<v8::Value>, 5> fields = {v8::Integer::New(isolate, result.pid), status,
                                                signal, v8::Integer::New(isolate, -result.error),
                                                output};
  info.GetReturnValue().Set(v8::Array::New(isolate, fields.data(), fields.size()));
}

constexpr runtime::Method kMethods[] = {
    {"spawn", spawn},
    {"takeEnd", take_end},
    {"dropEnd", drop_end},
    {"deadEnd", dead_end},
    {"closeDescriptor", close_descriptor},
    {"pid", pid},
    {"kill", kill},
    {"spawnSync", spawn_sync},
};

}  // namespace

extern const runtime::Binding child_process;
const runtime::Binding child_process{"child_process", kMethods};

}  // namespace rondo::bindings

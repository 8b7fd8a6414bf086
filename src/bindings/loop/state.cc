// internalBinding('loop'): state of the loop and the handles that keep it alive, for process.loop
// and for `rondo why` and `rondo top`.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file_name.h"
#include "io/fs/watch.h"
#include "io/net/pipe.h"
#include "io/net/tcp.h"
#include "io/poll.h"
#include "io/process/process.h"
#include "io/process/signal.h"
#include "io/tty/tty.h"
#include "io/udp/udp.h"
#include "loop/internals.h"
#include "runtime/control/places.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Place;
using runtime::Realm;

double to_ms(Nanos duration) { return static_cast<double>(duration.count()) / 1e6; }

// The words of a child's command line, with blanks between them.
std::string command_of(pid_t pid) {
  std::FILE* const file = std::fopen(("/proc/" + std::to_string(pid) + "/cmdline").c_str(), "re");
  if (file == nullptr) return {};
  char text[256];
  const size_t size = std::fread(text, 1, sizeof text, file);
  std::fclose(file);
  std::string command(text, size);
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::replace(command.begin(), command.end(), '\0', ' ');
  return command;
}

// An object that describes one handle or request.
class Description {
 public:
  explicit Description(v8::Isolate* isolate)
      : isolate_(isolate),
        object_(v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0)) {}

  void add(std::string_view name, std::string_view text) {
    v8::Local<v8::String> value;
    if (runtime::to_js(isolate_, text).ToLocal(&value)) {
      runtime::set(isolate_, object_, name, value.As<v8::Value>());
    }
  }
  void add(std::string_view name, double number) { runtime::set(isolate_, object_, name, number); }
  void add(std::string_view name, bool is_so) {
    runtime::set(isolate_, object_, name, v8::Boolean::New(isolate_, is_so).As<v8::Value>());
  }
  void add(std::string_view name, const Result<SocketAddress>& address) {
    if (address && address->size() != 0) add(name, std::string_view(address->to_string()));
  }
  void add(const Place& place) {
    add("function", std::string_view(place.function));
    add("file", std::string_view(place.file));
    add("line", static_cast<double>(place.line));
    add("column", static_cast<double>(place.column));
  }
  v8::Local<v8::Object> object() const { return object_; }

 private:
  v8::Isolate* isolate_;
  v8::Local<v8::Object> object_;
};

// `type` is the label, one of the values of `handleKinds`.
void describe(Description* description, Handle& handle) {
  description->add("type", std::string_view(handle.label()));
  switch (handle.kind()) {
    case HandleKind::tcp_server:
    case HandleKind::pipe_server:
      description->add("local", static_cast<Listener&>(handle).address());
      break;
    case HandleKind::tcp_socket:
    case HandleKind::pipe: {
      const auto& socket = static_cast<Socket&>(handle);
      description->add("local", socket.local_address());
      description->add("remote", socket.peer_address());
      description->add("isConnecting", socket.is_connecting());
      description->add("fd", static_cast<double>(socket.fd()));
      if (socket.fd() == STDIN_FILENO) {
        description->add("path", std::string_view(name_of_descriptor(STDIN_FILENO)));
      }
      break;
    }
    case HandleKind::udp: {
      const auto& socket = static_cast<Udp&>(handle);
      description->add("local", socket.local_address());
      description->add("remote", socket.peer_address());
      description->add("fd", static_cast<double>(socket.fd()));
      break;
    }
    case HandleKind::tty: {
      const int fd = static_cast<Tty&>(handle).fd();
      description->add("fd", static_cast<double>(fd));
      description->add("path", std::string_view(name_of_descriptor(fd)));
      break;
    }
    case HandleKind::process: {
      const pid_t pid = static_cast<Process&>(handle).pid();
      description->add("pid", static_cast<double>(pid));
      description->add("command", std::string_view(command_of(pid)));
      break;
    }
    case HandleKind::fs_watch:
      description->add("path", std::string_view(static_cast<FsWatch&>(handle).path()));
      break;
    default: break;
  }
}

void describe_creation_site(Description* description, Realm& realm, uint32_t site) {
  if ((site & Handle::kInherited) != 0) description->add("isInherited", true);
  if (const Place* const place = realm.creation_sites().find(site)) description->add(*place);
}

// aliveHandles(): the handles that keep the loop alive, an object each; see describe().
void alive_handles(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  std::vector<v8::Local<v8::Value>> list;
  realm.loop().for_each_handle([&](Handle& handle) {
    if (!handle.is_active() || !handle.has_ref()) return;
    Description description(isolate);
    describe(&description, handle);
    describe_creation_site(&description, realm, handle.creation_site());
    list.push_back(description.object());
  });
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

double address_of(const void* object) {
  return static_cast<double>(reinterpret_cast<uintptr_t>(object));
}

// allHandles(): every handle of the loop, with isActive, isReferenced and its address, and last the
// loop itself.
void all_handles(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Loop& loop = Realm::of(isolate).loop();
  std::vector<v8::Local<v8::Value>> list;
  loop.for_each_handle([&](Handle& handle) {
    Description description(isolate);
    describe(&description, handle);
    description.add("isActive", handle.is_active());
    description.add("isReferenced", handle.has_ref());
    description.add("address", address_of(&handle));
    list.push_back(description.object());
  });
  Description description(isolate);
  description.add("type", std::string_view("loop"));
  description.add("isActive", loop.is_alive());
  description.add("address", address_of(&loop));
  list.push_back(description.object());
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

// aliveRequests(): the same for operations in flight.
void alive_requests(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  std::vector<v8::Local<v8::Value>> list;
  realm.loop().for_each_request([&](Request& request) {
    Description description(isolate);
    description.add("type", std::string_view(request.label()));
    description.add("id", static_cast<double>(request.id()));
    if (!request.subject().empty()) {
      description.add("path", request.subject());
    } else if (request.descriptor() >= 0) {
      description.add("fd", static_cast<double>(request.descriptor()));
      description.add("path", std::string_view(name_of_descriptor(request.descriptor())));
    }
    describe_creation_site(&description, realm, request.creation_site());
    list.push_back(description.object());
  });
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

// handleObjects(): [label, object...] of handles with a ref and a JavaScript object. Includes idle
// ones, such as a socket that is not read.
void handle_objects(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  std::unordered_map<const Handle*, v8::Local<v8::Object>> objects;
  for (const runtime::Wrap* const wrap : runtime::Wrap::all(realm)) {
    const Handle* const handle = wrap->loop_handle();
    const v8::Local<v8::Object> object = wrap->object();
    // The object may have been collected already.
    if (handle != nullptr && !object.IsEmpty()) objects.emplace(handle, object);
  }
  std::vector<v8::Local<v8::Value>> list;
  realm.loop().for_each_handle([&](Handle& handle) {
    if (!handle.has_ref() || handle.state() == Handle::State::closed) return;
    const auto found = objects.find(&handle);
    if (found == objects.end()) return;
    list.push_back(runtime::literal(isolate, handle.label()));
    list.push_back(found->second);
  });
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

// placeOf(function): the place of its definition; undefined if it is our own code, or native.
void place_of(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsFunction());
  const Place place = runtime::place_of(isolate, info[0].As<v8::Function>());
  if (!place.is_known()) return;
  Description description(isolate);
  description.add(place);
  info.GetReturnValue().Set(description.object());
}

// creationSite(): a number for the current place; assumeCreationSite(number): attributes handles to
// that place until assumeCreationSite(0).
void creation_site(const Arguments& info) {
  info.GetReturnValue().Set(Realm::of(info.GetIsolate()).creation_sites().here());
}

void assume_creation_site(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsUint32());
  Realm::of(info.GetIsolate()).creation_sites().assume(info[0].As<v8::Uint32>()->Value());
}

// stack(): the frames of user code, innermost first.
void stack(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  constexpr size_t kMost = 10;
  std::vector<v8::Local<v8::Value>> list;
  for (const Place& place : runtime::stack_now(isolate, kMost)) {
    Description description(isolate);
    description.add(place);
    list.push_back(description.object());
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

// The numbers of figures().
enum Figure : uint8_t {
  kNow,
  kStarted,
  kTurns,
  kEvents,
  kCallbacks,
  kIdle,
  kHandles,
  kRequests,
  kClosing,
  kPoolSize,
  kPoolQueued,
  kPoolRunning,
  kMeasures,
  kLagCount,
  kLagMax,
  kLagSum,
  kPhases,
  kFigureCount = kPhases + kPhaseCount,
};

constexpr runtime::Constant kFigures[] = {
    {"kNow", kNow},           {"kStarted", kStarted},       {"kTurns", kTurns},
    {"kEvents", kEvents},     {"kCallbacks", kCallbacks},   {"kIdle", kIdle},
    {"kHandles", kHandles},   {"kRequests", kRequests},     {"kClosing", kClosing},
    {"kPoolSize", kPoolSize}, {"kPoolQueued", kPoolQueued}, {"kPoolRunning", kPoolRunning},
    {"kMeasures", kMeasures}, {"kLagCount", kLagCount},     {"kLagMax", kLagMax},
    {"kLagSum", kLagSum},     {"kPhases", kPhases},
};
static_assert(runtime::names_all(kFigures, kPhases + 1));

double* doubles_of(v8::Local<v8::Value> value, size_t least) {
  if (!value->IsFloat64Array()) return nullptr;
  const v8::Local<v8::Float64Array> array = value.As<v8::Float64Array>();
  if (array->Length() < least) return nullptr;
  auto* const bytes = static_cast<char*>(array->Buffer()->GetBackingStore()->Data());
  return reinterpret_cast<double*>(bytes + array->ByteOffset());
}

// figures(Float64Array): fills it; times are in milliseconds.
void figures(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  double* const out = doubles_of(info[0], kFigureCount);
  RONDO_EXPECT(info, out != nullptr);
  Loop& loop = realm.loop();
  const LoopMetrics& metrics = loop.metrics();
  const ThreadPool* const pool = loop.internals().pool_if_used();
  out[kNow] = realm.now_ms();
  out[kStarted] = metrics.started < Nanos::zero() ? -1 : realm.to_ms(metrics.started);
  out[kTurns] = static_cast<double>(metrics.turns);
  out[kEvents] = static_cast<double>(metrics.events);
  out[kCallbacks] = static_cast<double>(metrics.callbacks);
  out[kIdle] = to_ms(metrics.idle);
  out[kHandles] = static_cast<double>(loop.active_handles());
  out[kRequests] = static_cast<double>(loop.active_requests());
  out[kClosing] = static_cast<double>(loop.closing_handles());
  out[kPoolSize] = pool == nullptr ? 0 : pool->size();
  out[kPoolQueued] = pool == nullptr ? 0 : static_cast<double>(pool->queued());
  out[kPoolRunning] = pool == nullptr ? 0 : static_cast<double>(pool->running());
  out[kMeasures] = loop.measures_phases() ? 1 : 0;
  out[kLagCount] = static_cast<double>(metrics.lag.count());
  out[kLagMax] = to_ms(metrics.lag.max());
  out[kLagSum] = to_ms(metrics.lag.sum());
  for (size_t i = 0; i < kPhaseCount; ++i) out[kPhases + i] = to_ms(metrics.phase_time[i]);
}

// lag(Float64Array): number of late timers by bucket. lagEdges(Float64Array): the upper limit of
// each bucket in milliseconds.
void lag(const Arguments& info) {
  double* const out = doubles_of(info[0], Histogram::kBuckets);
  RONDO_EXPECT(info, out != nullptr);
  const Histogram& histogram = Realm::of(info.GetIsolate()).loop().metrics().lag;
  for (size_t i = 0; i < Histogram::kBuckets; ++i) {
    out[i] = static_cast<double>(histogram.bucket(i));
  }
}

void lag_edges(const Arguments& info) {
  double* const out = doubles_of(info[0], Histogram::kBuckets);
  RONDO_EXPECT(info, out != nullptr);
  for (size_t i = 0; i < Histogram::kBuckets; ++i) out[i] = to_ms(Histogram::edge(i));
}

// measure(boolean): time per phase.
void measure(const Arguments& info) {
  Realm::of(info.GetIsolate()).loop().measure_phases(info[0]->IsTrue());
}

void backend(const Arguments& info) {
  const bool is_uring = Realm::of(info.GetIsolate()).loop().backend() == Backend::uring;
  info.GetReturnValue().Set(runtime::literal(info.GetIsolate(), is_uring ? "uring" : "epoll"));
}

constexpr runtime::Method kMethods[] = {
    {"aliveHandles", alive_handles},
    {"allHandles", all_handles},
    {"aliveRequests", alive_requests},
    {"handleObjects", handle_objects},
    {"placeOf", place_of},
    {"creationSite", creation_site},
    {"assumeCreationSite", assume_creation_site},
    {"stack", stack},
    {"figures", figures},
    {"lag", lag},
    {"lagEdges", lag_edges},
    {"measure", measure},
    {"backend", backend},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  const v8::Local<v8::Object> kinds =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (const HandleKindName& row : kHandleKinds) {
    runtime::set(isolate, kinds, row.key, std::string_view(row.label));
  }
  runtime::set(isolate, target, "handleKinds", kinds.As<v8::Value>());
  runtime::set(isolate, target, "figureCount", static_cast<double>(kFigureCount));
  runtime::set_constants(isolate, target, "figureIndexes", kFigures);
  const char* phases[kPhaseCount];
  for (size_t i = 0; i < kPhaseCount; ++i) phases[i] = phase_name(static_cast<Phase>(i));
  runtime::set_texts(isolate, target, "phaseNames", phases);
  runtime::set(isolate, target, "lagBuckets", static_cast<double>(Histogram::kBuckets));
}

}  // namespace

extern const runtime::Binding loop_state;
const runtime::Binding loop_state{"loop", kMethods, add_constants};

}  // namespace rondo::bindings

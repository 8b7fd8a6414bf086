// internalBinding('util'): inspects values where JavaScript cannot, for util.inspect and others.
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

template <size_t kSize>
v8::Local<v8::Array> array_of(v8::Isolate* isolate, v8::Local<v8::Value> (&items)[kSize]) {
  return v8::Array::New(isolate, items, kSize);
}

// getPromiseDetails(promise): [state] while it is pending, then [state, result]. The states are
// V8's: 0 pending, 1 fulfilled, 2 rejected.
void promise_details(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (!info[0]->IsPromise()) return;
  const v8::Local<v8::Promise> promise = info[0].As<v8::Promise>();
  const v8::Local<v8::Value> state = v8::Integer::New(isolate, promise->State());
  if (promise->State() == v8::Promise::kPending) {
    v8::Local<v8::Value> details[] = {state};
    info.GetReturnValue().Set(array_of(isolate, details));
    return;
  }
  v8::Local<v8::Value> details[] = {state, promise->Result()};
  info.GetReturnValue().Set(array_of(isolate, details));
}

// getProxyDetails(proxy, both): [target, handler], or only the target. Null for a revoked proxy,
// undefined for other values.
void proxy_details(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (!info[0]->IsProxy()) return;
  const v8::Local<v8::Proxy> proxy = info[0].As<v8::Proxy>();
  if (info.Length() > 1 && !info[1]->IsTrue()) {
    info.GetReturnValue().Set(proxy->GetTarget());
    return;
  }
  v8::Local<v8::Value> details[] = {proxy->GetTarget(), proxy->GetHandler()};
  info.GetReturnValue().Set(array_of(isolate, details));
}

// previewEntries(collection): the entries of a map, a set, one of their iterators or a weak
// collection, as a flat list. With a second argument: [list, whether these are pairs].
void preview_entries(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (!info[0]->IsObject()) return;
  bool is_key_value = false;
  v8::Local<v8::Array> entries;
  if (!info[0].As<v8::Object>()->PreviewEntries(&is_key_value).ToLocal(&entries)) return;
  if (info.Length() == 1) {
    info.GetReturnValue().Set(entries);
    return;
  }
  v8::Local<v8::Value> details[] = {entries, v8::Boolean::New(isolate, is_key_value)};
  info.GetReturnValue().Set(array_of(isolate, details));
}

// getOwnNonIndexProperties(object, filter): own keys except indexes; the filter is V8's.
void own_non_index_properties(const Arguments& info) {
  if (!info[0]->IsObject() || !info[1]->IsUint32()) {
    runtime::throw_type_error(info.GetIsolate(), "an object and a filter are needed");
    return;
  }
  constexpr uint32_t kAllFilters = v8::ONLY_WRITABLE | v8::ONLY_ENUMERABLE | v8::ONLY_CONFIGURABLE |
                                   v8::SKIP_STRINGS | v8::SKIP_SYMBOLS;
  const auto filter =
      static_cast<v8::PropertyFilter>(info[1].As<v8::Uint32>()->Value() & kAllFilters);
  v8::Local<v8::Array> names;
  if (!info[0]
           .As<v8::Object>()
           ->GetPropertyNames(info.GetIsolate()->GetCurrentContext(),
                              v8::KeyCollectionMode::kOwnOnly, filter,
                              v8::IndexFilter::kSkipIndices)
           .ToLocal(&names)) {
    return;
  }
  info.GetReturnValue().Set(names);
}

// getConstructorName(object): the class with which the engine created it.
void constructor_name(const Arguments& info) {
  if (!info[0]->IsObject()) return;
  info.GetReturnValue().Set(info[0].As<v8::Object>()->GetConstructorName());
}

// getExternalValue(external): its address, which a double can hold.
void external_value(const Arguments& info) {
  if (!info[0]->IsExternal()) return;
  const auto address = reinterpret_cast<uintptr_t>(info[0].As<v8::External>()->Value());
  info.GetReturnValue().Set(static_cast<double>(address));
}

// Enough for any reader.
constexpr uint32_t kMostCallSites = 200;

// getCallSites(count): [{functionName, scriptId, scriptName, lineNumber, columnNumber, column}...],
// innermost first, without the caller.
void call_sites(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  uint32_t count = info[0]->IsUint32() ? info[0].As<v8::Uint32>()->Value() : kMostCallSites;
  if (count > kMostCallSites) count = kMostCallSites;
  const v8::Local<v8::StackTrace> trace =
      v8::StackTrace::CurrentStackTrace(isolate, static_cast<int>(count) + 1);
  const v8::Local<v8::Array> sites = v8::Array::New(isolate);
  for (int i = 1; i < trace->GetFrameCount(); ++i) {
    const v8::Local<v8::StackFrame> frame = trace->GetFrame(isolate, static_cast<uint32_t>(i));
    const v8::Local<v8::Object> site =
        v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
    const auto text = [isolate](v8::Local<v8::String> value) -> v8::Local<v8::Value> {
      return value.IsEmpty() ? v8::String::Empty(isolate) : value;
    };
    runtime::set(isolate, site, "functionName", text(frame->GetFunctionName()));
    runtime::set(isolate, site, "scriptId", static_cast<double>(frame->GetScriptId()));
    runtime::set(isolate, site, "scriptName", text(frame->GetScriptName()));
    runtime::set(isolate, site, "lineNumber", static_cast<double>(frame->GetLineNumber()));
    runtime::set(isolate, site, "columnNumber", static_cast<double>(frame->GetColumn()));
    runtime::set(isolate, site, "column", static_cast<double>(frame->GetColumn()));
    if (sites->Set(context, static_cast<uint32_t>(i - 1), site).IsNothing()) return;
  }
  info.GetReturnValue().Set(sites);
}

const char* socket_type(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return "UNKNOWN";
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) return "UNKNOWN";
  const bool is_inet = address.ss_family == AF_INET || address.ss_family == AF_INET6;
  if (type == SOCK_STREAM) {
    if (is_inet) return "TCP";
    return address.ss_family == AF_UNIX ? "PIPE" : "UNKNOWN";
  }
  return type == SOCK_DGRAM && is_inet ? "UDP" : "UNKNOWN";
}

// guessHandleType(fd): "TTY", "FILE", "PIPE", "TCP", "UDP", "UNKNOWN" or, if it is not open,
// "INVALID".
void handle_type(const Arguments& info) {
  const int fd = info[0]->IsInt32() ? info[0].As<v8::Int32>()->Value() : -1;
  const char* type = "UNKNOWN";
  struct stat status {};
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    type = "INVALID";
  } else if (::isatty(fd) != 0) {
    type = "TTY";
  } else if (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)) {
    type = "FILE";
  } else if (S_ISFIFO(status.st_mode)) {
    type = "PIPE";
  } else if (S_ISSOCK(status.st_mode)) {
    type = socket_type(fd);
  }
  info.GetReturnValue().Set(runtime::literal(info.GetIsolate(), type));
}

constexpr runtime::Method kMethods[] = {
    {"getPromiseDetails", promise_details},
    {"getProxyDetails", proxy_details},
    {"previewEntries", preview_entries},
    {"getOwnNonIndexProperties", own_non_index_properties},
    {"getConstructorName", constructor_name},
    {"getExternalValue", external_value},
    {"getCallSites", call_sites},
    {"guessHandleType", handle_type},
};

}  // namespace

extern const runtime::Binding util;
const runtime::Binding util{"util", kMethods};

}  // namespace rondo::bindings

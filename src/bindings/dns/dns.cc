// internalBinding('dns'): the system's resolver, on the pool. Answers are delivered in poll, as
// callbacks of lib that get 0 or libuv's error number.
#include <netdb.h>

#include <string>
#include <tuple>
#include <utility>

#include "base/list.h"
#include "io/dns/dns.h"
#include "io/net/address.h"
#include "loop/loop.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/system_error.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;

constexpr std::pair<int, const char*> kNames[] = {
    {EAI_ADDRFAMILY, "EAI_ADDRFAMILY"},
    {EAI_AGAIN, "EAI_AGAIN"},
    {EAI_BADFLAGS, "EAI_BADFLAGS"},
    {EAI_CANCELED, "EAI_CANCELED"},
    {EAI_FAIL, "EAI_FAIL"},
    {EAI_FAMILY, "EAI_FAMILY"},
    {EAI_MEMORY, "EAI_MEMORY"},
    {EAI_NODATA, "EAI_NODATA"},
    {EAI_NONAME, "EAI_NONAME"},
    {EAI_OVERFLOW, "EAI_OVERFLOW"},
    {EAI_SERVICE, "EAI_SERVICE"},
    {EAI_SOCKTYPE, "EAI_SOCKTYPE"},
};

// The number that programs see as err.errno.
int code_of(const Error& error) {
  // A NUL byte in the name: no such name exists.
  if (error.code == EINVAL) return runtime::system_error_number("EAI_NONAME");
  if (error.code > 0) return -error.code;
  for (const auto& [system, name] : kNames) {
    if (system == error.code) return runtime::system_error_number(name);
  }
  return runtime::system_error_number("EAI_FAIL");
}

class LookUpBase {
 public:
  virtual void cancel() = 0;
  ListLink link_;

 protected:
  virtual ~LookUpBase() {
    if (link_.is_linked()) link_.unlink();
  }
};

// The look-ups in flight of a realm. When it ends, those that no worker has begun are cancelled.
class LookUps {
 public:
  explicit LookUps(Realm&) {}
  ~LookUps() {
    while (LookUpBase* each = all_.pop_front()) each->cancel();
  }
  LookUps(const LookUps&) = delete;
  LookUps& operator=(const LookUps&) = delete;
  void add(LookUpBase& each) { all_.push_back(each); }

 private:
  List<LookUpBase, &LookUpBase::link_> all_;
};

// One look-up and its callback. Deletes itself after the callback.
template <class Request>
class LookUp final : public LookUpBase {
 public:
  LookUp(Realm& realm, v8::Local<v8::Function> callback)
      : realm_(realm), request_(realm.loop()), callback_(realm.isolate(), callback) {
    realm.state<LookUps>().add(*this);
  }
  LookUp(const LookUp&) = delete;
  LookUp& operator=(const LookUp&) = delete;

  void cancel() override { std::ignore = request_.cancel(); }

  Request& request() { return request_; }
  Realm& realm() { return realm_; }

  void finish(std::initializer_list<v8::Local<v8::Value>> arguments) {
    Realm& realm = realm_;
    const v8::Local<v8::Function> callback = callback_.Get(realm.isolate());
    delete this;
    JsEntry::call(realm, callback, arguments);
  }

 private:
  ~LookUp() override = default;

  Realm& realm_;
  Request request_;
  v8::Global<v8::Function> callback_;
};

v8::Local<v8::Value> text(v8::Isolate* isolate, const std::string& utf8) {
  v8::Local<v8::String> result;
  if (!runtime::to_js(isolate, utf8).ToLocal(&result)) return v8::String::Empty(isolate);
  return result;
}

v8::Local<v8::Array> to_list(v8::Isolate* isolate, const GetAddrInfo::Addresses& addresses) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> list = v8::Array::New(isolate);
  uint32_t size = 0;
  for (const SocketAddress& address : addresses) {
    if (!address.is_ip()) continue;
    const v8::Local<v8::Object> entry = v8::Object::New(isolate);
    runtime::set(isolate, entry, "address", std::string_view(address.host()));
    runtime::set(isolate, entry, "family", address.is_ip4() ? 4.0 : 6.0);
    list->Set(context, size++, entry).Check();
  }
  return list;
}

// getaddrinfo(hostname, family, hints, callback): callback(errno, [{address, family}])
void getaddrinfo(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsInt32());
  RONDO_EXPECT(info, info[2]->IsUint32());
  RONDO_EXPECT(info, info[3]->IsFunction());
  using Job = LookUp<GetAddrInfo>;
  auto* const job = new Job(Realm::of(isolate), info[3].As<v8::Function>());
  GetAddrInfo::Options options;
  const int family = info[1].As<v8::Int32>()->Value();
  if (family == 4) options.family = AF_INET;
  if (family == 6) options.family = AF_INET6;
  options.flags = static_cast<int>(info[2].As<v8::Uint32>()->Value());
  std::string host = runtime::to_std(isolate, info[0]);
  // A name that lib could not convert to ASCII; an empty one would mean this machine.
  if (host.empty()) host.push_back('\0');
  job->request().submit(host, "", options,
                        [job](GetAddrInfo&, Result<GetAddrInfo::Addresses> found) {
                          v8::Isolate* const own = job->realm().isolate();
                          const v8::HandleScope handles(own);
                          if (found) {
                            job->finish({v8::Integer::New(own, 0), to_list(own, *found)});
                          } else {
                            job->finish({v8::Integer::New(own, code_of(found.error()))});
                          }
                        });
}

// getnameinfo(address, port, callback): 0, or the error that prevented the query; callback(errno,
// hostname, service)
void getnameinfo(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsUint32());
  RONDO_EXPECT(info, info[2]->IsFunction());
  const Result<SocketAddress> address = SocketAddress::ip(
      runtime::to_std(isolate, info[0]), static_cast<uint16_t>(info[1].As<v8::Uint32>()->Value()));
  if (!address) {
    info.GetReturnValue().Set(-address.error().code);
    return;
  }
  using Job = LookUp<GetNameInfo>;
  auto* const job = new Job(Realm::of(isolate), info[2].As<v8::Function>());
  job->request().submit(*address, NI_NAMEREQD, [job](GetNameInfo&, Result<NameInfo> found) {
    v8::Isolate* const own = job->realm().isolate();
    const v8::HandleScope handles(own);
    if (found) {
      job->finish({v8::Integer::New(own, 0), text(own, found->host), text(own, found->service)});
    } else {
      job->finish({v8::Integer::New(own, code_of(found.error()))});
    }
  });
  info.GetReturnValue().Set(0);
}

constexpr runtime::Method kMethods[] = {
    {"getaddrinfo", getaddrinfo},
    {"getnameinfo", getnameinfo},
};

}  // namespace

extern const runtime::Binding dns;
const runtime::Binding dns{"dns", kMethods};

}  // namespace rondo::bindings

// internalBinding('dns_resolver'): queries to name servers. lib gets the raw answers and parses
// them, which is safer than doing so here. Errors are numbers of c-ares.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bindings/dns/resolver.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Wrap;

class ResolverWrap final : public Wrap {
 public:
  ResolverWrap(Realm& realm, const DnsResolver::Limits& limits)
      : Wrap(realm, kind_of<ResolverWrap>()), resolver_(realm.loop(), limits) {
    release();
  }

  DnsResolver& resolver() { return resolver_; }
  // While a query is pending, the resolver stays alive without references.
  void hold_until_answered() { hold(); }

  // callback(status, message or names)
  void deliver(v8::Local<v8::Function> callback, const DnsAnswer& answer) {
    v8::Local<v8::Value> result = v8::Undefined(isolate());
    if (!answer.names.empty()) {
      result = strings(isolate(), answer.names);
    } else if (answer.status == cares::kSuccess) {
      const v8::Local<v8::ArrayBuffer> buffer =
          v8::ArrayBuffer::New(isolate(), answer.message.size());
      if (!answer.message.empty()) {
        std::memcpy(buffer->Data(), answer.message.data(), answer.message.size());
      }
      result = buffer;
    }
    JsEntry::call(realm(), callback, {v8::Integer::New(isolate(), answer.status), result});
    // Not before: the callback may have queried more, or collected garbage.
    if (!resolver_.has_pending()) release();
  }

  static v8::Local<v8::Array> strings(v8::Isolate* isolate, const std::vector<std::string>& list) {
    std::vector<v8::Local<v8::Value>> values;
    for (const std::string& text : list) {
      values.push_back(runtime::to_js(isolate, text).FromMaybe(v8::String::Empty(isolate)));
    }
    return v8::Array::New(isolate, values.data(), values.size());
  }

 private:
  DnsResolver resolver_;
};

// A callback of lib, kept for an answer.
class Waiting {
 public:
  Waiting(ResolverWrap& wrap, v8::Local<v8::Function> callback)
      : wrap_(wrap),
        callback_(std::make_unique<v8::Global<v8::Function>>(wrap.isolate(), callback)) {
    wrap.hold_until_answered();
  }
  void operator()(DnsAnswer& answer) {
    v8::Isolate* const isolate = wrap_.isolate();
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::Function> callback = callback_->Get(isolate);
    callback_.reset();
    wrap_.deliver(callback, answer);
  }

 private:
  ResolverWrap& wrap_;
  std::unique_ptr<v8::Global<v8::Function>> callback_;
};

int int_of(v8::Local<v8::Value> value) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : 0;
}

// create(timeout, tries, maxTimeout): the resolver, or a number of c-ares.
void create(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  auto* const wrap = new ResolverWrap(realm, {.timeout_ms = int_of(info[0]),
                                              .tries = std::max(int_of(info[1]), 1),
                                              .max_timeout_ms = int_of(info[2])});
  if (const int status = wrap->resolver().open(); status != cares::kSuccess) {
    wrap->destroy();
    info.GetReturnValue().Set(status);
    return;
  }
  info.GetReturnValue().Set(wrap->object());
}

// query(resolver, name, type, callback)
void query(const Arguments& info) {
  auto* const wrap = Wrap::of<ResolverWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[3]->IsFunction());
  wrap->resolver().query(runtime::to_std(info.GetIsolate(), info[1]), int_of(info[2]),
                         Waiting(*wrap, info[3].As<v8::Function>()));
}

// reverse(resolver, address, callback): whether the address is valid.
void reverse(const Arguments& info) {
  auto* const wrap = Wrap::of<ResolverWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[2]->IsFunction());
  const Result<SocketAddress> address =
      SocketAddress::ip(runtime::to_std(info.GetIsolate(), info[1]), 0);
  info.GetReturnValue().Set(address.has_value());
  if (address) wrap->resolver().reverse(*address, Waiting(*wrap, info[2].As<v8::Function>()));
}

void cancel(const Arguments& info) {
  auto* const wrap = Wrap::of<ResolverWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  wrap->resolver().cancel();
}

// setServers(resolver, [address, port, ...]): a number of c-ares; -1 while a query is pending.
void set_servers(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const wrap = Wrap::of<ResolverWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsArray());
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> list = info[1].As<v8::Array>();
  std::vector<SocketAddress> servers;
  for (uint32_t i = 0; i + 1 < list->Length(); i += 2) {
    v8::Local<v8::Value> host;
    v8::Local<v8::Value> port;
    if (!list->Get(context, i).ToLocal(&host) || !list->Get(context, i + 1).ToLocal(&port)) return;
    const Result<SocketAddress> server =
        SocketAddress::ip(runtime::to_std(isolate, host), static_cast<uint16_t>(int_of(port)));
    if (!server) {
      info.GetReturnValue().Set(static_cast<int>(cares::kBadString));
      return;
    }
    if (std::find(servers.begin(), servers.end(), *server) == servers.end()) {
      servers.push_back(*server);
    }
  }
  info.GetReturnValue().Set(wrap->resolver().has_pending() ? -1
                                                           : wrap->resolver().set_servers(servers));
}

// getServers(resolver): [address, port, ...], each as text.
void get_servers(const Arguments& info) {
  auto* const wrap = Wrap::of<ResolverWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  std::vector<std::string> texts;
  for (const SocketAddress& server : wrap->resolver().servers()) {
    texts.push_back(server.host());
    texts.push_back(std::to_string(server.port()));
  }
  info.GetReturnValue().Set(ResolverWrap::strings(info.GetIsolate(), texts));
}

// setLocalAddress(resolver, ip4 or '', ip6 or '')
void set_local_address(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const wrap = Wrap::of<ResolverWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  const auto parse = [isolate](v8::Local<v8::Value> text) {
    const Result<SocketAddress> address = SocketAddress::ip(runtime::to_std(isolate, text), 0);
    return address ? *address : SocketAddress();
  };
  wrap->resolver().set_local_addresses(parse(info[1]), parse(info[2]));
}

// strerror(status)
void strerror(const Arguments& info) {
  info.GetReturnValue().Set(
      runtime::literal(info.GetIsolate(), cares::ares_strerror(int_of(info[0]))));
}

constexpr runtime::Method kMethods[] = {
    {"create", create},
    {"query", query},
    {"reverse", reverse},
    {"cancel", cancel},
    {"setServers", set_servers},
    {"getServers", get_servers},
    {"setLocalAddress", set_local_address},
    {"strerror", strerror},
};

}  // namespace

extern const runtime::Binding dns_resolver;
const runtime::Binding dns_resolver{"dns_resolver", kMethods};

}  // namespace rondo::bindings

#include "io/dns/dns.h"

#include <charconv>
#include <memory>

#include "base/sys.h"
#include "loop/internals.h"

namespace rondo {
namespace {

struct FreeAddrInfo {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

const char* text_or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

Error failed(int code, const char* syscall) {
  return code == EAI_SYSTEM ? Error::last(syscall) : Error{code, syscall};
}

bool has_nul(std::string_view text) { return text.find('\0') != text.npos; }

}  // namespace

void GetAddrInfo::submit(std::string_view host, std::string_view service, const Options& options,
                         OnDone on_done) {
  RONDO_ASSERT(!is_pending());
  host_.assign(host);
  service_.assign(service);
  options_ = options;
  on_done_ = std::move(on_done);
  canonical_name_.clear();
  if (has_nul(host) || has_nul(service)) {
    result_ = Error{EINVAL, label()};
    submit_finished();
  } else if (is_number_already()) {
    submit_finished();
  } else {
    submit_to_pool(JobKind::slow);
  }
}

// True if the host is numeric and needs no look-up. Handles only cases that do not depend on the
// system's configuration; the resolver handles everything else, including invalid arguments.
bool GetAddrInfo::is_number_already() {
  if (options_.flags != 0 || options_.socket_type == 0) return false;
  uint16_t port = 0;
  if (!service_.empty()) {
    const char* end = service_.data() + service_.size();
    const auto [parsed, error] = std::from_chars(service_.data(), end, port);
    if (error != std::errc{} || parsed != end) return false;
  }
  const Result<SocketAddress> address = SocketAddress::ip(host_, port);
  if (!address) return false;
  if (options_.family != AF_UNSPEC && options_.family != address->family()) return false;
  result_ = Addresses{*address};
  return true;
}

void GetAddrInfo::work() {
  addrinfo hints{};
  hints.ai_family = options_.family;
  hints.ai_socktype = options_.socket_type;
  hints.ai_protocol = options_.protocol;
  hints.ai_flags = options_.flags;
  addrinfo* found = nullptr;
  const long code = sys::guarded("getaddrinfo", -1, [&]() -> long {
    return ::getaddrinfo(text_or_null(host_), text_or_null(service_), &hints, &found);
  });
  const std::unique_ptr<addrinfo, FreeAddrInfo> owner(found);
  if (code != 0) {
    result_ = failed(static_cast<int>(code), "getaddrinfo");
    return;
  }
  Addresses addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    addresses.push_back(SocketAddress::from(each->ai_addr, each->ai_addrlen));
  }
  if (found != nullptr && found->ai_canonname != nullptr) canonical_name_ = found->ai_canonname;
  result_ = std::move(addresses);
}

void GetAddrInfo::worked(Result<void> outcome) {
  if (!outcome) result_ = outcome.error();
  CallbackScope scope(loop(), id(), label());
  // Moved to a local, because the callback may submit this request again, or free it.
  OnDone on_done = std::move(on_done_);
  if (on_done) on_done(*this);
}

void GetNameInfo::submit(const SocketAddress& address, int flags, OnDone on_done) {
  RONDO_ASSERT(!is_pending());
  address_ = address;
  flags_ = flags;
  on_done_ = std::move(on_done);
  submit_to_pool(JobKind::slow);
}

void GetNameInfo::work() {
  char host[NI_MAXHOST] = {};
  char service[NI_MAXSERV] = {};
  const long code = sys::guarded("getnameinfo", -1, [&]() -> long {
    return ::getnameinfo(address_.data(), address_.size(), host, sizeof host, service,
                         sizeof service, flags_);
  });
  if (code != 0) {
    result_ = failed(static_cast<int>(code), "getnameinfo");
  } else {
    result_ = NameInfo{host, service};
  }
}

void GetNameInfo::worked(Result<void> outcome) {
  if (!outcome) result_ = outcome.error();
  CallbackScope scope(loop(), id(), label());
  OnDone on_done = std::move(on_done_);
  if (on_done) on_done(*this);
}

}  // namespace rondo

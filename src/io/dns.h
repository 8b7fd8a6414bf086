// Names to addresses and back, as the system's resolver does it (/etc/hosts, DNS, whatever nsswitch
// says). It blocks, for seconds perhaps, so each look-up is a slow job of the pool: look-ups never
// occupy every worker of it (POOL-04).
//
// Errors carry getaddrinfo's EAI_* codes, which are negative, or an errno where the system failed.
// Phase: poll. Thread: the loop's only.
#pragma once

#include <netdb.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/address.h"
#include "io/result_callback.h"
#include "loop/request.h"

namespace rondo {

// A host and a service to addresses. Reusable from its callback on.
class GetAddrInfo final : public PoolRequest {
 public:
  using Addresses = std::vector<SocketAddress>;
  // A function of (GetAddrInfo&, Result<Addresses>) or of (GetAddrInfo&).
  using OnDone = ResultCallback<GetAddrInfo, Addresses>;

  struct Options {
    int family = AF_UNSPEC;         // Or AF_INET, AF_INET6: only such addresses.
    int socket_type = SOCK_STREAM;  // 0 repeats each address for every type.
    int protocol = 0;
    int flags = 0;  // AI_*
  };

  explicit GetAddrInfo(Loop& loop) : PoolRequest(loop, "getaddrinfo") {}

  // The service is a name ("https") or a number ("443"); empty for none, and the port 0. An empty
  // host means this machine, or any address with AI_PASSIVE. A host that is a number already needs
  // no look-up, and waits for none.
  void submit(std::string_view host, std::string_view service, const Options& options,
              OnDone on_done);

  // After the look-up, until it is submitted again. In the order in which they should be tried.
  Result<Addresses> take_result() { return std::move(result_); }
  const Result<Addresses>& result() const { return result_; }
  // What the host is really called, if AI_CANONNAME asked for it.
  const std::string& canonical_name() const { return canonical_name_; }
  std::string_view subject() const override { return host_; }

 private:
  bool is_number_already();
  void work() override;
  void worked(Result<void> outcome) override;

  std::string host_;
  std::string service_;
  Options options_;
  std::string canonical_name_;
  Result<Addresses> result_ = Addresses{};
  OnDone on_done_;
};

struct NameInfo {
  std::string host;
  std::string service;
};

// An address to the names of its host and service. Reusable from its callback on.
class GetNameInfo final : public PoolRequest {
 public:
  // A function of (GetNameInfo&, Result<NameInfo>) or of (GetNameInfo&).
  using OnDone = ResultCallback<GetNameInfo, NameInfo>;

  explicit GetNameInfo(Loop& loop) : PoolRequest(loop, "getnameinfo") {}

  // `flags` are NI_*. Without NI_NAMEREQD an address that has no name is told as a number.
  void submit(const SocketAddress& address, int flags, OnDone on_done);

  Result<NameInfo> take_result() { return std::move(result_); }
  const Result<NameInfo>& result() const { return result_; }

 private:
  void work() override;
  void worked(Result<void> outcome) override;

  SocketAddress address_;
  int flags_ = 0;
  Result<NameInfo> result_ = NameInfo{};
  OnDone on_done_;
};

}  // namespace rondo

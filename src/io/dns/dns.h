// Look-ups of names and addresses with the system's resolver (/etc/hosts, DNS, as nsswitch
// configures). The resolver blocks, possibly for seconds, so each look-up is a slow job of the
// pool: look-ups never occupy every worker (POOL-04).
//
// Errors carry getaddrinfo's EAI_* codes, which are negative, or an errno if the system failed.
// Phase: poll. Thread: the loop's only.
#pragma once

#include <netdb.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/net/address.h"
#include "io/result_callback.h"
#include "loop/request.h"

namespace rondo {

// Looks up the addresses of a host and a service. Reusable from its callback on.
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

  // The service is a name ("https") or a number ("443"); if empty, the port is 0. An empty host
  // means this machine, or any address with AI_PASSIVE. A numeric host needs no look-up and does
  // not wait for a slow job.
  void submit(std::string_view host, std::string_view service, const Options& options,
              OnDone on_done);

  // Valid after the look-up, until the next submit(). Addresses are in the order in which they
  // should be tried.
  Result<Addresses> take_result() { return std::move(result_); }
  const Result<Addresses>& result() const { return result_; }
  // The canonical name of the host, if AI_CANONNAME was set.
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

// Looks up the names of an address and its service. Reusable from its callback on.
class GetNameInfo final : public PoolRequest {
 public:
  // A function of (GetNameInfo&, Result<NameInfo>) or of (GetNameInfo&).
  using OnDone = ResultCallback<GetNameInfo, NameInfo>;

  explicit GetNameInfo(Loop& loop) : PoolRequest(loop, "getnameinfo") {}

  // `flags` are NI_*. Without NI_NAMEREQD an address without a name gives its numeric form.
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

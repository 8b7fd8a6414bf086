#include "io/net/address.h"

#include <gtest/gtest.h>
#include <net/if.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/fd.h"

namespace rondo {
namespace {

using namespace std::string_view_literals;

static_assert(std::is_trivially_copyable_v<SocketAddress>);
static_assert(sizeof(SocketAddress) <= 128);

TEST(SocketAddress, DefaultIsEmpty) {
  const SocketAddress address;
  EXPECT_EQ(address.family(), AF_UNSPEC);
  EXPECT_EQ(address.size(), 0u);
  EXPECT_EQ(address.port(), 0);
  EXPECT_EQ(address.to_string(), "nowhere");
}

TEST(SocketAddress, NumericHostsComeBackAsTheyWere) {
  for (const char* host : {"127.0.0.1", "255.255.255.255", "0.0.0.0", "::", "::1", "2001:db8::8"}) {
    const Result<SocketAddress> address = SocketAddress::ip(host, 8080);
    ASSERT_TRUE(address) << host;
    EXPECT_EQ(address->host(), host);
    EXPECT_EQ(address->port(), 8080);
    EXPECT_TRUE(address->is_ip());
  }
  EXPECT_EQ(SocketAddress::ip("10.0.0.1", 80)->to_string(), "10.0.0.1:80");
  EXPECT_EQ(SocketAddress::ip("::1", 65535)->to_string(), "[::1]:65535");
  EXPECT_EQ(SocketAddress::ip("::1", 0)->size(), sizeof(sockaddr_in6));
  EXPECT_EQ(SocketAddress::ip("1.1.1.1", 0)->size(), sizeof(sockaddr_in));
}

TEST(SocketAddress, NonNumericHostsAreRejected) {
  for (std::string_view host :
       {""sv, "localhost"sv, "1.2.3"sv, "1.2.3.4.5"sv, "256.0.0.1"sv, "[::1]"sv, ":::"sv, " ::1"sv,
        "127.0.0.1\0"sv, "127.0.0.1\0x"sv, "127.0.0.1%1"sv, "%1"sv, "::1%"sv, "1.2.3.4:80"sv}) {
    const Result<SocketAddress> address = SocketAddress::ip(host, 1);
    ASSERT_FALSE(address) << host;
    EXPECT_EQ(address.error().code, EINVAL) << host;
  }
  const std::string endless(10'000, '1');
  EXPECT_FALSE(SocketAddress::ip(endless, 1));
}

TEST(SocketAddress, ScopeIsAnInterfaceByNameOrNumber) {
  const unsigned index = ::if_nametoindex("lo");
  if (index == 0) GTEST_SKIP() << "no interface called lo";
  const Result<SocketAddress> named = SocketAddress::ip("fe80::1%lo", 1);
  ASSERT_TRUE(named);
  EXPECT_EQ(named->scope(), index);
  EXPECT_EQ(named->host(), "fe80::1%lo");
  EXPECT_EQ(named->to_string(), "[fe80::1%lo]:1");
  EXPECT_EQ(*SocketAddress::ip("fe80::1%" + std::to_string(index), 1), *named);
  EXPECT_EQ(SocketAddress::ip("fe80::1%4000000000", 1)->host(), "fe80::1%4000000000");
  EXPECT_EQ(SocketAddress::ip("fe80::1%no-such-if", 1).error().code, ENXIO);
  EXPECT_EQ(SocketAddress::ip("fe80::1%99999999999", 1).error().code, ENXIO);
  EXPECT_EQ(SocketAddress::ip("fe80::1%a-name-longer-than-any-interface", 1).error().code, ENXIO);
}

TEST(SocketAddress, WellKnownPlaces) {
  EXPECT_EQ(SocketAddress::loopback(7).to_string(), "127.0.0.1:7");
  EXPECT_EQ(SocketAddress::loopback6(7).to_string(), "[::1]:7");
  EXPECT_EQ(SocketAddress::any(7).to_string(), "0.0.0.0:7");
  EXPECT_EQ(SocketAddress::any6().to_string(), "[::]:0");
}

TEST(SocketAddress, PortCanBeChanged) {
  SocketAddress address = SocketAddress::loopback6();
  address.set_port(443);
  EXPECT_EQ(address, SocketAddress::loopback6(443));
  SocketAddress path = *SocketAddress::unix_path("/x");
  path.set_port(1);
  EXPECT_EQ(path.port(), 0);
  EXPECT_EQ(path.path(), "/x");
}

TEST(SocketAddress, UnixPathsOfTheFileSystem) {
  const Result<SocketAddress> address = SocketAddress::unix_path("/tmp/socket");
  ASSERT_TRUE(address);
  EXPECT_TRUE(address->is_unix());
  EXPECT_EQ(address->path(), "/tmp/socket");
  EXPECT_EQ(address->to_string(), "/tmp/socket");
  EXPECT_EQ(address->size(), offsetof(sockaddr_un, sun_path) + 12);
  EXPECT_EQ(address->port(), 0);
  EXPECT_EQ(address->host(), "");
}

TEST(SocketAddress, EveryByteOfAnAbstractNameCounts) {
  const Result<SocketAddress> address = SocketAddress::unix_path("\0a\0b"sv);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->path(), "\0a\0b"sv);
  EXPECT_EQ(address->to_string(), "@a@b");
  EXPECT_EQ(address->size(), offsetof(sockaddr_un, sun_path) + 4);
  EXPECT_FALSE(*address == *SocketAddress::unix_path("\0a\0c"sv));
  EXPECT_FALSE(*address == *SocketAddress::unix_path("\0a"sv));
}

TEST(SocketAddress, UnixPathsThatCannotBeAreRefused) {
  EXPECT_EQ(SocketAddress::unix_path("").error().code, EINVAL);
  EXPECT_EQ(SocketAddress::unix_path("/tmp/a\0b"sv).error().code, EINVAL);
  EXPECT_TRUE(SocketAddress::unix_path(std::string(107, 'x')));
  EXPECT_EQ(SocketAddress::unix_path(std::string(108, 'x')).error().code, ENAMETOOLONG);
}

TEST(SocketAddress, FromCopiesAddressesAndRejectsShortOnes) {
  const SocketAddress source = SocketAddress::loopback6(9);
  EXPECT_EQ(SocketAddress::from(source.data(), source.size()), source);
  EXPECT_EQ(SocketAddress::from(source.data(), source.size() - 1), SocketAddress());
  EXPECT_EQ(SocketAddress::from(nullptr, 16), SocketAddress());
  EXPECT_EQ(SocketAddress::from(source.data(), 1), SocketAddress());
  // Bytes after an IPv4 address are ignored.
  sockaddr_storage padded{};
  std::memset(&padded, 0xff, sizeof padded);
  const SocketAddress ip4 = SocketAddress::loopback(9);
  std::memcpy(&padded, ip4.data(), offsetof(sockaddr_in, sin_zero));
  EXPECT_EQ(SocketAddress::from(reinterpret_cast<sockaddr*>(&padded), sizeof padded), ip4);
  // An unknown family is copied unchanged.
  padded.ss_family = AF_APPLETALK;
  const SocketAddress other = SocketAddress::from(reinterpret_cast<sockaddr*>(&padded), 16);
  EXPECT_EQ(other.family(), AF_APPLETALK);
  EXPECT_EQ(other.size(), 16u);
}

TEST(SocketAddress, OfSocketAndOfPeerQueryTheKernel) {
  Fd server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const SocketAddress wanted = SocketAddress::loopback();
  ASSERT_EQ(::bind(server.get(), wanted.data(), wanted.size()), 0);
  ASSERT_EQ(::listen(server.get(), 1), 0);
  const Result<SocketAddress> bound = SocketAddress::of_socket(server.get());
  ASSERT_TRUE(bound);
  EXPECT_NE(bound->port(), 0);
  Fd client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(SocketAddress::of_peer(client.get()).error().code, ENOTCONN);
  EXPECT_STREQ(SocketAddress::of_peer(client.get()).error().syscall, "getpeername");
  ASSERT_EQ(::connect(client.get(), bound->data(), bound->size()), 0);
  EXPECT_EQ(*SocketAddress::of_peer(client.get()), *bound);
  EXPECT_EQ(SocketAddress::of_socket(-1).error().code, EBADF);
  EXPECT_STREQ(SocketAddress::of_socket(-1).error().syscall, "getsockname");
}

TEST(SocketAddress, UnixSocketsHaveTheirPath) {
  Fd server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(SocketAddress::of_socket(server.get())->to_string(), "unnamed");
  const std::string name = std::string(1, '\0') + "rondo-address-" + std::to_string(::getpid());
  const Result<SocketAddress> wanted = SocketAddress::unix_path(name);
  ASSERT_TRUE(wanted);
  ASSERT_EQ(::bind(server.get(), wanted->data(), wanted->size()), 0);
  EXPECT_EQ(*SocketAddress::of_socket(server.get()), *wanted);

  const std::string path = "/tmp/rondo-address-" + std::to_string(::getpid());
  Fd named(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const Result<SocketAddress> file = SocketAddress::unix_path(path);
  ASSERT_EQ(::bind(named.get(), file->data(), file->size()), 0);
  EXPECT_EQ(SocketAddress::of_socket(named.get())->path(), path);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace rondo

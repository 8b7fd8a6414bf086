#include <unistd.h>

#include <cstring>

#include "uv/core/fixture_test.h"

namespace {

TEST(UvSystem, TextsReportTheRoomThatTheyNeed) {
  ASSERT_EQ(uv_os_setenv("RONDO_UV_TEST", "value"), 0);
  char buffer[8];
  size_t size = 5;
  EXPECT_EQ(uv_os_getenv("RONDO_UV_TEST", buffer, &size), UV_ENOBUFS);
  EXPECT_EQ(size, 6U);
  EXPECT_EQ(uv_os_getenv("RONDO_UV_TEST", buffer, &size), 0);
  EXPECT_EQ(size, 5U);
  EXPECT_STREQ(buffer, "value");
  EXPECT_EQ(uv_os_unsetenv("RONDO_UV_TEST"), 0);
  EXPECT_EQ(uv_os_getenv("RONDO_UV_TEST", buffer, &size), UV_ENOENT);
  size = 0;
  EXPECT_EQ(uv_cwd(buffer, &size), UV_EINVAL);
  size = 1;
  EXPECT_EQ(uv_cwd(buffer, &size), UV_ENOBUFS);
}

TEST(UvSystem, DescribesUserGroupAndMachine) {
  uv_passwd_t user;
  ASSERT_EQ(uv_os_get_passwd(&user), 0);
  EXPECT_EQ(user.uid, ::geteuid());
  uv_os_free_passwd(&user);
  EXPECT_EQ(user.username, nullptr);
  uv_group_t group;
  ASSERT_EQ(uv_os_get_group(&group, 0), 0);
  EXPECT_STREQ(group.groupname, "root");
  uv_os_free_group(&group);
  uv_cpu_info_t* processors;
  int count = 0;
  ASSERT_EQ(uv_cpu_info(&processors, &count), 0);
  EXPECT_GT(count, 0);
  EXPECT_GT(std::strlen(processors[0].model), 0U);
  uv_free_cpu_info(processors, count);
  EXPECT_GE(uv_available_parallelism(), 1U);
  EXPECT_GT(uv_get_total_memory(), uv_get_free_memory());
}

TEST(UvSystem, ParsesAndPrintsAddresses) {
  sockaddr_in6 address;
  EXPECT_EQ(uv_ip6_addr("fe80::1%1", 80, &address), 0);
  EXPECT_EQ(address.sin6_scope_id, 1U);
  char text[64];
  EXPECT_EQ(uv_ip6_name(&address, text, sizeof text), 0);
  EXPECT_STREQ(text, "fe80::1");
  EXPECT_EQ(uv_ip6_name(&address, text, 4), UV_ENOSPC);
  sockaddr_in four;
  EXPECT_EQ(uv_ip4_addr("256.0.0.1", 80, &four), UV_EINVAL);
  EXPECT_EQ(uv_inet_pton(AF_UNIX, "x", &four), UV_EAFNOSUPPORT);
  uv_interface_address_t* addresses;
  int count = 0;
  EXPECT_EQ(uv_interface_addresses(&addresses, &count), 0);
  uv_free_interface_addresses(addresses, count);
}

TEST(UvSystem, LoadsSharedObjects) {
  uv_lib_t lib;
  EXPECT_EQ(uv_dlopen("/nonexistent.so", &lib), -1);
  EXPECT_NE(std::strstr(uv_dlerror(&lib), "nonexistent"), nullptr);
  uv_dlclose(&lib);
  ASSERT_EQ(uv_dlopen(nullptr, &lib), 0);
  void* symbol = nullptr;
  EXPECT_EQ(uv_dlsym(&lib, "malloc", &symbol), 0);
  EXPECT_NE(symbol, nullptr);
  EXPECT_EQ(uv_dlsym(&lib, "no such symbol", &symbol), -1);
  uv_dlclose(&lib);
}

TEST(UvSystem, ConvertsUnpairedSurrogates) {
  const uint16_t units[] = {'a', 0xD83D, 0xDE00, 0xD800, 0};
  char* text = nullptr;
  size_t size = 0;
  ASSERT_EQ(uv_utf16_to_wtf8(units, -1, &text, &size), 0);
  EXPECT_EQ(std::string(text, size), "a\xF0\x9F\x98\x80\xED\xA0\x80");
  EXPECT_EQ(uv_wtf8_length_as_utf16(text), 5);
  uint16_t back[5];
  uv_wtf8_to_utf16(text, back, 5);
  EXPECT_EQ(std::memcmp(units, back, sizeof units), 0);
  std::free(text);
  EXPECT_EQ(uv_wtf8_length_as_utf16("\xC0\x80"), UV_EINVAL);
  EXPECT_EQ(uv_wtf8_length_as_utf16("\xF0\x9F"), UV_EINVAL);
}

TEST(UvSystem, TheTitleNeedsTheArguments) {
  char buffer[64];
  EXPECT_EQ(uv_get_process_title(buffer, sizeof buffer), UV_ENOBUFS);
  EXPECT_EQ(uv_set_process_title("title"), UV_ENOBUFS);
}

}  // namespace

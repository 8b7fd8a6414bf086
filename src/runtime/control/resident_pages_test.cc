#include "runtime/control/resident_pages.h"

#include <gtest/gtest.h>

namespace rondo::runtime {

namespace {

constexpr char kText[] =
    "00400000-0082e000 r--p 00000000 fe:00 1234                       /bin/program\n"
    "Size:               4280 kB\n"
    "Anonymous:             0 kB\n"
    "VmFlags: rd mr mw me\n"
    "0082e000-03489000 r-xp 0042e000 fe:00 1234                       /bin/program\n"
    "Anonymous:             4 kB\n"
    "03489000-0348a000 r--p 03089000 fe:00 1234                       /bin/with spaces (deleted)\n"
    "Anonymous:             0 kB\n"
    "0348a000-0348b000 rw-p 0308a000 fe:00 1234                       /bin/program\n"
    "Anonymous:             0 kB\n"
    "0348b000-0348c000 r--s 0308a000 fe:00 1234                       /shared\n"
    "Anonymous:             0 kB\n"
    "0348c000-0348d000 ---p 00000000 fe:00 1234                       /guard\n"
    "Anonymous:             0 kB\n"
    "7ffc0000-7ffc1000 r--p 00000000 00:00 0                          [vvar]\n"
    "Anonymous:             0 kB\n";

TEST(ResidentPagesTest, OnlyUnchangedPrivatePagesOfFilesAreChosen) {
  const std::vector<AddressRange> expected{{0x400000, 0x82e000}, {0x3489000, 0x348a000}};
  EXPECT_EQ(unchanged_file_ranges(kText), expected);
}

TEST(ResidentPagesTest, AnyTextIsAccepted) {
  EXPECT_TRUE(unchanged_file_ranges("").empty());
  EXPECT_TRUE(unchanged_file_ranges("Anonymous: 0 kB\n\n-\n1-2\n1-2 r\nx-y r--p 0 0 1\n").empty());
  const std::string_view all = kText;
  for (size_t size = 0; size < all.size(); ++size) {
    EXPECT_LE(unchanged_file_ranges(all.substr(0, size)).size(), 2u);
  }
}

TEST(ResidentPagesTest, AProgramRunsOnWithoutItsPages) {
  release_file_pages();
  release_file_pages();
}

}  // namespace

}  // namespace rondo::runtime

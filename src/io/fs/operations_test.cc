#include "io/fs/operations.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace rondo {

namespace {

TEST(FsOperations, LabelsAreUnique) {
  std::set<std::string> labels;
  for (const FsOperationRow& row : kFsOperations) {
    EXPECT_TRUE(labels.insert(row.label).second) << row.label;
  }
}

TEST(FsOperations, OpeningWritesIfItCreatesOrTruncates) {
  EXPECT_FALSE(changes_file(FsOp::open, O_RDWR));
  EXPECT_TRUE(changes_file(FsOp::open, O_WRONLY | O_CREAT));
  EXPECT_TRUE(changes_file(FsOp::open, O_WRONLY | O_TRUNC));
  EXPECT_TRUE(may_change_file(FsOp::open, O_RDWR));
  EXPECT_FALSE(may_change_file(FsOp::open, O_RDONLY));
}

TEST(FsOperations, FlagsMatterToOpenOnly) {
  EXPECT_FALSE(may_change_file(FsOp::stat, O_RDWR | O_CREAT));
  EXPECT_TRUE(may_change_file(FsOp::unlink, O_RDONLY));
}

TEST(FsOperations, TheSecondPathIsWritten) {
  EXPECT_FALSE(changes_file(FsOp::copy_file, 0));
  EXPECT_TRUE(changes_any_file(FsOp::copy_file, 0));
  EXPECT_TRUE(changes_file(FsOp::rename, 0));
}

TEST(FsOperations, TheRingRunsOperationsOnDescriptorsOnly) {
  for (const FsOperationRow& row : kFsOperations) {
    if (row.opcode == IORING_OP_NOP) continue;
    EXPECT_EQ(row.target, FsTarget::descriptor) << row.label;
  }
}

}  // namespace

}  // namespace rondo

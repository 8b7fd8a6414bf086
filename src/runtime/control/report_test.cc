#include "runtime/control/report.h"

#include <gtest/gtest.h>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class Report : public testing::EngineTest {
 protected:
  // The source line in the report of the exception that `code` throws.
  std::string line_of(std::string_view code, std::string_view name = "app.js") {
    const v8::TryCatch caught(isolate());
    EXPECT_TRUE(evaluate(code, name).IsEmpty());
    return source_line(isolate(), caught.Message());
  }
  std::string printed_for(std::string_view code) {
    const v8::TryCatch caught(isolate());
    EXPECT_TRUE(evaluate(code, "app.js").IsEmpty());
    ::testing::internal::CaptureStderr();
    report_exception(isolate(), caught.Exception(), caught.Message());
    return ::testing::internal::GetCapturedStderr();
  }
};

TEST_F(Report, ShowsTheLineWithACaretBelowThePlace) {
  EXPECT_EQ(line_of("\n\n  throw 1;"), "app.js:3\n  throw 1;\n  ^\n");
  EXPECT_EQ(line_of("let let = 1;"), "app.js:1\nlet let = 1;\n    ^^^\n");
}

TEST_F(Report, ReportsTheCallbackInWhichAnExceptionWasLost) {
  const v8::TryCatch caught(isolate());
  EXPECT_TRUE(evaluate("throw new RangeError('deep');", "app.js").IsEmpty());
  ::testing::internal::CaptureStderr();
  report_dropped_exception(isolate(), "Exception in Callback", caught.Message());
  report_dropped_exception(isolate(), "Exception in Other", v8::Local<v8::Message>());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "Exception in Callback:\napp.js:1\nthrow new RangeError('deep');\n^\n\n"
            "RangeError: deep\n\nException in Other:\n\n");
}

TEST_F(Report, TabsBeforeThePlaceStayTabs) {
  EXPECT_EQ(line_of("\t\tthrow 1;"), "app.js:1\n\t\tthrow 1;\n\t\t^\n");
}

TEST_F(Report, NothingIsShownOfOurOwnFiles) {
  EXPECT_EQ(line_of("throw 1;", "node:events"), "");
  EXPECT_EQ(source_line(isolate(), v8::Local<v8::Message>()), "");
}

TEST_F(Report, ALongLineIsCutAroundThePlace) {
  const std::string spaces(400, ' ');
  EXPECT_EQ(line_of("throw 1;" + spaces + "//"),
            "app.js:1:1\nthrow 1;" + std::string(72, ' ') + "...\n^\n");
  EXPECT_EQ(line_of("\n" + spaces + "throw 1;"), "app.js:2:401\n..." + std::string(60, ' ') +
                                                     "throw 1;\n" + std::string(63, ' ') + "^\n");
  EXPECT_EQ(line_of(spaces + "let let;" + spaces), "app.js:1:405\n..." + std::string(56, ' ') +
                                                       "let let;" + std::string(76, ' ') + "...\n" +
                                                       std::string(63, ' ') + "^^^\n");
}

TEST_F(Report, AnExcerptDoesNotSplitCharacters) {
  // Each character is two UTF-16 units; the excerpt begins and ends in the middle of one.
  std::string text = "'x";
  for (int i = 0; i < 200; ++i) text += "\U0001F600";
  text += "';throw 1;'x";
  const std::string line = line_of(text + text.substr(2, 800) + "'");
  EXPECT_TRUE(line.starts_with("app.js:1:")) << line;
  EXPECT_EQ(line.find("\xEF\xBF\xBD"), std::string::npos) << line;
}

TEST_F(Report, AnErrorIsPrintedWithItsStack) {
  const std::string text = printed_for("throw new TypeError('no')");
  EXPECT_TRUE(text.starts_with("app.js:1\nthrow new TypeError('no')\n^\n\n")) << text;
}

TEST_F(Report, AnythingElseIsPrintedAsItIs) {
  EXPECT_TRUE(printed_for("throw 'a word'").starts_with("app.js:1\nthrow 'a word'\n^\na word\n"));
}

TEST_F(Report, UnprintableExceptionsDoNotStopTheReport) {
  const std::string text =
      printed_for("throw { get stack() { throw 1; }, toString() { throw 2; } }");
  EXPECT_NE(text.find("\nRondo v"), std::string::npos) << text;
}

}  // namespace

}  // namespace rondo::runtime

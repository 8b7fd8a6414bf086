#include "runtime/values/text.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class Text : public testing::EngineTest {
 protected:
  Bytes bytes(std::string_view code) {
    Bytes found;
    EXPECT_TRUE(bytes_of(evaluate(code).ToLocalChecked(), &found)) << code;
    return found;
  }
  std::string utf8(std::string_view bytes) {
    const auto* const data = reinterpret_cast<const uint8_t*>(bytes.data());
    return to_std(isolate(), utf8_string(isolate(), data, bytes.size()).ToLocalChecked());
  }
};

TEST_F(Text, BytesAreFoundInEveryKindOfThingThatHasSome) {
  EXPECT_EQ(bytes("new Uint8Array(3)").size, 3U);
  EXPECT_EQ(bytes("new Float64Array(2)").size, 16U);
  EXPECT_EQ(bytes("new DataView(new ArrayBuffer(8), 2)").size, 6U);
  EXPECT_EQ(bytes("new ArrayBuffer(5)").size, 5U);
  EXPECT_EQ(bytes("new SharedArrayBuffer(4)").size, 4U);
  EXPECT_EQ(bytes("new Uint8Array(0)").size, 0U);
  const Bytes part = bytes("new Uint8Array([1, 2, 3, 4]).subarray(1, 3)");
  ASSERT_EQ(part.size, 2U);
  EXPECT_EQ(part.data[0], 2);
}

TEST_F(Text, BytesOfASmallArrayAreThoseThatJavaScriptSees) {
  const Bytes small = bytes("globalThis.small = new Uint8Array([1, 2, 3])");
  ASSERT_EQ(small.size, 3U);
  EXPECT_FALSE(small.is_detached);
  small.data[0] = 9;
  EXPECT_EQ(to_std(isolate(), evaluate("String(small)").ToLocalChecked()), "9,2,3");
}

TEST_F(Text, BytesOfSharedAndResizableMemory) {
  EXPECT_EQ(bytes("new Uint8Array(new SharedArrayBuffer(8), 2, 3)").size, 3U);
  evaluate(
      "globalThis.memory = new ArrayBuffer(16, { maxByteLength: 32 });"
      "globalThis.follows = new Uint8Array(memory);"
      "globalThis.fixed = new Uint8Array(memory, 8, 8);"
      "globalThis.view = new DataView(memory, 1);"
      "memory.resize(4);")
      .ToLocalChecked();
  EXPECT_EQ(bytes("follows").size, 4U);
  EXPECT_EQ(bytes("view").size, 3U);
  EXPECT_EQ(bytes("fixed").size, 0U);
  EXPECT_FALSE(bytes("fixed").is_detached);
}

TEST_F(Text, NothingElseHasBytes) {
  Bytes found;
  for (const char* code :
       {"'text'", "[1]", "({ length: 1 })", "null", "new Proxy(new Uint8Array(1), {})"}) {
    EXPECT_FALSE(bytes_of(evaluate(code).ToLocalChecked(), &found)) << code;
  }
}

TEST_F(Text, ADetachedBufferIsReportedAndHasNoBytes) {
  const v8::Local<v8::Value> view =
      evaluate("globalThis.view = new Uint8Array(8)").ToLocalChecked();
  view.As<v8::Uint8Array>()->Buffer()->Detach();
  Bytes found;
  ASSERT_TRUE(bytes_of(view, &found));
  EXPECT_EQ(found.size, 0U);
  EXPECT_TRUE(found.is_detached);
}

TEST_F(Text, Utf8OfAnyKindBecomesAString) {
  for (const char* text :
       {"", "plain", "\xc3\xa4", "\xe4\xb8\xad\xe6\x96\x87", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(utf8(text), text);
  }
  // Invalid bytes are replaced, one U+FFFD for each maximal part of a sequence.
  EXPECT_EQ(utf8("a\xff"
                 "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(utf8("\xe4\xb8"), "\xef\xbf\xbd");
}

TEST_F(Text, WritingStopsBeforeACharacterThatDoesNotFit) {
  const v8::Local<v8::String> text = string("a\xc3\xa4\xf0\x9f\x98\x80");
  EXPECT_EQ(utf8_length(isolate(), text), 7U);
  uint8_t out[8];
  for (const auto& [capacity, expected] :
       {std::pair<size_t, size_t>{0, 0}, {1, 1}, {2, 1}, {3, 3}, {6, 3}, {7, 7}, {8, 7}}) {
    std::memset(out, 0xee, sizeof out);
    EXPECT_EQ(write_utf8(isolate(), text, out, capacity).bytes, expected) << capacity;
    EXPECT_EQ(out[7], 0xee);
  }
  EXPECT_EQ(write_utf8(isolate(), text, out, 3).read, 2U);
  // The last character is a surrogate pair.
  EXPECT_EQ(write_utf8(isolate(), text, out, 7).read, 4U);
}

TEST_F(Text, ALoneSurrogateIsWrittenAsTheReplacement) {
  const v8::Local<v8::String> text = evaluate("'x\\ud800y'").ToLocalChecked().As<v8::String>();
  EXPECT_EQ(utf8_length(isolate(), text), 5U);
  uint8_t out[5];
  EXPECT_EQ(write_utf8(isolate(), text, out, sizeof out).bytes, 5U);
  EXPECT_EQ(std::memcmp(out, "x\xef\xbf\xbdy", 5), 0);
}

TEST_F(Text, ACopyHoldsTheWholeString) {
  size_t size = 0;
  uint8_t* const copy = utf8_copy(isolate(), string("\xc3\xa4!"), &size);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(std::string(reinterpret_cast<char*>(copy), size), "\xc3\xa4!");
  std::free(copy);
}

TEST_F(Text, UnitsThatAllFitAByteTakeAByteEach) {
  constexpr size_t kSize = 5000;
  Scratch<char16_t> units(kSize);
  for (size_t i = 0; i < kSize; ++i) units.data()[i] = u'\u00e4';
  const v8::Local<v8::String> text =
      take_utf16(isolate(), units, kSize, /*fits_latin1=*/true).ToLocalChecked();
  EXPECT_TRUE(text->IsOneByte());
  EXPECT_EQ(text->Length(), static_cast<int>(kSize));
}

TEST_F(Text, ScratchMemoryIsLentOnceAtATime) {
  Scratch<uint8_t> first(100'000);
  Scratch<uint8_t> second(100'000);
  ASSERT_NE(first.data(), nullptr);
  ASSERT_NE(second.data(), nullptr);
  EXPECT_NE(first.data(), second.data());
}

TEST_F(Text, OwnedMemoryIsTheBuffers) {
  void* const memory = std::malloc(16);
  const v8::Local<v8::ArrayBuffer> buffer = own_memory(isolate(), memory, 16);
  EXPECT_EQ(buffer->Data(), memory);
  EXPECT_EQ(buffer->ByteLength(), 16U);
  EXPECT_EQ(own_memory(isolate(), nullptr, 0)->ByteLength(), 0U);
}

}  // namespace

}  // namespace rondo::runtime

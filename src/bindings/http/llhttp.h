// Declares the part of llhttp 9 that message_parser.cc calls. llhttp is a state machine for HTTP/1;
// V8's host program contains it (docs/adr/runtime/0036), but its package has no header, so the
// structures are declared here as version 9.4 defines them. message_parser_test.cc detects a wrong
// layout: nothing would be parsed. Functions that are called must be listed in
// tools/engine/exports.txt.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::bindings::llhttp {

enum Errno : int32_t {
  kOk = 0,
  kPaused = 21,
  kPausedUpgrade = 22,
  kUser = 24,  // A callback of ours failed for a reason of its own.
};

enum Type : uint8_t { kRequest = 1, kResponse = 2 };

// The method whose requests have no body, and turn the connection into a tunnel.
constexpr uint8_t kConnect = 5;
// Methods are numbered from 0.
constexpr int kMethodCount = 47;

// Bits of Parser::flags.
enum Flag : uint16_t {
  kConnectionClose = 1 << 1,
  kChunked = 1 << 3,
  kContentLength = 1 << 5,
  kSkipBody = 1 << 6,
  kHasTransferEncoding = 1 << 9,
};

// Bits of Parser::lenient_flags.
enum Lenient : uint16_t {
  kHeaders = 1 << 0,
  kChunkedLength = 1 << 1,
  kKeepAlive = 1 << 2,
  kTransferEncoding = 1 << 3,
  kVersion = 1 << 4,
  kDataAfterClose = 1 << 5,
  kOptionalLfAfterCr = 1 << 6,
  kOptionalCrlfAfterChunk = 1 << 7,
  kOptionalCrBeforeLf = 1 << 8,
  kSpacesAfterChunkSize = 1 << 9,
  kHeaderValueRelaxed = 1 << 10,
};

// Parser::finish while the end of the connection must not end the message.
constexpr uint8_t kFinishSafe = 0;

struct Parser {
  int32_t index;
  void* span_begin;
  void* span_callback;
  int32_t error;
  const char* reason;
  const char* error_position;
  void* data;  // For the owner.
  void* current;
  uint64_t content_length;
  uint8_t type;
  uint8_t method;
  uint8_t major;
  uint8_t minor;
  uint8_t header_state;
  uint16_t lenient_flags;
  uint8_t upgrade;
  uint8_t finish;
  uint16_t flags;
  uint16_t status_code;
  uint8_t has_completed_first;
  void* settings;
};
static_assert(offsetof(Parser, error_position) == 40);
static_assert(offsetof(Parser, content_length) == 64);
static_assert(offsetof(Parser, lenient_flags) == 78);
static_assert(offsetof(Parser, status_code) == 84);
static_assert(sizeof(Parser) == 96);

// A callback returns 0, or an Errno that ends the run; null if it is not needed. A span is passed
// in pieces if it spans several inputs.
using OnEvent = int (*)(Parser*);
using OnSpan = int (*)(Parser*, const char* bytes, size_t size);

struct Settings {
  OnEvent message_begin = nullptr;
  OnSpan protocol = nullptr;
  OnSpan url = nullptr;
  OnSpan status = nullptr;
  OnSpan method = nullptr;
  OnSpan version = nullptr;
  OnSpan header_field = nullptr;
  OnSpan header_value = nullptr;
  OnSpan chunk_extension_name = nullptr;
  OnSpan chunk_extension_value = nullptr;
  OnEvent headers_complete = nullptr;  // Also 1: no body, and 2: no body, but an upgrade.
  OnSpan body = nullptr;
  OnEvent message_complete = nullptr;
  OnEvent protocol_complete = nullptr;
  OnEvent url_complete = nullptr;
  OnEvent status_complete = nullptr;
  OnEvent method_complete = nullptr;
  OnEvent version_complete = nullptr;
  OnEvent header_field_complete = nullptr;
  OnEvent header_value_complete = nullptr;
  OnEvent chunk_extension_name_complete = nullptr;
  OnEvent chunk_extension_value_complete = nullptr;
  OnEvent chunk_header = nullptr;
  OnEvent chunk_complete = nullptr;
  OnEvent reset = nullptr;
};
static_assert(sizeof(Settings) == 25 * sizeof(void*));

extern "C" {
// The settings must outlive the parser.
void llhttp_init(Parser* parser, int type, const Settings* settings);
int llhttp_execute(Parser* parser, const char* bytes, size_t size);
int llhttp_finish(Parser* parser);
int llhttp_message_needs_eof(const Parser* parser);
int llhttp_should_keep_alive(const Parser* parser);
void llhttp_pause(Parser* parser);
void llhttp_resume(Parser* parser);
void llhttp_resume_after_upgrade(Parser* parser);
const char* llhttp_errno_name(int error);
const char* llhttp_method_name(int method);
}

}  // namespace rondo::bindings::llhttp

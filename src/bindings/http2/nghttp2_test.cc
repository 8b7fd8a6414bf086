// Detects layouts in nghttp2.h that differ from those of the nghttp2 that is called.
#include "bindings/http2/nghttp2.h"

#include <gtest/gtest.h>

#include <string>

namespace rondo::bindings::nghttp2 {
namespace {

struct Seen {
  std::string fields;
  std::string data;
  int32_t category = -1;
  int32_t parent = -1;
  int32_t weight = -1;
  std::string goaway;
  uint32_t setting = 0;
  std::string altsvc;
};

Seen& seen_by(void* user) { return *static_cast<Seen*>(user); }

std::string text_of(Bytes bytes) { return {reinterpret_cast<char*>(bytes.base), bytes.size}; }

int on_field(Session* /*session*/, const Frame* frame, Rcbuf* name, Rcbuf* value, uint8_t flags,
             void* user) {
  Seen& seen = seen_by(user);
  seen.category = frame->headers.category;
  seen.fields += text_of(nghttp2_rcbuf_get_buf(name)) + "=" +
                 text_of(nghttp2_rcbuf_get_buf(value)) + (flags == kNeverIndex ? "! " : " ");
  return 0;
}

int on_data(Session* /*session*/, uint8_t /*flags*/, int32_t /*id*/, const uint8_t* data,
            size_t size, void* user) {
  seen_by(user).data.append(reinterpret_cast<const char*>(data), size);
  return 0;
}

int on_frame(Session* /*session*/, const Frame* frame, void* user) {
  Seen& seen = seen_by(user);
  switch (frame->head.type) {
    case kSettings:
      if (frame->settings.count > 0) seen.setting = frame->settings.entries[0].value;
      break;
    case kGoaway:
      seen.goaway = std::to_string(frame->goaway.code) + " " +
                    text_of({frame->goaway.bytes, frame->goaway.size});
      break;
    case kPriority:
      seen.parent = frame->priority.dependency.stream_id;
      seen.weight = frame->priority.dependency.weight;
      break;
    case kAltsvc: {
      const auto& payload = *static_cast<const AltsvcPayload*>(frame->extension.payload);
      seen.altsvc.assign(reinterpret_cast<const char*>(payload.value), payload.value_size);
      break;
    }
    default: break;
  }
  return 0;
}

ptrdiff_t read_data(Session* /*session*/, int32_t /*id*/, uint8_t* out, size_t most,
                    uint32_t* flags, Source* source, void* /*user*/) {
  const auto* const text = static_cast<const std::string*>(source->pointer);
  *flags |= kEnd;
  return static_cast<ptrdiff_t>(text->copy(reinterpret_cast<char*>(out), most));
}

// A client and a server without sockets.
class Nghttp2Layout : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(nghttp2_session_callbacks_new(&callbacks_), 0);
    nghttp2_session_callbacks_set_on_header_callback2(callbacks_, on_field);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks_, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks_, on_frame);
    ASSERT_EQ(nghttp2_option_new(&option_), 0);
    nghttp2_option_set_builtin_recv_extension_type(option_, kAltsvc);
    ASSERT_EQ(nghttp2_session_client_new3(&client_, callbacks_, &client_seen_, option_, nullptr),
              0);
    ASSERT_EQ(nghttp2_session_server_new3(&server_, callbacks_, &server_seen_, nullptr, nullptr),
              0);
    const Setting setting{4, 70000};
    nghttp2_submit_settings(client_, 0, &setting, 1);
    nghttp2_submit_settings(server_, 0, nullptr, 0);
  }
  void TearDown() override {
    nghttp2_session_del(client_);
    nghttp2_session_del(server_);
    nghttp2_option_del(option_);
    nghttp2_session_callbacks_del(callbacks_);
  }

  static bool move(Session* from, Session* to) {
    const uint8_t* bytes = nullptr;
    const ptrdiff_t size = nghttp2_session_mem_send2(from, &bytes);
    if (size <= 0) return false;
    EXPECT_EQ(nghttp2_session_mem_recv2(to, bytes, static_cast<size_t>(size)), size);
    return true;
  }
  void exchange() {
    while (move(client_, server_) || move(server_, client_)) {
    }
  }

  static Field field(const char* name, const char* value, uint8_t flags = 0) {
    return {reinterpret_cast<const uint8_t*>(name), reinterpret_cast<const uint8_t*>(value),
            std::char_traits<char>::length(name), std::char_traits<char>::length(value), flags};
  }

  Callbacks* callbacks_ = nullptr;
  Option* option_ = nullptr;
  Session* client_ = nullptr;
  Session* server_ = nullptr;
  Seen client_seen_;
  Seen server_seen_;
};

TEST_F(Nghttp2Layout, FieldsDataAndSettingsArriveAsTheyWereSent) {
  std::string body = "body";
  const Provider provider{{.pointer = &body}, read_data};
  const Field fields[] = {field(":method", "POST"), field(":scheme", "http"), field(":path", "/"),
                          field(":authority", "a"), field("secret", "s", kNeverIndex)};
  const int32_t id =
      nghttp2_submit_request2(client_, nullptr, fields, std::size(fields), &provider, nullptr);
  ASSERT_EQ(id, 1);
  exchange();
  EXPECT_EQ(server_seen_.fields, ":method=POST :scheme=http :path=/ :authority=a secret=s! ");
  EXPECT_EQ(server_seen_.category, kRequest);
  EXPECT_EQ(server_seen_.data, "body");
  EXPECT_EQ(server_seen_.setting, 70000U);
  EXPECT_EQ(nghttp2_session_get_remote_settings(server_, 4), 70000U);
  const Field answer[] = {field(":status", "200")};
  EXPECT_EQ(nghttp2_submit_response2(server_, id, answer, std::size(answer), nullptr), 0);
  exchange();
  EXPECT_EQ(client_seen_.fields, ":status=200 ");
  EXPECT_EQ(client_seen_.category, kResponse);
}

TEST_F(Nghttp2Layout, GoawayAndAltsvcHaveTheirBytes) {
  exchange();
  const std::string origin = "http://a";
  const std::string value = "h2=\":1\"";
  nghttp2_submit_altsvc(server_, 0, 0, reinterpret_cast<const uint8_t*>(origin.data()),
                        origin.size(), reinterpret_cast<const uint8_t*>(value.data()),
                        value.size());
  exchange();
  EXPECT_EQ(client_seen_.altsvc, value);
  const std::string bytes = "bye";
  nghttp2_submit_goaway(server_, 0, 0, kEnhanceYourCalm,
                        reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  exchange();
  EXPECT_EQ(client_seen_.goaway, "11 bye");
}

}  // namespace
}  // namespace rondo::bindings::nghttp2

#include <utility>
#include <vector>

#include "bindings/http/parser.h"

namespace rondo::bindings {

Connections::~Connections() {
  while (HttpParser* const parser = begun_.front()) remove(*parser);
  while (HttpParser* const parser = idle_.front()) remove(*parser);
}

void Connections::add(HttpParser& parser) {
  // A client that connects and sends nothing must expire, too: the connection counts as a message
  // that has begun.
  parser.began_ = realm().loop().clock().now();
  parser.has_data_ = false;
  parser.has_head_ = false;
  parser.is_expired_ = false;
  parser.connections_ = this;
  begun_.push_back(parser);
  parser.hold();
}

void Connections::remove(HttpParser& parser) {
  parser.link_.unlink();
  parser.connections_ = nullptr;
  parser.release();
}

void Connections::begin_message(HttpParser& parser) {
  parser.began_ = realm().loop().clock().now();
  parser.has_data_ = true;
  parser.has_head_ = false;
  parser.is_expired_ = false;
  parser.link_.unlink();
  begun_.push_back(parser);
}

void Connections::end_message(HttpParser& parser) {
  parser.link_.unlink();
  idle_.push_back(parser);
}

template <class Matches>
v8::Local<v8::Array> Connections::select(Matches matches) const {
  std::vector<v8::Local<v8::Value>> found;
  const auto add_if = [&](HttpParser& parser, bool is_idle) {
    if (matches(parser, is_idle)) found.emplace_back(parser.object());
  };
  idle_.for_each([&](HttpParser& parser) { add_if(parser, true); });
  begun_.for_each([&](HttpParser& parser) { add_if(parser, false); });
  return v8::Array::New(isolate(), found.data(), found.size());
}

v8::Local<v8::Array> Connections::all() const {
  return select([](const HttpParser&, bool) { return true; });
}

v8::Local<v8::Array> Connections::idle() const {
  return select(
      [](const HttpParser& parser, bool is_idle) { return is_idle || !parser.has_data_; });
}

v8::Local<v8::Array> Connections::active() const {
  return select(
      [](const HttpParser& parser, bool is_idle) { return !is_idle && !parser.is_expired_; });
}

v8::Local<v8::Array> Connections::expired(Nanos head_limit, Nanos message_limit) {
  // A head cannot take longer than its message.
  if (message_limit > Nanos::zero() && head_limit > message_limit) {
    std::swap(head_limit, message_limit);
  }
  const Nanos now = realm().loop().clock().now();
  return select([&](HttpParser& parser, bool is_idle) {
    if (is_idle || parser.is_expired_) return false;
    const Nanos age = now - parser.began_;
    parser.is_expired_ = (head_limit > Nanos::zero() && !parser.has_head_ && age > head_limit) ||
                         (message_limit > Nanos::zero() && age > message_limit);
    return parser.is_expired_;
  });
}

}  // namespace rondo::bindings

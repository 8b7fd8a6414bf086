// The head of an HTTP message as the parser leaves it: the start line and the fields. A value; its
// views are valid until it changes. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/http/characters.h"

namespace rondo {

struct HttpField {
  std::string_view name;
  std::string_view value;
};

// Header or trailer fields in order of arrival. Names keep their case, and are compared without
// regard to it.
class HttpFields {
 public:
  size_t size() const { return places_.size(); }
  bool is_empty() const { return places_.empty(); }
  HttpField operator[](size_t index) const {
    const Place& place = places_[index];
    return {view(place.name, place.name_size), view(place.value, place.value_size)};
  }
  bool has(std::string_view name) const;
  // The value of the first field of this name; empty if there is none.
  std::string_view operator[](std::string_view name) const;

 private:
  friend class HttpHead;
  friend class HttpParser;
  struct Place {
    uint32_t name;
    uint32_t name_size;
    uint32_t value;
    uint32_t value_size;
  };
  std::string_view view(size_t at, size_t size) const {
    return std::string_view(bytes_).substr(at, size);
  }
  void clear() {
    bytes_.clear();
    places_.clear();
  }

  std::string bytes_;  // All lines, unchanged.
  std::vector<Place> places_;
};

class HttpHead {
 public:
  // Of a request.
  std::string_view method() const { return fields_.view(first_, first_size_); }
  std::string_view target() const { return fields_.view(second_, second_size_); }
  // The part of the target before '?', and the part behind it.
  std::string_view path() const { return target().substr(0, target().find('?')); }
  std::string_view query() const {
    const size_t mark = target().find('?');
    return mark == std::string_view::npos ? std::string_view() : target().substr(mark + 1);
  }
  // Of a response.
  int status() const { return status_; }
  std::string_view reason() const { return fields_.view(second_, second_size_); }

  int minor_version() const { return minor_version_; }  // 0 or 1.
  const HttpFields& fields() const { return fields_; }
  // The fields behind a chunked body; complete when the body has ended.
  const HttpFields& trailers() const { return trailers_; }
  std::string_view operator[](std::string_view name) const { return fields_[name]; }

  // The meaning of the fields for the message and its connection.
  bool is_chunked() const { return is_chunked_; }
  bool has_length() const { return has_length_; }
  uint64_t length() const { return length_; }  // Of the body; 0 if unknown.
  bool keeps_alive() const { return keeps_alive_; }
  bool expects_continue() const { return expects_continue_; }
  bool asks_upgrade() const { return asks_upgrade_; }  // Connection: upgrade, and Upgrade.

  void clear() {
    fields_.clear();
    trailers_.clear();
    first_size_ = second_size_ = 0;
  }
  // Gives memory of more than `most` bytes back.
  void shrink(size_t most) {
    if (fields_.bytes_.capacity() > most) fields_ = {};
    if (!trailers_.bytes_.empty()) trailers_ = {};
  }

 private:
  friend class HttpParser;

  HttpFields fields_;  // Its bytes include the start line.
  HttpFields trailers_;
  uint64_t length_ = 0;
  uint32_t first_ = 0;
  uint32_t first_size_ = 0;
  uint32_t second_ = 0;
  uint32_t second_size_ = 0;
  int16_t status_ = 0;
  int8_t minor_version_ = 1;
  bool is_chunked_ : 1 = false;
  bool has_length_ : 1 = false;
  bool keeps_alive_ : 1 = false;
  bool expects_continue_ : 1 = false;
  bool asks_upgrade_ : 1 = false;
};

inline bool HttpFields::has(std::string_view name) const {
  for (const Place& place : places_) {
    if (http::equal_ignoring_case(view(place.name, place.name_size), name)) return true;
  }
  return false;
}

inline std::string_view HttpFields::operator[](std::string_view name) const {
  for (const Place& place : places_) {
    if (place.name_size != name.size()) continue;
    if (http::equal_ignoring_case(view(place.name, place.name_size), name)) {
      return view(place.value, place.value_size);
    }
  }
  return {};
}

}  // namespace rondo

// Wires are the encrypted side of a connection: OpenSSL reads from the bytes that a stream has just
// read, and writes into memory that the stream then sends.
#pragma once

#include <openssl/bio.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace rondo::bindings::tls {

// Bytes to be sent, in memory that can be handed over.
class Outgoing {
 public:
  size_t size() const { return size_; }
  bool is_empty() const { return size_ == 0; }
  std::span<char> bytes() { return {bytes_.get(), size_}; }
  // Makes room for this many more bytes, so that the memory grows only once.
  void reserve(size_t more);
  void append(const char* bytes, size_t size);
  std::unique_ptr<char[]> release() {
    size_ = capacity_ = 0;
    return std::move(bytes_);
  }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

class Wires {
 public:
  Wires() = default;
  Wires(const Wires&) = delete;
  Wires& operator=(const Wires&) = delete;

  // A BIO for both directions, which refers to this object; null if there is no memory. The caller
  // owns it.
  BIO* make_bio();

  // Offers the bytes that the stream has read to OpenSSL. They must stay valid until keep().
  void offer(std::span<const std::byte> bytes) { offered_ = bytes; }
  // Copies the offered bytes that OpenSSL has not taken.
  void keep();

  Outgoing outgoing;

 private:
  static int read(BIO* bio, char* out, int size);
  static int write(BIO* bio, const char* bytes, int size);
  static long control(BIO* bio, int command, long number, void* pointer);
  static const BIO_METHOD* method();

  std::string kept_;  // Bytes before `kept_start_` have been taken.
  size_t kept_start_ = 0;
  std::span<const std::byte> offered_;
};

}  // namespace rondo::bindings::tls

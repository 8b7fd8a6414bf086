#include "bindings/tls/wires.h"

#include <algorithm>
#include <cstring>

namespace rondo::bindings::tls {

void Outgoing::reserve(size_t more) {
  if (capacity_ - size_ >= more) return;
  const size_t capacity = std::max(size_ + more, 2 * capacity_);
  std::unique_ptr<char[]> bytes(new char[capacity]);
  if (size_ > 0) std::memcpy(bytes.get(), bytes_.get(), size_);
  bytes_ = std::move(bytes);
  capacity_ = capacity;
}

void Outgoing::append(const char* bytes, size_t size) {
  reserve(size);
  std::memcpy(bytes_.get() + size_, bytes, size);
  size_ += size;
}

void Wires::keep() {
  if (!offered_.empty()) {
    kept_.erase(0, kept_start_);
    kept_start_ = 0;
    kept_.append(reinterpret_cast<const char*>(offered_.data()), offered_.size());
    offered_ = {};
  } else if (kept_start_ == kept_.size()) {
    kept_ = std::string();
    kept_start_ = 0;
  }
}

int Wires::read(BIO* bio, char* out, int size) {
  auto& wires = *static_cast<Wires*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const size_t wanted = size < 0 ? 0 : static_cast<size_t>(size);
  // A record may begin in what was kept and end in what is offered: OpenSSL asks again.
  if (const size_t kept = wires.kept_.size() - wires.kept_start_; kept > 0) {
    const size_t taken = std::min(kept, wanted);
    std::memcpy(out, wires.kept_.data() + wires.kept_start_, taken);
    wires.kept_start_ += taken;
    return static_cast<int>(taken);
  }
  const size_t taken = std::min(wires.offered_.size(), wanted);
  if (taken == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  std::memcpy(out, wires.offered_.data(), taken);
  wires.offered_ = wires.offered_.subspan(taken);
  return static_cast<int>(taken);
}

int Wires::write(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  if (size <= 0) return 0;
  static_cast<Wires*>(BIO_get_data(bio))->outgoing.append(bytes, static_cast<size_t>(size));
  return size;
}

long Wires::control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* Wires::method() {
  static const BIO_METHOD* const kMethod = [] {
    BIO_METHOD* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "rondo");
    if (method == nullptr) return method;
    BIO_meth_set_read(method, read);
    BIO_meth_set_write(method, write);
    BIO_meth_set_ctrl(method, control);
    return method;
  }();
  return kMethod;
}

BIO* Wires::make_bio() {
  const BIO_METHOD* const kind = method();
  BIO* const bio = kind != nullptr ? BIO_new(kind) : nullptr;
  if (bio == nullptr) return nullptr;
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  return bio;
}

}  // namespace rondo::bindings::tls

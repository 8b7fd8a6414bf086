#include "bindings/tls/handle.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/time/clock.h"
#include "bindings/net/after_read.h"

namespace rondo::bindings::tls {

using runtime::JsEntry;
using runtime::Realm;

namespace {

// The payload of a record: OpenSSL returns at most this much at once.
constexpr size_t kRecord = 16 * 1024;
// More than the header, padding and tag of a record of any version.
constexpr size_t kOverhead = 128;

size_t total_of(std::span<const iovec> parts) {
  size_t total = 0;
  for (const iovec& part : parts) total += part.iov_len;
  return total;
}

// The text of the newest of OpenSSL's errors, in its own format.
std::string newest_error() {
  std::string text;
  ERR_print_errors_cb(
      [](const char* line, size_t size, void* out) {
        static_cast<std::string*>(out)->assign(line, size);
        return 0;
      },
      &text);
  return text;
}

v8::Local<v8::String> text_of(v8::Isolate* isolate, std::string_view text) {
  return runtime::to_js(isolate, text).FromMaybe(v8::String::Empty(isolate));
}

// An Error with code, library and reason of the oldest error in the queue; empty if there is none.
v8::MaybeLocal<v8::Value> take_error(v8::Isolate* isolate) {
  const unsigned long first = ERR_peek_error();
  const char* const library = ERR_lib_error_string(first);
  const char* const reason = ERR_reason_error_string(first);
  const std::string message = newest_error();
  if (reason == nullptr) return {};
  const v8::Local<v8::Object> error =
      v8::Exception::Error(text_of(isolate, message)).As<v8::Object>();
  if (library != nullptr) runtime::set(isolate, error, "library", std::string_view(library));
  runtime::set(isolate, error, "reason", std::string_view(reason));
  std::string code = "ERR_SSL_";
  for (const char* at = reason; *at != '\0'; ++at) {
    code += *at == ' ' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(*at)));
  }
  runtime::set(isolate, error, "code", std::string_view(code));
  return error.As<v8::Value>();
}

}  // namespace

TlsHandle::TlsHandle(Realm& realm, SecureContext& context, bool is_server, StreamHandle* stream,
                     bool is_held)
    : Wrap(realm, kind_of<TlsHandle>(), realm.state<TlsState>().pattern.Get(realm.isolate())),
      stream_(stream),
      is_server_(is_server),
      is_held_(is_held) {
  set_up(context);
  if (stream_ != nullptr) stream_->attach(*this);
  release();
}

TlsHandle::~TlsHandle() {
  if (has_consumer()) consumer()->on_closed();
  if (stream_ != nullptr) stream_->detach_consumer();
}

void TlsHandle::set_up(SecureContext& context) {
  ssl_.reset(SSL_new(context.get()));
  BIO* const bio = ssl_ != nullptr ? wires_.make_bio() : nullptr;
  RONDO_ASSERT(bio != nullptr);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_mode(ssl_.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_AUTO_RETRY |
                               SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_set_app_data(ssl_.get(), this);
  Callbacks::install(ssl_.get(), context.get(), is_server_);
  if (is_server_) {
    SSL_set_accept_state(ssl_.get());
  } else {
    SSL_set_connect_state(ssl_.get());
  }
}

v8::MaybeLocal<v8::Value> TlsHandle::call(TlsHook hook,
                                          std::initializer_list<v8::Local<v8::Value>> arguments) {
  if (!has_object()) return {};
  return JsEntry::call(realm(), realm().state<TlsState>().hook(hook), object(), arguments);
}

void TlsHandle::call_stream(StreamHook hook,
                            std::initializer_list<v8::Local<v8::Value>> arguments) {
  if (!has_object()) return;
  JsEntry::call(realm(), realm().state<StreamState>().hook(hook), object(), arguments);
}

void TlsHandle::start() {
  if (is_started_) return;
  is_started_ = true;
  // Reading begins the handshake, too.
  cycle();
}

void TlsHandle::resume() {
  is_held_ = false;
  flush();
}

void TlsHandle::on_read(StreamSource&, Result<std::span<std::byte>> data) {
  const v8::HandleScope handles(isolate());
  // JavaScript may drop the last reference meanwhile.
  [[maybe_unused]] const v8::Local<v8::Object> self = object();
  if (!data) return receive_end(-data.error().code);
  if (data->empty()) return receive_end(0);
  receive(*data);
}

void TlsHandle::receive(std::span<const std::byte> bytes) {
  if (is_at_end_ || ssl() == nullptr) return;
  // Queue the bytes behind those that an outer call has not processed yet.
  wires_.keep();
  wires_.offer(bytes);
  cycle();
  wires_.keep();
}

void TlsHandle::receive_end(int code) {
  if (is_at_end_) return;
  // Everything that was read comes first.
  read_clear();
  if (code == 0) {
    if (is_at_end_) return;
    is_at_end_ = true;
  }
  deliver_end(code);
}

void TlsHandle::on_written(StreamHandle&, Result<void> outcome) {
  const v8::HandleScope handles(isolate());
  [[maybe_unused]] const v8::Local<v8::Object> self = object();
  after_write(code_of(outcome));
}

void TlsHandle::on_closed() { stream_ = nullptr; }

// Encrypts, decrypts and sends until nothing is left to do. A hook may call this again: the
// outermost call then makes another round.
void TlsHandle::cycle() {
  if (cycles_ == 0 && uses_ > 0) return later(&TlsHandle::cycle);
  if (++cycles_ > 1) return;
  for (; cycles_ > 0; --cycles_) {
    write_pending();
    read_clear();
    write_pending();
    flush();
  }
}

// Decrypts one record, if a complete one has arrived.
TlsHandle::Decrypted TlsHandle::decrypt(std::byte* out) {
  constexpr int kMost = static_cast<int>(kRecord);
  const Use use(*this);
  const int size = SSL_read(ssl_.get(), out, kMost);
  Decrypted result{.size = size, .failure = SSL_ERROR_NONE, .error = {}};
  if (size > 0 || ssl() == nullptr) return result;
  result.failure = SSL_get_error(ssl_.get(), size);
  if (result.failure == SSL_ERROR_SSL || result.failure == SSL_ERROR_SYSCALL) {
    result.error = take_error(isolate());
  }
  return result;
}

void TlsHandle::read_clear() {
  if (is_at_end_ || ssl() == nullptr) return;
  if (uses_ > 0) return later(&TlsHandle::cycle);
  auto& shared = realm().state<TlsState>();
  for (;;) {
    const v8::HandleScope handles(isolate());
    // OpenSSL's callbacks may decrypt for other connections.
    const bool is_in_room = !shared.is_room_in_use;
    std::unique_ptr<std::byte[]> own;
    if (!is_in_room) own.reset(new std::byte[kRecord]);
    std::byte* const out = is_in_room ? realm().state<StreamState>().room().data() : own.get();
    if (is_in_room) shared.is_room_in_use = true;
    const Decrypted result = decrypt(out);
    if (is_in_room) shared.is_room_in_use = false;
    if (ssl() == nullptr) return;
    if (result.size <= 0) return report_failure(result);
    deliver({out, static_cast<size_t>(result.size)}, is_in_room);
    if (ssl() == nullptr) return;
  }
}

void TlsHandle::deliver(std::span<std::byte> bytes, bool is_in_room) {
  bytes_read_ += bytes.size();
  if (!has_consumer() || target_ != nullptr) return deliver_to_lib(bytes);
  // The bytes stay where they are until the consumer has returned.
  auto& shared = realm().state<TlsState>();
  if (is_in_room) shared.is_room_in_use = true;
  consumer()->on_read(*this, bytes);
  if (is_in_room) shared.is_room_in_use = false;
}

void TlsHandle::pass(Result<std::span<std::byte>> data) {
  if (data) deliver_to_lib(*data);
}

StreamPiece TlsHandle::keep_data(std::span<const std::byte> data) {
  auto& memory = realm().state<StreamState>();
  return memory.room().data() == data.data() ? memory.keep_room(data.size())
                                             : memory.keep_copy(data);
}

void TlsHandle::deliver_to_lib(std::span<const std::byte> bytes) {
  const v8::HandleScope handles(isolate());
  while (target_ != nullptr && !bytes.empty()) {
    const std::shared_ptr<v8::BackingStore> memory = target_;
    const size_t size = std::min(bytes.size(), target_bytes_.size());
    std::memcpy(target_bytes_.data(), bytes.data(), size);
    bytes = bytes.subspan(size);
    call_stream(StreamHook::read, {v8::Integer::New(isolate(), static_cast<int>(size))});
    if (ssl() == nullptr) return;
  }
  if (bytes.empty()) return;
  const StreamPiece piece = keep_data(bytes);
  call_stream(StreamHook::read,
              {v8::Integer::New(isolate(), static_cast<int>(bytes.size())), piece.buffer,
               v8::Integer::NewFromUnsigned(isolate(), static_cast<uint32_t>(piece.offset))});
  realm().state<AfterRead>().run();
}

void TlsHandle::deliver_end(int code) {
  const v8::HandleScope handles(isolate());
  call_stream(StreamHook::read, {v8::Integer::New(isolate(), code)});
}

void TlsHandle::read_into(std::shared_ptr<v8::BackingStore> memory, size_t offset, size_t size) {
  target_bytes_ = {static_cast<std::byte*>(memory->Data()) + offset, size};
  target_ = std::move(memory);
}

void TlsHandle::report_failure(const Decrypted& result) {
  if (result.failure == SSL_ERROR_ZERO_RETURN) {
    if (is_at_end_) return;
    is_at_end_ = true;
    return deliver_end(0);
  }
  v8::Local<v8::Value> error;
  if (!result.error.ToLocal(&error)) return;
  // Send the alert that OpenSSL has written for the peer.
  if (!wires_.outgoing.is_empty()) flush();
  call(TlsHook::error, {error});
}

// One SSL_write() per 16 KiB of all parts together, so that the size of records does not depend on
// how the data is divided.
ptrdiff_t TlsHandle::encrypt(std::span<const iovec> parts) {
  // Called from a hook: the data must follow what OpenSSL itself is sending, such as session
  // tickets.
  if (uses_ > 0) {
    if (cycles_ == 0) later(&TlsHandle::cycle);
    return 0;
  }
  const Use use(*this);
  const size_t total = total_of(parts);
  wires_.outgoing.reserve(total + (total / kRecord + 1) * kOverhead);
  char joined[kRecord];
  size_t written = 0;
  size_t offset = 0;  // In the first part.
  while (written < total) {
    while (parts.front().iov_len == offset) {
      parts = parts.subspan(1);
      offset = 0;
    }
    const size_t size = std::min(kRecord, total - written);
    const char* bytes = static_cast<const char*>(parts.front().iov_base) + offset;
    if (parts.front().iov_len - offset >= size) {
      offset += size;
    } else {
      for (size_t filled = 0; filled < size;) {
        const size_t copied = std::min(size - filled, parts.front().iov_len - offset);
        std::memcpy(joined + filled, static_cast<const char*>(parts.front().iov_base) + offset,
                    copied);
        filled += copied;
        offset += copied;
        if (offset < parts.front().iov_len) continue;
        parts = parts.subspan(1);
        offset = 0;
      }
      bytes = joined;
    }
    const int outcome = SSL_write(ssl_.get(), bytes, static_cast<int>(size));
    if (outcome <= 0) {
      if (ssl() == nullptr) return -1;
      const int error = SSL_get_error(ssl_.get(), outcome);
      if (error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL) {
        write_error_ = newest_error();
        return -1;
      }
      break;
    }
    written += size;
  }
  return static_cast<ptrdiff_t>(written);
}

int TlsHandle::send(std::span<const iovec> parts) {
  constexpr int kQueued = static_cast<int>(WriteState::queued);
  if (ssl() == nullptr) return -EPROTO;
  const size_t total = total_of(parts);
  if (total == 0) {
    // Sends no record, but lets OpenSSL continue, for example with a new handshake.
    read_clear();
    ++writes_;
    // During the handshake, or behind other data, the write completes in its turn like any other.
    if (!is_established_ || is_flushing_ || !wires_.outgoing.is_empty() || ssl() == nullptr) {
      flush();
    } else {
      later(&TlsHandle::finish_empty_write);
    }
    return kQueued;
  }
  ptrdiff_t written = 0;
  // Earlier data must be encrypted first.
  if (pending_.empty()) written = encrypt(parts);
  if (written < 0) return -EPROTO;
  bytes_written_ += total;
  ++writes_;
  auto skipped = static_cast<size_t>(written);
  for (const iovec& part : parts) {
    const size_t skip = std::min(skipped, part.iov_len);
    skipped -= skip;
    pending_.append(static_cast<const char*>(part.iov_base) + skip, part.iov_len - skip);
  }
  is_sending_ = true;
  flush();
  is_sending_ = false;
  const int failure = std::exchange(send_failure_, 0);
  if (failure == 0) return kQueued;
  --writes_;
  return failure;
}

void TlsHandle::write_pending() {
  if (pending_.empty() || ssl() == nullptr) return;
  const std::string bytes = std::move(pending_);
  pending_.clear();
  const iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  const ptrdiff_t written = encrypt({&part, 1});
  if (written < 0) {
    reports_writes_ = true;
    return report_written(-EPROTO);
  }
  pending_.insert(0, bytes, static_cast<size_t>(written));
}

// Sends what OpenSSL has written, unless something must happen first.
void TlsHandle::flush() {
  if (hello_step_ == Step::running || is_flushing_ || awaits_session_ || is_held_) return;
  // A function of OpenSSL is on the stack: its caller flushes when it has returned.
  if (uses_ > 0 && !is_shut_) return;
  if (is_established_ && writes_ > 0) reports_writes_ = true;
  if (ssl() == nullptr) return;
  if (!wires_.outgoing.is_empty()) return send_outgoing();
  if (!pending_.empty()) return;
  if (!is_sending_) return report_written(0);
  // A write is never reported inside send().
  if (!after_writes_.is_set()) later(&TlsHandle::finish_queued_writes);
}

void TlsHandle::send_outgoing() {
  is_flushing_ = true;
  Outgoing& outgoing = wires_.outgoing;
  in_flight_bytes_ = outgoing.size();
  const v8::HandleScope handles(isolate());
  if (stream_ == nullptr) {
    const size_t size = outgoing.size();
    const v8::Local<v8::Value> bytes = copy_of(isolate(), outgoing.bytes().data(), size);
    outgoing.release();
    call(TlsHook::outgoing, {bytes});
    return;
  }
  iovec part{outgoing.bytes().data(), outgoing.size()};
  const auto keep = [&outgoing](std::span<iovec>) {
    return WriteMemory{.bytes = outgoing.release()};
  };
  const Result<WriteState> state = stream_->write(std::span(&part, 1), keep, this);
  outgoing.release();
  if (!state && is_sending_) {
    send_failure_ = -state.error().code;
  } else if (!state) {
    report_written(-state.error().code);
  } else if (*state == WriteState::sent) {
    // Node reports it in the check phase.
    later(&TlsHandle::finish_flush);
  }
}

void TlsHandle::later(void (TlsHandle::*step)()) {
  runtime::NativeImmediate& immediate = step == &TlsHandle::finish_flush ? after_flush_
                                        : step == &TlsHandle::cycle      ? next_cycle_
                                                                         : after_writes_;
  // Keep the object alive until the immediate runs.
  hold();
  immediate.set(realm(), [this, step] {
    const v8::HandleScope handles(isolate());
    [[maybe_unused]] const v8::Local<v8::Object> self = object();
    if (!after_flush_.is_set() && !after_writes_.is_set() && !next_cycle_.is_set()) release();
    (this->*step)();
  });
}

void TlsHandle::sent(int status) {
  if (is_flushing_) after_write(status);
}

void TlsHandle::after_write(int status) {
  if (ssl() == nullptr) status = -ECANCELED;
  in_flight_bytes_ = 0;
  if (status != 0) {
    // A failure to send the closing alert is not an error of the program's writes.
    if (!is_shut_) report_written(status);
    return;
  }
  write_pending();
  is_flushing_ = false;
  flush();
}

void TlsHandle::finish_empty_write() {
  reports_writes_ = true;
  report_written(0);
}

void TlsHandle::report_written(int status) {
  if (!reports_writes_) return;
  const v8::HandleScope handles(isolate());
  v8::Local<v8::Value> reason = v8::Undefined(isolate());
  if (status == -EPROTO && !write_error_.empty()) reason = text_of(isolate(), write_error_);
  for (uint32_t count = std::exchange(writes_, 0); count > 0; --count) {
    call_stream(StreamHook::written, {v8::Integer::New(isolate(), status), reason});
  }
}

void TlsHandle::send_close_notify() {
  if (ssl() != nullptr) {
    const Use use(*this);
    // The second call processes the peer's alert, if it has arrived.
    if (SSL_shutdown(ssl_.get()) == 0) SSL_shutdown(ssl_.get());
  }
  is_shut_ = true;
  // Not deferred, because the caller ends the stream next.
  flush();
}

void TlsHandle::destroy_ssl() {
  if (ssl() == nullptr) return;
  const v8::HandleScope handles(isolate());
  is_doomed_ = true;
  if (uses_ == 0) ssl_.reset();
  if (stream_ != nullptr) {
    stream_->detach_consumer();
    stream_ = nullptr;
  }
  target_.reset();
  pending_.clear();
  reports_writes_ = true;
  report_written(-ECANCELED);
}

}  // namespace rondo::bindings::tls

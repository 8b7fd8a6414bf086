// The TLS engine of a TLSSocket: it has the interface of a StreamHandle to JavaScript, and is the
// StreamConsumer of the stream that carries the encrypted bytes. That stream may also be a Duplex
// of JavaScript, which lib then reads and writes.
//
//   records that were read -> Wires -> SSL_read  -> StreamHook::read, one chunk per record
//   send()                 -> SSL_write -> Wires -> one write of the stream
//
// JavaScript may run inside calls of OpenSSL: most of OpenSSL's callbacks call lib. It may destroy
// the connection there; the SSL is freed when the outermost call has returned.
// The object is weak: the stream's object refers to it while there is one.
// Shared by the files of this folder. Phases: poll, check, pending. Thread: the loop's only.
#pragma once

#include <array>
#include <string>

#include "bindings/net/stream_handle.h"
#include "bindings/tls/secure_context.h"
#include "bindings/tls/wires.h"
#include "runtime/engine/native_immediates.h"

namespace rondo::bindings::tls {

// The functions of lib/internal/tls/handle.js. The receiver is the object of the TlsHandle.
enum class TlsHook : uint8_t {
  handshake_start,  // (milliseconds on a steady clock)
  handshake_done,   // ()
  client_hello,     // (session id, has a ticket): the handshake waits for end_hello().
  certificate,      // (server name, OCSP response requested): it waits for finish_certificate().
  server_name,      // (name): the client has asked for this server.
  new_session,      // (id, session): a server's handshake waits for finish_new_session().
  key_log,          // (line)
  ocsp_response,    // (bytes or null)
  alpn,             // (offered protocols) returns the offset of the chosen one, or undefined.
  psk_server,       // (identity, most bytes) returns the key as a view, or undefined.
  psk_client,       // (hint or null, most bytes, most identity bytes) returns [key, identity].
  error,            // (error): the connection is unusable.
  outgoing,         // (bytes): to be sent by JavaScript, which then calls sent().
  count,
};

class TlsState {
 public:
  explicit TlsState(runtime::Realm& realm) : realm_(realm) {}

  void set_hook(TlsHook hook, v8::Local<v8::Function> function) {
    hooks_[static_cast<size_t>(hook)].Reset(realm_.isolate(), function);
  }
  v8::Local<v8::Function> hook(TlsHook hook) const {
    return hooks_[static_cast<size_t>(hook)].Get(realm_.isolate());
  }

  v8::Global<v8::Object> pattern;
  // The memory that all connections share for decrypted records is in use.
  bool is_room_in_use = false;

 private:
  runtime::Realm& realm_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(TlsHook::count)> hooks_;
};

class TlsHandle final : public runtime::Wrap, public StreamConsumer, public StreamSource {
 public:
  // If `stream` is null, JavaScript carries the encrypted bytes with receive(), receive_end() and
  // sent(). If `is_held`, nothing is sent before resume().
  TlsHandle(runtime::Realm& realm, SecureContext& context, bool is_server, StreamHandle* stream,
            bool is_held);
  ~TlsHandle() override;

  static TlsHandle* of(const SSL* ssl) { return static_cast<TlsHandle*>(SSL_get_app_data(ssl)); }

  bool is_server() const { return is_server_; }
  StreamHandle* stream() const { return stream_; }
  // Null once destroyed.
  SSL* ssl() const { return is_doomed_ ? nullptr : ssl_.get(); }
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_written() const { return bytes_written_; }
  size_t queued_bytes() const { return wires_.outgoing.size() + in_flight_bytes_; }

  // Begins the handshake of a client.
  void start();
  void resume();
  // Encrypts and sends: queued; -EPROTO if the connection is unusable; or the error of the stream.
  int send(std::span<const iovec> parts);
  // Sends the alert that ends our side.
  void send_close_notify();
  void read_into(std::shared_ptr<v8::BackingStore> memory, size_t offset, size_t size);
  // Frees the SSL, and cancels writes.
  void destroy_ssl();

  // For streams of JavaScript, and for data that arrived before the socket became a TLSSocket.
  void receive(std::span<const std::byte> bytes);
  void receive_end(int code);
  void sent(int status);

  // Answers to hooks.
  void end_hello();
  void load_session(Session session) { session_to_resume_ = std::move(session); }
  // False with OpenSSL's errors if the context cannot be used.
  bool finish_certificate(const SecureContext* context);
  void finish_new_session();
  void set_ocsp_response(std::string response) { ocsp_response_ = std::move(response); }

  // Settings before the handshake.
  void set_verify_mode(bool requests, bool rejects);
  void enable_session_hooks();
  void enable_key_log();
  void enable_certificate_hook() { certificate_step_ = Step::wanted; }
  void enable_alpn_hook();
  void enable_psk_hooks();
  void set_alpn_protocols(std::string protocols);
  void enable_trace();

  void on_read(StreamSource& source, Result<std::span<std::byte>> data) override;
  void on_written(StreamHandle& stream, Result<void> outcome) override;
  void on_closed() override;
  // The decrypted data. Its end, and errors, always go to JavaScript.
  StreamSource* inner_source() override { return this; }
  bool is_readable() const override { return ssl() != nullptr; }
  void pass(Result<std::span<std::byte>> data) override;
  StreamPiece keep_data(std::span<const std::byte> data) override;

 private:
  friend struct Callbacks;
  // The state of a step of the handshake that JavaScript decides, and for which OpenSSL waits.
  enum class Step : uint8_t { unwanted, wanted, running, done };

  // Keeps the SSL while one of OpenSSL's functions runs.
  class Use {
   public:
    explicit Use(TlsHandle& handle) : handle_(handle) {
      ++handle.uses_;
      clear_errors();
    }
    ~Use() {
      clear_errors();
      if (--handle_.uses_ == 0 && handle_.is_doomed_) handle_.ssl_.reset();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    // ERR_clear_error() takes as long as a tenth of a small record: it frees all 16 entries.
    static void clear_errors() {
      if (ERR_peek_error() != 0) ERR_clear_error();
    }
    TlsHandle& handle_;
  };

  void set_up(SecureContext& context);
  v8::MaybeLocal<v8::Value> call(TlsHook hook,
                                 std::initializer_list<v8::Local<v8::Value>> arguments);
  void call_stream(StreamHook hook, std::initializer_list<v8::Local<v8::Value>> arguments);
  void cycle();
  void write_pending();
  void read_clear();
  void deliver(std::span<std::byte> bytes, bool is_in_room);
  void deliver_to_lib(std::span<const std::byte> bytes);
  void deliver_end(int code);
  struct Decrypted {
    int size;
    int failure;  // SSL_get_error(), if nothing was read.
    v8::MaybeLocal<v8::Value> error;
  };
  Decrypted decrypt(std::byte* out);
  void report_failure(const Decrypted& result);
  // Returns the bytes that OpenSSL has taken; -1 after an error that is not a wait.
  ptrdiff_t encrypt(std::span<const iovec> parts);
  void flush();
  void send_outgoing();
  void after_write(int status);
  void later(void (TlsHandle::*step)());
  void finish_flush() { after_write(0); }
  void finish_empty_write();
  void finish_queued_writes() { report_written(0); }
  void report_written(int status);

  Wires wires_;
  Bio trace_;
  Ssl ssl_;  // Refers to wires_ and trace_.
  StreamHandle* stream_;
  std::string pending_;                       // Plaintext that waits for the handshake.
  std::shared_ptr<v8::BackingStore> target_;  // Of read_into().
  std::span<std::byte> target_bytes_;
  Session session_to_resume_;
  std::string ocsp_response_;
  std::string alpn_protocols_;
  std::string write_error_;  // OpenSSL's text for a write that failed.
  runtime::NativeImmediate after_flush_;
  runtime::NativeImmediate after_writes_;
  runtime::NativeImmediate next_cycle_;
  uint64_t bytes_read_ = 0;
  uint64_t bytes_written_ = 0;
  size_t in_flight_bytes_ = 0;
  uint32_t writes_ = 0;   // Not reported to lib yet.
  int send_failure_ = 0;  // Of the stream, inside send().
  uint32_t uses_ = 0;
  uint32_t cycles_ = 0;
  Step hello_step_ = Step::unwanted;
  Step certificate_step_ = Step::unwanted;
  bool is_server_ : 1;
  bool is_held_ : 1;
  bool is_started_ : 1 = false;
  bool is_established_ : 1 = false;
  bool is_at_end_ : 1 = false;
  bool is_shut_ : 1 = false;
  bool is_doomed_ : 1 = false;
  bool is_sending_ : 1 = false;   // Inside send().
  bool is_flushing_ : 1 = false;  // A write of the stream is in flight.
  bool reports_writes_ : 1 = false;
  bool has_session_hooks_ : 1 = false;
  bool has_alpn_hook_ : 1 = false;
  bool awaits_session_ : 1 = false;
};

// OpenSSL's callbacks.
struct Callbacks {
  static void install(SSL* ssl, SSL_CTX* context, bool is_server);
  static int verify(int is_valid, X509_STORE_CTX* chain);
  static void info(const SSL* ssl, int where, int value);
  static int client_hello(SSL* ssl, int* alert, void* unused);
  static int certificate(SSL* ssl, void* unused);
  static int server_name(SSL* ssl, int* alert, void* unused);
  static SSL_SESSION* get_session(SSL* ssl, const unsigned char* id, int size, int* copies);
  static int new_session(SSL* ssl, SSL_SESSION* session);
  static int status(SSL* ssl, void* unused);
  static int select_alpn(SSL* ssl, const unsigned char** out, unsigned char* size,
                         const unsigned char* in, unsigned int in_size, void* unused);
  static void key_log(const SSL* ssl, const char* line);
  static unsigned int psk_server(SSL* ssl, const char* identity, unsigned char* key,
                                 unsigned int most);
  static unsigned int psk_client(SSL* ssl, const char* hint, char* identity,
                                 unsigned int most_identity, unsigned char* key, unsigned int most);
};

}  // namespace rondo::bindings::tls

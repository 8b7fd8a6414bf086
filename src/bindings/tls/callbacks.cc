// OpenSSL's callbacks of a connection. They run inside SSL_read() and SSL_write(), and most call
// lib.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "bindings/tls/handle.h"
#include "loop/loop.h"

namespace rondo::bindings::tls {

namespace {

// Larger sessions are not given to programs.
constexpr int kLargestSession = 10 * 1024;

v8::Local<v8::Value> name_of(v8::Isolate* isolate, const SSL* ssl) {
  const char* const name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  return runtime::to_js(isolate, name != nullptr ? name : "").FromMaybe(v8::String::Empty(isolate));
}

}  // namespace

void Callbacks::install(SSL* ssl, SSL_CTX* context, bool is_server) {
  // An invalid certificate does not fail the handshake: lib checks the result afterwards, and
  // closes the connection.
  SSL_set_verify(ssl, SSL_VERIFY_NONE, verify);
  SSL_set_info_callback(ssl, info);
  SSL_set_cert_cb(ssl, certificate, nullptr);
  SSL_CTX_sess_set_get_cb(context, get_session);
  SSL_CTX_sess_set_new_cb(context, new_session);
  SSL_CTX_set_tlsext_status_cb(context, status);
  if (!is_server) return;
  SSL_CTX_set_tlsext_servername_callback(context, server_name);
  SSL_CTX_set_client_hello_cb(context, client_hello, nullptr);
}

int Callbacks::verify(int, X509_STORE_CTX*) { return 1; }

void Callbacks::info(const SSL* ssl, int where, int) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  const v8::HandleScope handles(handle->isolate());
  if ((where & SSL_CB_HANDSHAKE_START) != 0) {
    handle->call(TlsHook::handshake_start,
                 {v8::Number::New(handle->isolate(), handle->realm().now_ms())});
  }
  // OpenSSL also reports the request for another handshake.
  if ((where & SSL_CB_HANDSHAKE_DONE) != 0 && SSL_renegotiate_pending(ssl) == 0) {
    handle->is_established_ = true;
    handle->call(TlsHook::handshake_done, {});
  }
}

int Callbacks::client_hello(SSL* ssl, int*, void*) {
  using Step = TlsHandle::Step;
  TlsHandle* const handle = TlsHandle::of(ssl);
  if (handle->hello_step_ == Step::running) return SSL_CLIENT_HELLO_RETRY;
  if (handle->hello_step_ != Step::wanted) return SSL_CLIENT_HELLO_SUCCESS;
  handle->hello_step_ = Step::running;
  v8::Isolate* const isolate = handle->isolate();
  const v8::HandleScope handles(isolate);
  const unsigned char* id = nullptr;
  const size_t size = SSL_client_hello_get0_session_id(ssl, &id);
  const unsigned char* ticket = nullptr;
  size_t ticket_size = 0;
  const bool has_ticket =
      SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_session_ticket, &ticket, &ticket_size) == 1 &&
      ticket_size > 0;
  handle->call(TlsHook::client_hello,
               {copy_of(isolate, id, size), v8::Boolean::New(isolate, has_ticket)});
  return handle->hello_step_ == Step::running ? SSL_CLIENT_HELLO_RETRY : SSL_CLIENT_HELLO_SUCCESS;
}

int Callbacks::certificate(SSL* ssl, void*) {
  using Step = TlsHandle::Step;
  constexpr int kGoOn = 1;
  constexpr int kWait = -1;
  TlsHandle* const handle = TlsHandle::of(ssl);
  if (!handle->is_server_) return kGoOn;
  if (handle->certificate_step_ == Step::running) return kWait;
  if (handle->certificate_step_ != Step::wanted) return kGoOn;
  handle->certificate_step_ = Step::running;
  v8::Isolate* const isolate = handle->isolate();
  const v8::HandleScope handles(isolate);
  const bool wants_status = SSL_get_tlsext_status_type(ssl) == TLSEXT_STATUSTYPE_ocsp;
  handle->call(TlsHook::certificate,
               {name_of(isolate, ssl), v8::Boolean::New(isolate, wants_status)});
  return handle->certificate_step_ == Step::running ? kWait : kGoOn;
}

int Callbacks::server_name(SSL* ssl, int*, void*) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  if (SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) == nullptr) return SSL_TLSEXT_ERR_NOACK;
  const v8::HandleScope handles(handle->isolate());
  handle->call(TlsHook::server_name, {name_of(handle->isolate(), ssl)});
  return SSL_TLSEXT_ERR_NOACK;
}

SSL_SESSION* Callbacks::get_session(SSL* ssl, const unsigned char*, int, int* copies) {
  *copies = 0;
  return TlsHandle::of(ssl)->session_to_resume_.release();
}

int Callbacks::new_session(SSL* ssl, SSL_SESSION* session) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  const int size = i2d_SSL_SESSION(session, nullptr);
  if (!handle->has_session_hooks_ || size <= 0 || size > kLargestSession) return 0;
  v8::Isolate* const isolate = handle->isolate();
  const v8::HandleScope handles(isolate);
  std::string bytes(static_cast<size_t>(size), '\0');
  auto* out = reinterpret_cast<unsigned char*>(bytes.data());
  i2d_SSL_SESSION(session, &out);
  unsigned int id_size = 0;
  const unsigned char* const id = SSL_SESSION_get_id(session, &id_size);
  // Only a server waits until the program has stored the session.
  if (handle->is_server_) handle->awaits_session_ = true;
  handle->call(TlsHook::new_session,
               {copy_of(isolate, id, id_size), copy_of(isolate, bytes.data(), bytes.size())});
  return 0;
}

int Callbacks::status(SSL* ssl, void*) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  if (!handle->is_server_) {
    v8::Isolate* const isolate = handle->isolate();
    const v8::HandleScope handles(isolate);
    const unsigned char* response = nullptr;
    const auto size = SSL_get_tlsext_status_ocsp_resp(ssl, &response);
    v8::Local<v8::Value> bytes = v8::Null(isolate);
    if (response != nullptr) bytes = copy_of(isolate, response, static_cast<size_t>(size));
    handle->call(TlsHook::ocsp_response, {bytes});
    // Always accept: a listener that rejects the response closes the connection.
    return 1;
  }
  const std::string response = std::move(handle->ocsp_response_);
  handle->ocsp_response_.clear();
  if (response.empty()) return SSL_TLSEXT_ERR_NOACK;
  auto* const copy = static_cast<unsigned char*>(OPENSSL_malloc(response.size()));
  if (copy == nullptr) return SSL_TLSEXT_ERR_NOACK;
  std::copy(response.begin(), response.end(), copy);
  // OpenSSL owns the copy from here on.
  if (SSL_set_tlsext_status_ocsp_resp(ssl, copy, static_cast<long>(response.size())) != 1) {
    OPENSSL_free(copy);
  }
  return SSL_TLSEXT_ERR_OK;
}

int Callbacks::select_alpn(SSL* ssl, const unsigned char** out, unsigned char* size,
                           const unsigned char* in, unsigned int in_size, void*) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  if (!handle->has_alpn_hook_) {
    const std::string& own = handle->alpn_protocols_;
    if (own.empty()) return SSL_TLSEXT_ERR_NOACK;
    const int outcome = SSL_select_next_proto(const_cast<unsigned char**>(out), size,
                                              reinterpret_cast<const unsigned char*>(own.data()),
                                              static_cast<unsigned>(own.size()), in, in_size);
    return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  v8::Isolate* const isolate = handle->isolate();
  const v8::HandleScope handles(isolate);
  v8::Local<v8::Value> offset;
  if (!handle->call(TlsHook::alpn, {copy_of(isolate, in, in_size)}).ToLocal(&offset) ||
      !offset->IsUint32()) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  const uint32_t at = offset.As<v8::Uint32>()->Value();
  if (at >= in_size || at + 1 + in[at] > in_size) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *size = in[at];
  *out = in + at + 1;
  return SSL_TLSEXT_ERR_OK;
}

void Callbacks::key_log(const SSL* ssl, const char* line) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  const v8::HandleScope handles(handle->isolate());
  const std::string text = std::string(line) + "\n";
  handle->call(TlsHook::key_log, {copy_of(handle->isolate(), text.data(), text.size())});
}

unsigned int Callbacks::psk_server(SSL* ssl, const char* identity, unsigned char* key,
                                   unsigned int most) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  v8::Isolate* const isolate = handle->isolate();
  const v8::HandleScope handles(isolate);
  v8::Local<v8::String> name;
  if (!runtime::to_js(isolate, identity).ToLocal(&name)) return 0;
  // Reject an identity that is not valid UTF-8, which lib would get changed.
  if (runtime::to_std(isolate, name) != identity) return 0;
  v8::Local<v8::Value> answer;
  if (!handle->call(TlsHook::psk_server, {name, v8::Integer::NewFromUnsigned(isolate, most)})
           .ToLocal(&answer)) {
    return 0;
  }
  runtime::Bytes bytes;
  if (!runtime::bytes_of(answer, &bytes) || bytes.size > most) return 0;
  std::memcpy(key, bytes.data, bytes.size);
  return static_cast<unsigned>(bytes.size);
}

unsigned int Callbacks::psk_client(SSL* ssl, const char* hint, char* identity,
                                   unsigned int most_identity, unsigned char* key,
                                   unsigned int most) {
  TlsHandle* const handle = TlsHandle::of(ssl);
  v8::Isolate* const isolate = handle->isolate();
  const v8::HandleScope handles(isolate);
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Value> text = v8::Null(isolate);
  if (hint != nullptr) {
    v8::Local<v8::String> given;
    if (!runtime::to_js(isolate, hint).ToLocal(&given)) return 0;
    text = given;
  }
  v8::Local<v8::Value> answer;
  if (!handle
           ->call(TlsHook::psk_client, {text, v8::Integer::NewFromUnsigned(isolate, most),
                                        v8::Integer::NewFromUnsigned(isolate, most_identity)})
           .ToLocal(&answer) ||
      !answer->IsArray()) {
    return 0;
  }
  v8::Local<v8::Value> secret;
  v8::Local<v8::Value> name;
  if (!answer.As<v8::Array>()->Get(context, 0).ToLocal(&secret)) return 0;
  if (!answer.As<v8::Array>()->Get(context, 1).ToLocal(&name)) return 0;
  runtime::Bytes bytes;
  if (!runtime::bytes_of(secret, &bytes) || bytes.size > most || !name->IsString()) return 0;
  const std::string own = runtime::to_std(isolate, name);
  // OpenSSL's buffer has one more byte, for the terminating zero.
  if (own.size() > most_identity) return 0;
  std::memcpy(identity, own.c_str(), own.size() + 1);
  std::memcpy(key, bytes.data, bytes.size);
  return static_cast<unsigned>(bytes.size);
}

void TlsHandle::set_verify_mode(bool requests, bool rejects) {
  if (ssl() == nullptr) return;
  int mode = SSL_VERIFY_NONE;
  // Servers always send a certificate, which a client checks after the handshake.
  if (is_server_ && requests) mode = SSL_VERIFY_PEER;
  if (is_server_ && requests && rejects) mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  SSL_set_verify(ssl_.get(), mode, Callbacks::verify);
}

void TlsHandle::enable_session_hooks() {
  has_session_hooks_ = true;
  if (is_server_ && hello_step_ == Step::unwanted) hello_step_ = Step::wanted;
}

void TlsHandle::enable_key_log() {
  if (ssl() != nullptr)
    SSL_CTX_set_keylog_callback(SSL_get_SSL_CTX(ssl_.get()), Callbacks::key_log);
}

void TlsHandle::enable_alpn_hook() {
  has_alpn_hook_ = true;
  if (ssl() == nullptr) return;
  SSL_CTX_set_alpn_select_cb(SSL_get_SSL_CTX(ssl_.get()), Callbacks::select_alpn, nullptr);
}

void TlsHandle::set_alpn_protocols(std::string protocols) {
  if (ssl() == nullptr) return;
  if (!is_server_) {
    SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(protocols.data()),
                        static_cast<unsigned>(protocols.size()));
    return;
  }
  alpn_protocols_ = std::move(protocols);
  SSL_CTX_set_alpn_select_cb(SSL_get_SSL_CTX(ssl_.get()), Callbacks::select_alpn, nullptr);
}

void TlsHandle::enable_psk_hooks() {
  if (ssl() == nullptr) return;
  SSL_set_psk_server_callback(ssl_.get(), Callbacks::psk_server);
  SSL_set_psk_client_callback(ssl_.get(), Callbacks::psk_client);
}

void TlsHandle::enable_trace() {
  if (ssl() == nullptr) return;
  trace_.reset(BIO_new_fp(stderr, BIO_NOCLOSE | BIO_FP_TEXT));
  SSL_set_msg_callback(ssl_.get(), [](int writes, int version, int type, const void* bytes,
                                      size_t size, SSL* ssl, void* out) {
    // Drop errors of printing, for example if stderr is non-blocking and full.
    ERR_set_mark();
    SSL_trace(writes, version, type, bytes, size, ssl, out);
    ERR_pop_to_mark();
  });
  SSL_set_msg_callback_arg(ssl_.get(), trace_.get());
}

void TlsHandle::end_hello() {
  if (hello_step_ == Step::done) return;
  hello_step_ = Step::done;
  cycle();
}

bool TlsHandle::finish_certificate(const SecureContext* context) {
  if (ssl() == nullptr) return true;
  if (context != nullptr && context->get() != nullptr && !context->apply_to(ssl_.get())) {
    return false;
  }
  certificate_step_ = Step::done;
  cycle();
  return true;
}

void TlsHandle::finish_new_session() {
  awaits_session_ = false;
  cycle();
}

}  // namespace rondo::bindings::tls

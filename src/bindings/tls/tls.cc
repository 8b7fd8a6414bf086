// internalBinding('tls'): the data and the handshake of TLS connections. Except for setHooks(),
// makePattern() and create(), these are methods of the object.
#include "bindings/tls/handle.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"

namespace rondo::bindings {

using runtime::Arguments;
using runtime::Realm;
using runtime::Wrap;

namespace tls {

namespace {

TlsHandle* handle_of(const Arguments& info) { return Wrap::of<TlsHandle>(info.This()); }

// The receiver if it still has an SSL; null otherwise.
TlsHandle* open_handle_of(const Arguments& info) {
  TlsHandle* const handle = handle_of(info);
  return handle != nullptr && handle->ssl() != nullptr ? handle : nullptr;
}

int32_t int_of(v8::Local<v8::Value> value) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : 0;
}

constexpr runtime::Constant kHooks[] = {
    {"onHandshakeStart", TlsHook::handshake_start},
    {"onHandshakeDone", TlsHook::handshake_done},
    {"onClientHello", TlsHook::client_hello},
    {"onCertificate", TlsHook::certificate},
    {"onServerName", TlsHook::server_name},
    {"onNewSession", TlsHook::new_session},
    {"onKeyLog", TlsHook::key_log},
    {"onOcspResponse", TlsHook::ocsp_response},
    {"onAlpn", TlsHook::alpn},
    {"onPskServer", TlsHook::psk_server},
    {"onPskClient", TlsHook::psk_client},
    {"onError", TlsHook::error},
    {"onOutgoing", TlsHook::outgoing},
};
static_assert(runtime::names_all(kHooks, TlsHook::count));

// setHooks({name: function...}): once, before the first connection.
void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto& state = Realm::of(isolate).state<TlsState>();
  runtime::take_functions(isolate, info[0], kHooks,
                          [&state](size_t number, v8::Local<v8::Function> function) {
                            state.set_hook(static_cast<TlsHook>(number), function);
                          });
}

// makePattern(prototype)
void make_pattern(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsObject());
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  const v8::Local<v8::Object> pattern = Wrap::make_pattern(realm, info[0]);
  realm.state<TlsState>().pattern.Reset(isolate, pattern);
  info.GetReturnValue().Set(pattern);
}

// create(context, is server, stream or undefined, is held): the engine of a connection. The stream
// has no other consumer. Returns undefined if the context is closed.
void create(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  auto* const context = Wrap::of<SecureContext>(info[0]);
  auto* const stream = Wrap::of<StreamHandle>(info[2]);
  RONDO_EXPECT(info, context != nullptr);
  RONDO_EXPECT(info, !realm.state<TlsState>().pattern.IsEmpty());
  if (context->get() == nullptr || (stream != nullptr && stream->has_consumer())) return;
  auto* const handle = new TlsHandle(realm, *context, info[1]->IsTrue(), stream, info[3]->IsTrue());
  info.GetReturnValue().Set(handle->object());
}

void start(const Arguments& info) {
  if (TlsHandle* const handle = open_handle_of(info)) handle->start();
}

void resume(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->resume();
}

// send(view), send(text, is latin1), send([chunk, is latin1, chunk, ...]): kQueued or a negative
// errno.
void send(const Arguments& info) {
  TlsHandle* const handle = handle_of(info);
  if (handle == nullptr) return info.GetReturnValue().Set(-EBADF);
  SendData data;
  RONDO_EXPECT(info, read_send_data(info, &data));
  info.GetReturnValue().Set(handle->send(data.parts));
}

void send_close_notify(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->send_close_notify();
}

// readInto(view): decrypted data fills the view from its beginning.
void read_into(const Arguments& info) {
  TlsHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, info[0]->IsArrayBufferView());
  const v8::Local<v8::ArrayBufferView> view = info[0].As<v8::ArrayBufferView>();
  if (handle == nullptr || view->ByteLength() == 0) return;
  handle->read_into(view->Buffer()->GetBackingStore(), view->ByteOffset(), view->ByteLength());
}

// receive(view): encrypted data. The bytes are copied, because JavaScript runs meanwhile.
void receive(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  runtime::Bytes bytes;
  RONDO_EXPECT(info, runtime::bytes_of(info[0], &bytes));
  if (handle == nullptr) return;
  const std::string copy(reinterpret_cast<const char*>(bytes.data), bytes.size);
  handle->receive(std::as_bytes(std::span(copy)));
}

// receiveEnd(0 or a negative errno)
void receive_end(const Arguments& info) {
  if (TlsHandle* const handle = open_handle_of(info)) handle->receive_end(int_of(info[0]));
}

// sent(0 or a negative errno): after onOutgoing().
void sent(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->sent(int_of(info[0]));
}

void destroy_ssl(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->destroy_ssl();
}

void end_parser(const Arguments& info) {
  if (TlsHandle* const handle = open_handle_of(info)) handle->end_hello();
}

// loadSession(bytes): the session that the client wants to resume.
void load_session(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  runtime::Bytes bytes;
  if (handle == nullptr || !runtime::bytes_of(info[0], &bytes)) return;
  const unsigned char* in = bytes.data;
  handle->load_session(Session(d2i_SSL_SESSION(nullptr, &in, static_cast<long>(bytes.size))));
  ERR_clear_error();
}

// finishCertificate(context or undefined): throws if the context cannot be used.
void finish_certificate(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  if (handle == nullptr) return;
  if (handle->finish_certificate(Wrap::of<SecureContext>(info[0]))) return;
  crypto::throw_openssl_error(info.GetIsolate(), "CertCbDone");
}

// setKeyCert(context): for a server, during the handshake.
void set_key_cert(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  auto* const context = Wrap::of<SecureContext>(info[0]);
  if (handle == nullptr || !handle->is_server()) return;
  if (context == nullptr || context->get() == nullptr) {
    return runtime::throw_type_error(info.GetIsolate(),
                                     "Must give a SecureContext as first argument");
  }
  ERR_clear_error();
  if (context->certificate() != nullptr && context->apply_to(handle->ssl())) return;
  crypto::throw_openssl_error(info.GetIsolate(), "SetKeyCert");
}

void new_session_done(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->finish_new_session();
}

// setOCSPResponse(view)
void set_ocsp_response(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  runtime::Bytes bytes;
  if (!info[0]->IsArrayBufferView() || !runtime::bytes_of(info[0], &bytes)) {
    return runtime::throw_coded(info.GetIsolate(), runtime::ErrorClass::type_error,
                                "ERR_INVALID_ARG_TYPE", "OCSP response must be a buffer");
  }
  if (handle == nullptr) return;
  handle->set_ocsp_response(std::string(reinterpret_cast<const char*>(bytes.data), bytes.size));
}

void request_ocsp(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  if (handle != nullptr) SSL_set_tlsext_status_type(handle->ssl(), TLSEXT_STATUSTYPE_ocsp);
}

// setVerifyMode(requests a certificate, rejects a peer without)
void set_verify_mode(const Arguments& info) {
  TlsHandle* const handle = handle_of(info);
  if (handle != nullptr) handle->set_verify_mode(info[0]->IsTrue(), info[1]->IsTrue());
}

void enable_session_callbacks(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->enable_session_hooks();
}
void enable_keylog_callback(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->enable_key_log();
}
void enable_cert_cb(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->enable_certificate_hook();
}
void enable_alpn_cb(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->enable_alpn_hook();
}
void enable_psk_callback(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->enable_psk_hooks();
}
void enable_trace(const Arguments& info) {
  if (TlsHandle* const handle = handle_of(info)) handle->enable_trace();
}

// setPskIdentityHint(text): false if OpenSSL refuses it.
void set_psk_identity_hint(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  if (handle == nullptr) return;
  const std::string hint = runtime::to_std(info.GetIsolate(), info[0]);
  info.GetReturnValue().Set(SSL_use_psk_identity_hint(handle->ssl(), hint.c_str()) == 1);
  ERR_clear_error();
}

// setALPNProtocols(view)
void set_alpn_protocols(const Arguments& info) {
  TlsHandle* const handle = handle_of(info);
  runtime::Bytes bytes;
  if (!info[0]->IsArrayBufferView() || !runtime::bytes_of(info[0], &bytes)) {
    return runtime::throw_type_error(info.GetIsolate(), "Must give a Buffer as first argument");
  }
  if (handle == nullptr) return;
  handle->set_alpn_protocols(std::string(reinterpret_cast<const char*>(bytes.data), bytes.size));
}

void set_servername(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  if (handle == nullptr || handle->is_server()) return;
  const std::string name = runtime::to_std(info.GetIsolate(), info[0]);
  SSL_set_tlsext_host_name(handle->ssl(), name.c_str());
  ERR_clear_error();
}

// setSession(view): of an earlier connection of this client. Ignores bytes that are no session.
void set_session(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  TlsHandle* const handle = open_handle_of(info);
  runtime::Bytes bytes;
  if (!info[0]->IsArrayBufferView() || !runtime::bytes_of(info[0], &bytes)) {
    return runtime::throw_coded(isolate, runtime::ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
                                "Session must be a buffer");
  }
  if (handle == nullptr) return;
  const unsigned char* in = bytes.data;
  const Session session(d2i_SSL_SESSION(nullptr, &in, static_cast<long>(bytes.size)));
  if (session != nullptr && SSL_set_session(handle->ssl(), session.get()) != 1) {
    isolate->ThrowException(
        v8::Exception::Error(runtime::literal(isolate, "SSL_set_session error")));
  }
  ERR_clear_error();
}

void renegotiate(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  if (handle == nullptr) return;
  ERR_clear_error();
  if (SSL_renegotiate(handle->ssl()) != 1) {
    crypto::throw_openssl_error(info.GetIsolate(), "SSL_renegotiate");
  }
}

void set_max_send_fragment(const Arguments& info) {
  TlsHandle* const handle = open_handle_of(info);
  if (handle == nullptr) return;
  info.GetReturnValue().Set(
      static_cast<int>(SSL_set_max_send_fragment(handle->ssl(), int_of(info[0]))));
  ERR_clear_error();
}

// Getters: 0 for a closed connection.
void bytes_read(const Arguments& info) {
  const TlsHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? 0 : static_cast<double>(handle->bytes_read()));
}
void bytes_written(const Arguments& info) {
  const TlsHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? 0 : static_cast<double>(handle->bytes_written()));
}
void queued_bytes(const Arguments& info) {
  const TlsHandle* const handle = handle_of(info);
  info.GetReturnValue().Set(handle == nullptr ? 0 : static_cast<double>(handle->queued_bytes()));
}

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},
    {"makePattern", make_pattern},
    {"create", create},
    {"start", start},
    {"resume", resume},
    {"send", send},
    {"sendCloseNotify", send_close_notify},
    {"readInto", read_into},
    {"receive", receive},
    {"receiveEnd", receive_end},
    {"sent", sent},
    {"destroySSL", destroy_ssl},
    {"endParser", end_parser},
    {"loadSession", load_session},
    {"finishCertificate", finish_certificate},
    {"setKeyCert", set_key_cert},
    {"newSessionDone", new_session_done},
    {"setOCSPResponse", set_ocsp_response},
    {"requestOCSP", request_ocsp},
    {"setVerifyMode", set_verify_mode},
    {"enableSessionCallbacks", enable_session_callbacks},
    {"enableKeylogCallback", enable_keylog_callback},
    {"enableCertCb", enable_cert_cb},
    {"enableALPNCb", enable_alpn_cb},
    {"enablePskCallback", enable_psk_callback},
    {"enableTrace", enable_trace},
    {"setPskIdentityHint", set_psk_identity_hint},
    {"setALPNProtocols", set_alpn_protocols},
    {"setServername", set_servername},
    {"setSession", set_session},
    {"renegotiate", renegotiate},
    {"setMaxSendFragment", set_max_send_fragment},
    {"bytesRead", bytes_read},
    {"bytesWritten", bytes_written},
    {"queuedBytes", queued_bytes},
};

}  // namespace

}  // namespace tls

extern const runtime::Binding tls_streams;
const runtime::Binding tls_streams{"tls", tls::kMethods};

}  // namespace rondo::bindings

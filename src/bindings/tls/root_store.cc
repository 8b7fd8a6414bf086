// internalBinding('tls_roots'): the certificates that are trusted by default.
#include "bindings/tls/root_store.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "runtime/values/binding.h"

// The bundled list in PEM, from the build (cmake/RondoRuntime.cmake).
extern "C" const char rondo_root_certificates[];
extern "C" const char rondo_root_certificates_end[];

namespace rondo::bindings {

using runtime::Arguments;
using runtime::Realm;

namespace tls {

v8::Local<v8::Value> copy_of(v8::Isolate* isolate, const void* bytes, size_t size) {
  crypto::Memory memory(static_cast<uint8_t*>(std::malloc(std::max<size_t>(size, 1))));
  RONDO_ASSERT(memory != nullptr);
  if (size > 0) std::memcpy(memory.get(), bytes, size);
  return runtime::own_memory(isolate, memory.release(), size);
}

v8::Local<v8::Value> der_of(v8::Isolate* isolate, const X509* certificate) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509(certificate, &bytes);
  if (size <= 0) return v8::Undefined(isolate);
  const v8::Local<v8::Value> result = copy_of(isolate, bytes, static_cast<size_t>(size));
  OPENSSL_free(bytes);
  return result;
}

unsigned long read_certificates(BIO* bio, std::vector<Certificate>* list) {
  ERR_set_mark();
  while (X509* certificate = PEM_read_bio_X509(bio, nullptr, no_passphrase, nullptr)) {
    list->emplace_back(certificate);
  }
  const unsigned long error = is_end_of_pem() ? 0 : ERR_peek_last_error();
  ERR_pop_to_mark();
  return error;
}

namespace {

std::string_view bundled_text() {
  return {rondo_root_certificates,
          static_cast<size_t>(rondo_root_certificates_end - rondo_root_certificates)};
}

unsigned long read_file(const std::string& path, std::vector<Certificate>* list) {
  ERR_set_mark();
  const Bio bio(BIO_new_file(path.c_str(), "r"));
  const unsigned long error = bio == nullptr ? ERR_peek_error() : 0;
  ERR_pop_to_mark();
  return bio == nullptr ? error : read_certificates(bio.get(), list);
}

void read_folder(const std::string& path, std::vector<Certificate>* list) {
  const std::unique_ptr<DIR, FreeWith<closedir>> folder(opendir(path.c_str()));
  if (folder == nullptr) {
    std::fprintf(stderr, "Cannot open directory %s to load OpenSSL certificates.\n", path.c_str());
    return;
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(folder.get())) names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    std::string file = path;
    file.append("/").append(name);
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode)) read_file(file, list);
  }
}

std::string from_environment(const char* variable, const char* otherwise) {
  const char* const value = secure_getenv(variable);
  return value != nullptr ? value : otherwise;
}

std::vector<Certificate> read_system() {
  std::vector<Certificate> list;
  const std::string file =
      from_environment(X509_get_default_cert_file_env(), X509_get_default_cert_file());
  const std::string folder =
      from_environment(X509_get_default_cert_dir_env(), X509_get_default_cert_dir());
  if (!file.empty()) read_file(file, &list);
  if (!folder.empty()) read_folder(folder, &list);
  return list;
}

std::vector<Certificate> read_extra() {
  std::vector<Certificate> list;
  const std::string file = from_environment("NODE_EXTRA_CA_CERTS", "");
  if (file.empty()) return list;
  if (const unsigned long error = read_file(file, &list); error != 0) {
    std::fprintf(stderr, "Warning: Ignoring extra certs from `%s`, load failed: %s\n", file.c_str(),
                 crypto::error_text(error).c_str());
  }
  return list;
}

std::vector<Certificate> read_bundled() {
  std::vector<Certificate> list;
  const std::string_view text = bundled_text();
  const Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  RONDO_ASSERT(bio != nullptr);
  const unsigned long error = read_certificates(bio.get(), &list);
  RONDO_ASSERT(error == 0);
  return list;
}

void add_all(X509_STORE* store, const std::vector<Certificate>& list) {
  for (const Certificate& certificate : list) X509_STORE_add_cert(store, certificate.get());
}

}  // namespace

const std::vector<Certificate>& bundled_certificates() {
  static const std::vector<Certificate> kList = read_bundled();
  return kList;
}

const std::vector<Certificate>& system_certificates() {
  static const std::vector<Certificate> kList = read_system();
  return kList;
}

const std::vector<Certificate>& extra_certificates() {
  static const std::vector<Certificate> kList = read_extra();
  return kList;
}

X509_STORE* RootStore::shared() {
  if (shared_ == nullptr) shared_ = make();
  return shared_.get();
}

Store RootStore::make() const {
  Store store(X509_STORE_new());
  RONDO_ASSERT(store != nullptr);
  if (is_replaced_) {
    add_all(store.get(), replaced_);
    return store;
  }
  if (sources_.uses_openssl) {
    X509_STORE_set_default_paths(store.get());
  } else {
    add_all(store.get(), bundled_certificates());
    if (sources_.uses_system) add_all(store.get(), system_certificates());
  }
  if (sources_.uses_extra) add_all(store.get(), extra_certificates());
  ERR_clear_error();
  return store;
}

void RootStore::replace(std::vector<Certificate> certificates) {
  replaced_ = std::move(certificates);
  is_replaced_ = true;
  shared_.reset();
}

namespace {

RootStore& store_of(const Arguments& info) {
  return Realm::of(info.GetIsolate()).state<RootStore>();
}

v8::Local<v8::Value> to_texts(v8::Isolate* isolate, const std::vector<Certificate>& list) {
  std::vector<v8::Local<v8::Value>> texts;
  for (const Certificate& certificate : list) {
    const Bio bio(BIO_new(BIO_s_mem()));
    if (bio == nullptr || PEM_write_bio_X509(bio.get(), certificate.get()) != 1) continue;
    char* text = nullptr;
    const auto size = static_cast<size_t>(BIO_get_mem_data(bio.get(), &text));
    texts.emplace_back(runtime::to_js(isolate, {text, size}).ToLocalChecked());
  }
  return v8::Array::New(isolate, texts.data(), texts.size());
}

// setSources(openssl, system, extra): before the first store is made.
void set_sources(const Arguments& info) {
  store_of(info).set_sources({.uses_openssl = info[0]->IsTrue(),
                              .uses_system = info[1]->IsTrue(),
                              .uses_extra = info[2]->IsTrue()});
}

// bundled(): [text in PEM, ...], as they are in the host.
void bundled(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  constexpr std::string_view kEnd = "-----END CERTIFICATE-----";
  std::vector<v8::Local<v8::Value>> texts;
  std::string_view rest = bundled_text();
  for (size_t end = rest.find(kEnd); end != std::string_view::npos; end = rest.find(kEnd)) {
    texts.emplace_back(runtime::to_js(isolate, rest.substr(0, end + kEnd.size())).ToLocalChecked());
    rest.remove_prefix(end + kEnd.size());
    while (!rest.empty() && rest.front() == '\n') rest.remove_prefix(1);
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, texts.data(), texts.size()));
}

// system(), extra(): [text in PEM, ...]
void system(const Arguments& info) {
  info.GetReturnValue().Set(to_texts(info.GetIsolate(), system_certificates()));
}
void extra(const Arguments& info) {
  info.GetReturnValue().Set(to_texts(info.GetIsolate(), extra_certificates()));
}

// replaced(): [text in PEM, ...] of the certificates given to replace(); undefined if there are
// none.
void replaced(const Arguments& info) {
  const std::vector<Certificate>* const list = store_of(info).replaced();
  if (list != nullptr) info.GetReturnValue().Set(to_texts(info.GetIsolate(), *list));
}

// replace([text or view...])
void replace(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsArray());
  const v8::Local<v8::Array> texts = info[0].As<v8::Array>();
  std::vector<Certificate> list;
  ERR_clear_error();
  for (uint32_t i = 0; i < texts->Length(); ++i) {
    v8::Local<v8::Value> text;
    if (!texts->Get(isolate->GetCurrentContext(), i).ToLocal(&text)) return;
    const crypto::Input input(isolate, text);
    if (!input.is_valid()) return;
    const Bio bio = reader_of(input);
    const unsigned long error = bio == nullptr ? 1 : read_certificates(bio.get(), &list);
    if (error == 0) continue;
    isolate->ThrowException(crypto::make_error(isolate, {error}, "Failed to parse certificate"));
    return;
  }
  if (list.empty() && texts->Length() > 0) {
    runtime::throw_coded(isolate, runtime::ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED",
                         "No valid certificates found in the provided array");
    return;
  }
  // The order of Node, whose list is a sorted set.
  const auto is_less = [](const Certificate& left, const Certificate& right) {
    return X509_cmp(left.get(), right.get()) < 0;
  };
  std::sort(list.begin(), list.end(), is_less);
  const auto is_same = [](const Certificate& left, const Certificate& right) {
    return X509_cmp(left.get(), right.get()) == 0;
  };
  list.erase(std::unique(list.begin(), list.end(), is_same), list.end());
  store_of(info).replace(std::move(list));
}

constexpr runtime::Method kMethods[] = {
    {"setSources", set_sources}, {"bundled", bundled}, {"system", system}, {"extra", extra},
    {"replaced", replaced},      {"replace", replace},
};

}  // namespace

}  // namespace tls

extern const runtime::Binding tls_roots;
const runtime::Binding tls_roots{"tls_roots", tls::kMethods};

}  // namespace rondo::bindings

// The certificates that clients trust by default. Bundled ones are Mozilla's list, as V8's host
// program has it; the build extracts it. The others are files: the system's, and that of
// NODE_EXTRA_CA_CERTS. Each list is read once per process, when it is first needed.
#pragma once

#include <string>
#include <vector>

#include "bindings/tls/openssl_tls.h"

namespace rondo::bindings::tls {

// Any thread.
const std::vector<Certificate>& bundled_certificates();
const std::vector<Certificate>& system_certificates();
const std::vector<Certificate>& extra_certificates();

// The default store of a realm.
class RootStore {
 public:
  explicit RootStore(runtime::Realm&) {}

  // Shared by all contexts without certificates of their own, which must not change it. Made on
  // first use.
  X509_STORE* shared();
  // A new store with the same certificates.
  Store make() const;
  // Used from now on instead of all other sources.
  void replace(std::vector<Certificate> certificates);
  // The certificates given to replace(); null if it was not called.
  const std::vector<Certificate>* replaced() const { return is_replaced_ ? &replaced_ : nullptr; }
  // The sources of make(): the options of the command line.
  struct Sources {
    bool uses_openssl = false;  // The files that OpenSSL is configured for, read each time.
    bool uses_system = false;
    bool uses_extra = false;
  };
  void set_sources(const Sources& sources) { sources_ = sources; }

 private:
  Sources sources_;
  bool is_replaced_ = false;
  std::vector<Certificate> replaced_;
  Store shared_;
};

// Appends the certificates of a text in PEM. Returns OpenSSL's error; 0 if there is none.
unsigned long read_certificates(BIO* bio, std::vector<Certificate>* list);

}  // namespace rondo::bindings::tls

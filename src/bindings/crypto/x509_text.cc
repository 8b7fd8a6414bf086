// Parts of a certificate as text. Names are untrusted: they are quoted so that one cannot be
// mistaken for several.
#include <openssl/asn1.h>
#include <openssl/objects.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "bindings/crypto/x509.h"

namespace rondo::bindings::crypto {

namespace {

using Names = std::unique_ptr<GENERAL_NAMES, FreeWith<GENERAL_NAMES_free>>;
using Accesses = std::unique_ptr<AUTHORITY_INFO_ACCESS, FreeWith<AUTHORITY_INFO_ACCESS_free>>;
using Identifiers = std::unique_ptr<EXTENDED_KEY_USAGE, FreeWith<EXTENDED_KEY_USAGE_free>>;

constexpr unsigned long kEscaped =  // NOLINT(google-runtime-int): the type of OpenSSL's flags
    ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT;
// NOLINTNEXTLINE(google-runtime-int): the type of OpenSSL's flags
constexpr unsigned long kOnePerLine = kEscaped | XN_FLAG_SEP_MULTILINE | XN_FLAG_FN_SN;
// For a directory name inside of a quoted name, which escapes non-printing characters itself.
// NOLINTNEXTLINE(google-runtime-int): the type of OpenSSL's flags
constexpr unsigned long kQuotedLater =
    XN_FLAG_RFC2253 & ~(ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_CTRL);

enum class Charset { ascii, utf8 };

bool is_printable(char unit, Charset charset) {
  const auto code = static_cast<unsigned char>(unit);
  if (code < ' ' || code == 0x7F) return false;
  return code < 0x7F || charset == Charset::utf8;
}

bool needs_quotes(std::string_view name, Charset charset) {
  return std::any_of(name.begin(), name.end(), [charset](char unit) {
    return unit == '"' || unit == '\\' || unit == ',' || unit == '\'' ||
           !is_printable(unit, charset);
  });
}

// Appends the name, as a JSON string if it could be mistaken for something else. The prefix is part
// of the quoted text.
void append_name(std::string_view name, Charset charset, std::string_view prefix,
                 std::string* out) {
  constexpr const char* kHex = "0123456789abcdef";
  if (!needs_quotes(name, charset)) {
    out->append(prefix).append(name);
    return;
  }
  out->append("\"").append(prefix);
  for (const char unit : name) {
    if (unit == '\\' || unit == '"') {
      out->append({'\\', unit});
    } else if (unit != ',' && is_printable(unit, charset)) {
      out->push_back(unit);
    } else {
      const auto code = static_cast<unsigned char>(unit);
      out->append("\\u00").append({kHex[code >> 4], kHex[code & 15]});
    }
  }
  out->push_back('"');
}

std::string_view text_of(const ASN1_STRING* string) {
  const int size = ASN1_STRING_length(string);
  if (size <= 0) return {};
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)), static_cast<size_t>(size)};
}

std::string address_text(const ASN1_OCTET_STRING* address) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  const std::string_view bytes = text_of(address);
  std::string text;
  if (bytes.size() == 4) {
    for (const char byte : bytes) {
      if (!text.empty()) text += '.';
      text += std::to_string(static_cast<unsigned char>(byte));
    }
    return text;
  }
  if (bytes.size() != 16) return "<invalid length=" + std::to_string(bytes.size()) + ">";
  for (size_t i = 0; i < bytes.size(); i += 2) {
    if (i > 0) text += ':';
    const unsigned int group =
        static_cast<unsigned char>(bytes[i]) << 8U | static_cast<unsigned char>(bytes[i + 1]);
    bool has_digit = false;
    for (int shift = 12; shift >= 0; shift -= 4) {
      const unsigned int digit = group >> static_cast<unsigned int>(shift) & 15U;
      has_digit = has_digit || digit != 0 || shift == 0;
      if (has_digit) text += kDigits[digit];
    }
  }
  return text;
}

std::string object_text(const ASN1_OBJECT* object, bool is_numeric) {
  std::array<char, 256> text{};
  if (OBJ_obj2txt(text.data(), text.size(), object, is_numeric ? 1 : 0) < 0) return "";
  return text.data();
}

void append_other_name(const OTHERNAME* name, std::string* out) {
  constexpr const char* kUnsupported = "othername:<unsupported>";
  const char* prefix = nullptr;
  bool is_utf8 = true;
  switch (OBJ_obj2nid(name->type_id)) {
    case NID_id_on_SmtpUTF8Mailbox: prefix = "SmtpUTF8Mailbox:"; break;
    case NID_XmppAddr: prefix = "XmppAddr:"; break;
    case NID_ms_upn: prefix = "UPN:"; break;
    case NID_NAIRealm: prefix = "NAIRealm:"; break;
    case NID_SRVName:
      prefix = "SRVName:";
      is_utf8 = false;
      break;
    default: break;
  }
  if (prefix == nullptr || name->value == nullptr ||
      name->value->type != (is_utf8 ? V_ASN1_UTF8STRING : V_ASN1_IA5STRING)) {
    out->append(kUnsupported);
    return;
  }
  out->append("othername:");
  append_name(text_of(name->value->value.asn1_string), is_utf8 ? Charset::utf8 : Charset::ascii,
              prefix, out);
}

bool append_directory_name(const X509_NAME* name, std::string* out) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || X509_NAME_print_ex(bio.get(), name, 0, kQuotedLater) < 0) return false;
  append_name(contents(bio.get()), Charset::utf8, "", out);
  return true;
}

bool append_general_name(const GENERAL_NAME* name, std::string* out) {
  switch (name->type) {
    case GEN_DNS:
      out->append("DNS:");
      append_name(text_of(name->d.dNSName), Charset::ascii, "", out);
      return true;
    case GEN_EMAIL:
      out->append("email:");
      append_name(text_of(name->d.rfc822Name), Charset::ascii, "", out);
      return true;
    case GEN_URI:
      out->append("URI:");
      append_name(text_of(name->d.uniformResourceIdentifier), Charset::ascii, "", out);
      return true;
    case GEN_DIRNAME: out->append("DirName:"); return append_directory_name(name->d.dirn, out);
    case GEN_IPADD: out->append("IP Address:").append(address_text(name->d.ip)); return true;
    case GEN_RID: out->append("Registered ID:").append(object_text(name->d.rid, true)); return true;
    case GEN_OTHERNAME: append_other_name(name->d.otherName, out); return true;
    case GEN_X400: out->append("X400Name:<unsupported>"); return true;
    case GEN_EDIPARTY: out->append("EdiPartyName:<unsupported>"); return true;
    default: return false;
  }
}

bool append_names(X509_EXTENSION* extension, std::string* out) {
  const Names names(static_cast<GENERAL_NAMES*>(X509V3_EXT_d2i(extension)));
  if (names == nullptr) return false;
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    if (i > 0) out->append(", ");
    if (!append_general_name(sk_GENERAL_NAME_value(names.get(), i), out)) return false;
  }
  return true;
}

bool append_accesses(X509_EXTENSION* extension, std::string* out) {
  const Accesses accesses(static_cast<AUTHORITY_INFO_ACCESS*>(X509V3_EXT_d2i(extension)));
  if (accesses == nullptr) return false;
  for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(accesses.get()); ++i) {
    const ACCESS_DESCRIPTION* const access = sk_ACCESS_DESCRIPTION_value(accesses.get(), i);
    if (i > 0) out->push_back('\n');
    out->append(object_text(access->method, false)).append(" - ");
    if (!append_general_name(access->location, out)) return false;
  }
  return true;
}

}  // namespace

std::string name_text(const X509_NAME* name) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || X509_NAME_print_ex(bio.get(), name, 0, kOnePerLine) <= 0) return "";
  return std::string(contents(bio.get()));
}

bool extension_text(X509* certificate, int nid, std::string* text) {
  const int index = X509_get_ext_by_NID(certificate, nid, -1);
  if (index < 0) return false;
  X509_EXTENSION* const extension = X509_get_ext(certificate, index);
  return nid == NID_info_access ? append_accesses(extension, text) : append_names(extension, text);
}

std::string time_text(const ASN1_TIME* time) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr) return "";
  ASN1_TIME_print(bio.get(), time);
  return std::string(contents(bio.get()));
}

std::string serial_number(X509* certificate) {
  const Number number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr));
  if (number == nullptr) return "";
  char* const hex = BN_bn2hex(number.get());
  if (hex == nullptr) return "";
  std::string text(hex);
  OPENSSL_free(hex);
  return text;
}

std::string fingerprint(X509* certificate, const EVP_MD* digest) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  if (X509_digest(certificate, digest, bytes.data(), &size) != 1) return "";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    if (i > 0) text += ':';
    text += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  }
  return text;
}

bool key_usage(X509* certificate, std::vector<std::string>* usages) {
  const Identifiers identifiers(static_cast<EXTENDED_KEY_USAGE*>(
      X509_get_ext_d2i(certificate, NID_ext_key_usage, nullptr, nullptr)));
  if (identifiers == nullptr) return false;
  for (int i = 0; i < sk_ASN1_OBJECT_num(identifiers.get()); ++i) {
    usages->push_back(object_text(sk_ASN1_OBJECT_value(identifiers.get(), i), true));
  }
  return true;
}

}  // namespace rondo::bindings::crypto

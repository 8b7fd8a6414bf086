// The process's folders, environment and identity.
#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string>
#include <vector>

#include "uv/core/memory.h"
#include "uv/system/text.h"

namespace rondo::uv {
namespace {

// Entries of passwd and group larger than this are refused: they would be an error of the database.
constexpr size_t kLargestEntry = size_t{1} << 20;

// Calls `look_up(buffer)` with larger buffers until the entry fits; it returns an errno.
template <class LookUp>
int look_up_entry(std::vector<char>& buffer, LookUp look_up) {
  for (size_t size = 2000; size <= kLargestEntry; size *= 2) {
    buffer.resize(size);
    int code;
    do {
      code = look_up(buffer);
    } while (code == EINTR);
    if (code != ERANGE) return -code;
  }
  return UV_ENOMEM;
}

int copy_passwd(uv_passwd_t* out, uid_t uid) {
  if (out == nullptr) return UV_EINVAL;
  std::vector<char> buffer;
  passwd entry{};
  passwd* found = nullptr;
  const int failed = look_up_entry(buffer, [&](std::vector<char>& room) {
    return ::getpwuid_r(uid, &entry, room.data(), room.size(), &found);
  });
  if (failed != 0) return failed;
  if (found == nullptr) return UV_ENOENT;
  out->username = duplicate(entry.pw_name);
  out->homedir = duplicate(entry.pw_dir);
  out->shell = duplicate(entry.pw_shell);
  out->uid = entry.pw_uid;
  out->gid = entry.pw_gid;
  if (out->username != nullptr && out->homedir != nullptr && out->shell != nullptr) return 0;
  uv_os_free_passwd(out);
  return UV_ENOMEM;
}

// One block of memory: the pointers, then the names.
int copy_group(uv_group_t* out, const group& entry) {
  size_t count = 0;
  std::string names = entry.gr_name;
  names += '\0';
  for (; entry.gr_mem[count] != nullptr; ++count) {
    names += entry.gr_mem[count];
    names += '\0';
  }
  auto* const members = static_cast<char**>(allocate((count + 1) * sizeof(char*) + names.size()));
  if (members == nullptr) return UV_ENOMEM;
  auto* text = reinterpret_cast<char*>(members + count + 1);
  std::copy(names.begin(), names.end(), text);
  out->groupname = text;
  for (size_t i = 0; i < count; ++i) {
    text += std::strlen(text) + 1;
    members[i] = text;
  }
  members[count] = nullptr;
  out->members = members;
  out->gid = entry.gr_gid;
  return 0;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

int uv_cwd(char* buffer, size_t* size) {
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  char path[PATH_MAX + 1];
  if (::getcwd(path, sizeof path) == nullptr) return -errno;
  std::string_view text = path;
  if (text.size() > 1 && text.back() == '/') text.remove_suffix(1);
  return copy_out(text, buffer, size);
}

int uv_chdir(const char* dir) { return ::chdir(dir) < 0 ? -errno : 0; }

int uv_exepath(char* buffer, size_t* size) {
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  const ssize_t length = *size == 1 ? 0 : ::readlink("/proc/self/exe", buffer, *size - 1);
  if (length < 0) return -errno;
  buffer[length] = '\0';
  *size = static_cast<size_t>(length);
  return 0;
}

int uv_os_homedir(char* buffer, size_t* size) {
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  const int found = uv_os_getenv("HOME", buffer, size);
  if (found != UV_ENOENT) return found;
  uv_passwd_t user;
  if (const int failed = uv_os_get_passwd(&user); failed != 0) return failed;
  const int copied = copy_out(user.homedir, buffer, size);
  uv_os_free_passwd(&user);
  return copied;
}

int uv_os_tmpdir(char* buffer, size_t* size) {
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  std::string_view text = "/tmp";
  for (const char* const name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    text = value;
    break;
  }
  if (text.size() > 1 && text.back() == '/') text.remove_suffix(1);
  return copy_out(text, buffer, size);
}

int uv_os_get_passwd(uv_passwd_t* pwd) { return copy_passwd(pwd, ::geteuid()); }
int uv_os_get_passwd2(uv_passwd_t* pwd, uv_uid_t uid) { return copy_passwd(pwd, uid); }

void uv_os_free_passwd(uv_passwd_t* pwd) {
  if (pwd == nullptr) return;
  release(pwd->username);
  release(pwd->homedir);
  release(pwd->shell);
  pwd->username = pwd->homedir = pwd->shell = nullptr;
}

int uv_os_get_group(uv_group_t* grp, uv_uid_t gid) {
  if (grp == nullptr) return UV_EINVAL;
  std::vector<char> buffer;
  group entry{};
  group* found = nullptr;
  const int failed = look_up_entry(buffer, [&](std::vector<char>& room) {
    return ::getgrgid_r(gid, &entry, room.data(), room.size(), &found);
  });
  if (failed != 0) return failed;
  return found == nullptr ? int{UV_ENOENT} : copy_group(grp, entry);
}

void uv_os_free_group(uv_group_t* grp) {
  if (grp == nullptr) return;
  release(grp->members);
  grp->members = nullptr;
  grp->groupname = nullptr;
}

uv_pid_t uv_os_getpid(void) { return ::getpid(); }
uv_pid_t uv_os_getppid(void) { return ::getppid(); }

int uv_os_getpriority(uv_pid_t pid, int* priority) {
  if (priority == nullptr) return UV_EINVAL;
  errno = 0;
  const int found = ::getpriority(PRIO_PROCESS, static_cast<id_t>(pid));
  if (found == -1 && errno != 0) return -errno;
  *priority = found;
  return 0;
}

int uv_os_setpriority(uv_pid_t pid, int priority) {
  if (priority < UV_PRIORITY_HIGHEST || priority > UV_PRIORITY_LOW) return UV_EINVAL;
  return ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), priority) < 0 ? -errno : 0;
}

int uv_os_environ(uv_env_item_t** envitems, int* count) {
  *envitems = nullptr;
  *count = 0;
  size_t total = 0;
  while (environ != nullptr && environ[total] != nullptr) ++total;
  auto* const items = static_cast<uv_env_item_t*>(allocate_zeroed(total + 1, sizeof **envitems));
  if (items == nullptr) return UV_ENOMEM;
  int done = 0;
  for (size_t i = 0; i < total; ++i) {
    char* const copy = duplicate(environ[i]);
    if (copy == nullptr) {
      uv_os_free_environ(items, done);
      return UV_ENOMEM;
    }
    // One block for both; a name may begin with '='.
    char* const equals = std::strchr(copy, '=');
    if (equals == nullptr) {
      release(copy);
      continue;
    }
    *equals = '\0';
    items[done++] = {copy, equals + 1};
  }
  *envitems = items;
  *count = done;
  return 0;
}

void uv_os_free_environ(uv_env_item_t* envitems, int count) {
  for (int i = 0; i < count; ++i) release(envitems[i].name);
  release(envitems);
}

int uv_os_getenv(const char* name, char* buffer, size_t* size) {
  if (name == nullptr || buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  const char* const value = std::getenv(name);
  return value == nullptr ? int{UV_ENOENT} : copy_out(value, buffer, size);
}

int uv_os_setenv(const char* name, const char* value) {
  if (name == nullptr || value == nullptr) return UV_EINVAL;
  return ::setenv(name, value, 1) < 0 ? -errno : 0;
}

int uv_os_unsetenv(const char* name) {
  if (name == nullptr) return UV_EINVAL;
  return ::unsetenv(name) < 0 ? -errno : 0;
}

int uv_os_gethostname(char* buffer, size_t* size) {
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  char name[UV_MAXHOSTNAMESIZE];
  if (::gethostname(name, sizeof name) != 0) return -errno;
  name[sizeof name - 1] = '\0';
  return copy_out(name, buffer, size);
}

int uv_os_uname(uv_utsname_t* buffer) {
  if (buffer == nullptr) return UV_EINVAL;
  utsname found{};
  if (::uname(&found) < 0) return -errno;
  std::memset(buffer, 0, sizeof *buffer);
  std::strncpy(buffer->sysname, found.sysname, sizeof buffer->sysname - 1);
  std::strncpy(buffer->release, found.release, sizeof buffer->release - 1);
  std::strncpy(buffer->version, found.version, sizeof buffer->version - 1);
  std::strncpy(buffer->machine, found.machine, sizeof buffer->machine - 1);
  return 0;
}

}  // extern "C"

// internalBinding('credentials'): user and group ids of the process, and changing them.
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

constexpr size_t kRoomForEntry = 16384;
constexpr int kUnknown = -1;

// A number unchanged, or a name looked up in the system's databases.
std::optional<uid_t> user_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  passwd entry = {};
  passwd* found = nullptr;
  std::vector<char> room(kRoomForEntry);
  const std::string name = runtime::to_std(isolate, value);
  ::getpwnam_r(name.c_str(), &entry, room.data(), room.size(), &found);
  if (found == nullptr) return std::nullopt;
  return found->pw_uid;
}

std::optional<gid_t> group_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  group entry = {};
  group* found = nullptr;
  std::vector<char> room(kRoomForEntry);
  const std::string name = runtime::to_std(isolate, value);
  ::getgrnam_r(name.c_str(), &entry, room.data(), room.size(), &found);
  if (found == nullptr) return std::nullopt;
  return found->gr_gid;
}

// These return 0, an errno, or kUnknown if there is no such name.
template <auto kResolve, auto kSet>
void set_id(const Arguments& info) {
  const auto id = kResolve(info.GetIsolate(), info[0]);
  info.GetReturnValue().Set(!id ? kUnknown : kSet(*id) == 0 ? 0 : errno);
}

// setGroups([number or name...]): for an unknown one, kUnknown minus its index.
void set_groups(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsArray());
  const v8::Local<v8::Array> list = info[0].As<v8::Array>();
  std::vector<gid_t> groups;
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> value;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&value)) return;
    const std::optional<gid_t> id = group_of(isolate, value);
    if (!id) {
      info.GetReturnValue().Set(kUnknown - static_cast<int>(i));
      return;
    }
    groups.push_back(*id);
  }
  info.GetReturnValue().Set(::setgroups(groups.size(), groups.data()) == 0 ? 0 : errno);
}

// initGroups(user, extraGroup): kUnknown for the user, kUnknown - 1 for the group.
void init_groups(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::string name = runtime::to_std(isolate, info[0]);
  if (info[0]->IsUint32()) {
    passwd entry = {};
    passwd* found = nullptr;
    std::vector<char> room(kRoomForEntry);
    ::getpwuid_r(info[0].As<v8::Uint32>()->Value(), &entry, room.data(), room.size(), &found);
    if (found == nullptr) {
      info.GetReturnValue().Set(kUnknown);
      return;
    }
    name = found->pw_name;
  }
  const std::optional<gid_t> extra = group_of(isolate, info[1]);
  if (!extra) {
    info.GetReturnValue().Set(kUnknown - 1);
    return;
  }
  info.GetReturnValue().Set(::initgroups(name.c_str(), *extra) == 0 ? 0 : errno);
}

// ids(): [uid, euid, gid, egid, ...groups]. The effective group is always among the groups.
void ids(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(static_cast<size_t>(count > 0 ? count : 0));
  if (!groups.empty()) ::getgroups(static_cast<int>(groups.size()), groups.data());
  bool has_own = false;
  for (const gid_t group : groups) has_own = has_own || group == ::getegid();
  if (!has_own) groups.push_back(::getegid());
  std::vector<v8::Local<v8::Value>> numbers = {
      v8::Number::New(isolate, ::getuid()), v8::Number::New(isolate, ::geteuid()),
      v8::Number::New(isolate, ::getgid()), v8::Number::New(isolate, ::getegid())};
  for (const gid_t group : groups) numbers.push_back(v8::Number::New(isolate, group));
  info.GetReturnValue().Set(v8::Array::New(isolate, numbers.data(), numbers.size()));
}

// peerUser(descriptor): the user of the process at the other end of a Unix socket, or kUnknown.
void peer_user(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32());
  ucred peer{};
  socklen_t size = sizeof peer;
  const int fd = info[0].As<v8::Int32>()->Value();
  const bool is_known = ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  info.GetReturnValue().Set(is_known ? static_cast<double>(peer.uid) : kUnknown);
}

constexpr runtime::Method kMethods[] = {
    {"ids", ids},
    {"setuid", set_id<user_of, ::setuid>},
    {"seteuid", set_id<user_of, ::seteuid>},
    {"setgid", set_id<group_of, ::setgid>},
    {"setegid", set_id<group_of, ::setegid>},
    {"setGroups", set_groups},
    {"initGroups", init_groups},
    {"peerUser", peer_user},
};

}  // namespace

extern const runtime::Binding credentials;
const runtime::Binding credentials{"credentials", kMethods};

}  // namespace rondo::bindings

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "bindings/fs/call.h"
#include "bindings/fs/ops.h"

// Operations on the metadata of files.
namespace rondo::bindings::fs {

namespace {

Form number_form(v8::Local<v8::Value> is_big) { return is_big->IsTrue() ? Form::big : Form::plain; }

// Converts seconds since 1970, with the precision of a double.
timespec time_arg(v8::Local<v8::Value> value) {
  const double seconds = value->IsNumber() ? value.As<v8::Number>()->Value() : 0;
  if (!(std::abs(seconds) < 0x1p63)) return {};
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
  if (time.tv_nsec < 0) {
    time.tv_nsec += 1'000'000'000;
    time.tv_sec -= 1;
  }
  return time;
}

// True if `throwIfNoEntry: false` turns this error into undefined.
bool is_quiet(const Arguments& info, const Result<Stat>& status, std::initializer_list<int> codes) {
  if (status || !info[2]->IsFalse()) return false;
  return std::find(codes.begin(), codes.end(), status.error().code) != codes.end();
}

}  // namespace

// stat(path, isBigInt, throwIfNoEntry or callback): an array of numbers that the next call of
// stat(), lstat(), fstat() or statfs() overwrites.
void stat(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const Form form = number_form(info[1]);
  if (!CallbackArg(info)) {
    note_at_once(info, FsOp::stat, &path, nullptr);
    const Result<Stat> status = fs_sync::stat(path.c_str());
    if (!is_quiet(info, status, {ENOENT, ENOTDIR})) {
      answer<Stat>(info, form, status, &path, nullptr);
    }
    return;
  }
  run<Stat, FsOp::stat>(
      info, form, &path, nullptr, [&] { return fs_sync::stat(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.stat(pending.request, path.view(), done); });
}

void lstat(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const Form form = number_form(info[1]);
  if (!CallbackArg(info)) {
    note_at_once(info, FsOp::lstat, &path, nullptr);
    const Result<Stat> status = fs_sync::lstat(path.c_str());
    if (!is_quiet(info, status, {ENOENT})) answer<Stat>(info, form, status, &path, nullptr);
    return;
  }
  run<Stat, FsOp::lstat>(
      info, form, &path, nullptr, [&] { return fs_sync::lstat(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.lstat(pending.request, path.view(), done); });
}

// fstat(fd, isBigInt, callback)
void fstat(const Arguments& info) {
  const int fd = int_arg(info[0]);
  run<Stat, FsOp::fstat>(
      info, number_form(info[1]), nullptr, nullptr, [&] { return fs_sync::fstat(fd); },
      [&](Fs fs, auto& pending, auto done) { fs.fstat(pending.request, fd, done); });
}

// statfs(path, isBigInt, callback): type, bsize, frsize, blocks, bfree, bavail, files, ffree
void statfs(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  run<StatFs, FsOp::statfs>(
      info, number_form(info[1]), &path, nullptr, [&] { return fs_sync::statfs(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.statfs(pending.request, path.view(), done); });
}

// access(path, mode, callback)
void access(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const int mode = int_arg(info[1]);
  run<void, FsOp::access>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::access(path.c_str(), mode); },
      [&](Fs fs, auto& pending, auto done) {
        fs.access(pending.request, path.view(), mode, done);
      });
}

// exists(path): a boolean, always synchronous.
void exists(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  note_at_once(info, FsOp::exists, &path, nullptr);
  info.GetReturnValue().Set(fs_sync::access(path.c_str(), F_OK).has_value());
}

// chmod(path, mode, callback)
void chmod(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const mode_t mode = uint_arg(info[1]);
  run<void, FsOp::chmod>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::chmod(path.c_str(), mode); },
      [&](Fs fs, auto& pending, auto done) { fs.chmod(pending.request, path.view(), mode, done); });
}

void fchmod(const Arguments& info) {
  const int fd = int_arg(info[0]);
  const mode_t mode = uint_arg(info[1]);
  run<void, FsOp::fchmod>(
      info, Form::plain, nullptr, nullptr, [&] { return fs_sync::fchmod(fd, mode); },
      [&](Fs fs, auto& pending, auto done) { fs.fchmod(pending.request, fd, mode, done); });
}

// chown(path, uid, gid, callback)
void chown(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const uid_t uid = uint_arg(info[1]);
  const gid_t gid = uint_arg(info[2]);
  run<void, FsOp::chown>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::chown(path.c_str(), uid, gid); },
      [&](Fs fs, auto& pending, auto done) {
        fs.chown(pending.request, path.view(), uid, gid, done);
      });
}

void fchown(const Arguments& info) {
  const int fd = int_arg(info[0]);
  const uid_t uid = uint_arg(info[1]);
  const gid_t gid = uint_arg(info[2]);
  run<void, FsOp::fchown>(
      info, Form::plain, nullptr, nullptr, [&] { return fs_sync::fchown(fd, uid, gid); },
      [&](Fs fs, auto& pending, auto done) { fs.fchown(pending.request, fd, uid, gid, done); });
}

void lchown(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const uid_t uid = uint_arg(info[1]);
  const gid_t gid = uint_arg(info[2]);
  run<void, FsOp::lchown>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::lchown(path.c_str(), uid, gid); },
      [&](Fs fs, auto& pending, auto done) {
        fs.lchown(pending.request, path.view(), uid, gid, done);
      });
}

// utimes(path, atime, mtime, callback), in seconds.
void utimes(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const timespec atime = time_arg(info[1]);
  const timespec mtime = time_arg(info[2]);
  run<void, FsOp::utimes>(
      info, Form::plain, &path, nullptr,
      [&] { return fs_sync::utimes(path.c_str(), atime, mtime); },
      [&](Fs fs, auto& pending, auto done) {
        fs.utimes(pending.request, path.view(), atime, mtime, done);
      });
}

void futimes(const Arguments& info) {
  const int fd = int_arg(info[0]);
  const timespec atime = time_arg(info[1]);
  const timespec mtime = time_arg(info[2]);
  run<void, FsOp::futimes>(
      info, Form::plain, nullptr, nullptr, [&] { return fs_sync::futimes(fd, atime, mtime); },
      [&](Fs fs, auto& pending, auto done) {
        fs.futimes(pending.request, fd, atime, mtime, done);
      });
}

void lutimes(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const timespec atime = time_arg(info[1]);
  const timespec mtime = time_arg(info[2]);
  run<void, FsOp::lutimes>(
      info, Form::plain, &path, nullptr,
      [&] { return fs_sync::lutimes(path.c_str(), atime, mtime); },
      [&](Fs fs, auto& pending, auto done) {
        fs.lutimes(pending.request, path.view(), atime, mtime, done);
      });
}

}  // namespace rondo::bindings::fs

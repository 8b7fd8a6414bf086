#include "bindings/fs/call.h"
#include "bindings/fs/ops.h"

// Operations on directories and names.
namespace rondo::bindings::fs {

namespace {

Form name_form(v8::Local<v8::Value> wants_bytes) {
  return wants_bytes->IsTrue() ? Form::bytes : Form::plain;
}

}  // namespace

// readdir(path, wantsBytes, withTypes, callback): names, or [names, types].
void readdir(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  Form form = name_form(info[1]);
  if (info[2]->IsTrue()) form = form == Form::bytes ? Form::bytes_and_types : Form::types;
  run<std::vector<Dirent>, FsOp::readdir>(
      info, form, &path, nullptr, [&] { return fs_sync::readdir(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.readdir(pending.request, path.view(), done); });
}

// readdirAll(path, followsLinks, callback): [names, types] of a tree. Names are relative to path.
void readdir_all(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const bool follows_links = info[1]->IsTrue();
  RONDO_EXPECT(info, info[2]->IsFunction());
  run<std::vector<Dirent>, FsOp::readdir>(
      info, Form::types, &path, nullptr, [&] { return fs_sync::readdir(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) {
        fs.readdir_all(pending.request, path.view(), follows_links, done);
      });
}

// mkdir(path, mode, callback)
void mkdir(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const mode_t mode = uint_arg(info[1]);
  run<void, FsOp::mkdir>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::mkdir(path.c_str(), mode); },
      [&](Fs fs, auto& pending, auto done) { fs.mkdir(pending.request, path.view(), mode, done); });
}

// mkdirAll(path, mode, callback): the first directory that was created, or undefined.
void mkdir_all(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const mode_t mode = uint_arg(info[1]);
  run<std::string, FsOp::mkdir_all>(
      info, Form::optional, &path, nullptr, [&] { return fs_sync::mkdir_all(path.c_str(), mode); },
      [&](Fs fs, auto& pending, auto done) {
        fs.mkdir_all(pending.request, path.view(), mode, done);
      });
}

void rmdir(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  run<void, FsOp::rmdir>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::rmdir(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.rmdir(pending.request, path.view(), done); });
}

// mkdtemp(path that ends in XXXXXX, wantsBytes, callback)
void mkdtemp(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  run<std::string, FsOp::mkdtemp>(
      info, name_form(info[1]), &path, nullptr,
      [&] { return fs_sync::mkdtemp(std::string(path.view())); },
      [&](Fs fs, auto& pending, auto done) { fs.mkdtemp(pending.request, path.view(), done); });
}

void unlink(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  run<void, FsOp::unlink>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::unlink(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.unlink(pending.request, path.view(), done); });
}

// rename(from, to, callback)
void rename(const Arguments& info) {
  const PathArg from(info.GetIsolate(), info[0]);
  const PathArg to(info.GetIsolate(), info[1]);
  run<void, FsOp::rename>(
      info, Form::plain, &from, &to, [&] { return fs_sync::rename(from.c_str(), to.c_str()); },
      [&](Fs fs, auto& pending, auto done) {
        fs.rename(pending.request, from.view(), to.view(), done);
      });
}

// link(existing, path, callback)
void link(const Arguments& info) {
  const PathArg existing(info.GetIsolate(), info[0]);
  const PathArg path(info.GetIsolate(), info[1]);
  run<void, FsOp::link>(
      info, Form::plain, &existing, &path,
      [&] { return fs_sync::link(existing.c_str(), path.c_str()); },
      [&](Fs fs, auto& pending, auto done) {
        fs.link(pending.request, existing.view(), path.view(), done);
      });
}

// symlink(target, path, callback)
void symlink(const Arguments& info) {
  const PathArg target(info.GetIsolate(), info[0]);
  const PathArg path(info.GetIsolate(), info[1]);
  run<void, FsOp::symlink>(
      info, Form::plain, &target, &path,
      [&] { return fs_sync::symlink(target.c_str(), path.c_str()); },
      [&](Fs fs, auto& pending, auto done) {
        fs.symlink(pending.request, target.view(), path.view(), done);
      });
}

// readlink(path, wantsBytes, callback)
void readlink(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  run<std::string, FsOp::readlink>(
      info, name_form(info[1]), &path, nullptr, [&] { return fs_sync::readlink(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.readlink(pending.request, path.view(), done); });
}

// realpath(path, wantsBytes, callback)
void realpath(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  run<std::string, FsOp::realpath>(
      info, name_form(info[1]), &path, nullptr, [&] { return fs_sync::realpath(path.c_str()); },
      [&](Fs fs, auto& pending, auto done) { fs.realpath(pending.request, path.view(), done); });
}

// copyFile(from, to, flags, callback)
void copy_file(const Arguments& info) {
  const PathArg from(info.GetIsolate(), info[0]);
  const PathArg to(info.GetIsolate(), info[1]);
  const int flags = int_arg(info[2]);
  run<void, FsOp::copy_file>(
      info, Form::plain, &from, &to,
      [&] { return fs_sync::copy_file(from.c_str(), to.c_str(), flags); },
      [&](Fs fs, auto& pending, auto done) {
        fs.copy_file(pending.request, from.view(), to.view(), flags, done);
      });
}

// copyTree(from, to, flags, keepsLinks, callback)
void copy_tree(const Arguments& info) {
  const PathArg from(info.GetIsolate(), info[0]);
  const PathArg to(info.GetIsolate(), info[1]);
  const int flags = int_arg(info[2]);
  const bool keeps_links = info[3]->IsTrue();
  run<void, FsOp::copy_tree>(
      info, Form::plain, &from, &to,
      [&] {
        return fs_sync::copy_tree(std::string(from.view()), std::string(to.view()), flags,
                                  keeps_links);
      },
      [&](Fs fs, auto& pending, auto done) {
        fs.copy_tree(pending.request, from.view(), to.view(), flags, keeps_links, done);
      });
}

}  // namespace rondo::bindings::fs

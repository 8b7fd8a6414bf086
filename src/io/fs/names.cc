#include <utility>

#include "io/fs/fs.h"
#include "io/fs/operations.h"

// Operations of Fs on directories and names, in the form that fs.cc describes.
namespace rondo {

void Fs::readdir(FsRequest<std::vector<Dirent>>& request, std::string_view path,
                 OnDone<std::vector<Dirent>> on_done) {
  static constexpr FsRequest<std::vector<Dirent>>::Kind kKind{
      FsOp::readdir, [](FsPathArgs& args) { return fs_sync::readdir(args.path()); }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::readdir_all(FsRequest<std::vector<Dirent>>& request, std::string_view path,
                     bool follows_links, OnDone<std::vector<Dirent>> on_done) {
  static constexpr FsRequest<std::vector<Dirent>>::Kind kKind{
      FsOp::readdir, [](FsPathArgs& args) {
        std::string failed;
        Result<std::vector<Dirent>> found =
            fs_sync::readdir_all(args.path(), args.flags != 0, &failed);
        if (!found) args.set_path(failed);
        return found;
      }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.flags = follows_links ? 1 : 0;
  request.start(kKind, std::move(on_done));
}

void Fs::mkdir(Done& request, std::string_view path, mode_t mode, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::mkdir, [](FsPathArgs& args) { return fs_sync::mkdir(args.path(), args.mode); }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.mode = mode;
  request.start(kKind, std::move(on_done));
}

void FsPathArgs::DeleteSteps::operator()(fs_sync::MkdirAll* done) const { delete done; }

void Fs::mkdir_all(FsRequest<std::string>& request, std::string_view path, mode_t mode,
                   OnDone<std::string> on_done) {
  static constexpr FsRequest<std::string>::Kind kKind{
      FsOp::mkdir_all, [](FsPathArgs& args) {
        // As in Node, each system call is a job of its own, so that other operations see the
        // directories created so far.
        if (!args.steps) args.steps.reset(new fs_sync::MkdirAll(args.path(), args.mode));
        if (args.steps->step()) return Result<std::string>(std::string());
        return std::exchange(args.steps, nullptr)->result();
      }};
  FsPathArgs& args = prepare(request);
  args.set_path(path);
  args.mode = mode;
  request.start(kKind, std::move(on_done));
}

void Fs::rmdir(Done& request, std::string_view path, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::rmdir,
                                    [](FsPathArgs& args) { return fs_sync::rmdir(args.path()); }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::mkdtemp(FsRequest<std::string>& request, std::string_view pattern,
                 OnDone<std::string> on_done) {
  static constexpr FsRequest<std::string>::Kind kKind{
      FsOp::mkdtemp, [](FsPathArgs& args) { return fs_sync::mkdtemp(args.path()); }};
  prepare(request).set_path(pattern);
  request.start(kKind, std::move(on_done));
}

void Fs::mkstemp(FsRequest<TempFile>& request, std::string_view pattern, OnDone<TempFile> on_done) {
  static constexpr FsRequest<TempFile>::Kind kKind{
      FsOp::mkstemp, [](FsPathArgs& args) { return fs_sync::mkstemp(args.path()); }};
  prepare(request).set_path(pattern);
  request.start(kKind, std::move(on_done));
}

void Fs::unlink(Done& request, std::string_view path, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::unlink,
                                    [](FsPathArgs& args) { return fs_sync::unlink(args.path()); }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::rename(Done& request, std::string_view from, std::string_view to, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::rename, [](FsPathArgs& args) { return fs_sync::rename(args.path(), args.second()); }};
  prepare(request).set_paths(from, to);
  request.start(kKind, std::move(on_done));
}

void Fs::link(Done& request, std::string_view existing, std::string_view path,
              OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::link, [](FsPathArgs& args) { return fs_sync::link(args.path(), args.second()); }};
  prepare(request).set_paths(existing, path);
  request.start(kKind, std::move(on_done));
}

void Fs::symlink(Done& request, std::string_view target, std::string_view path,
                 OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::symlink, [](FsPathArgs& args) { return fs_sync::symlink(args.path(), args.second()); }};
  prepare(request).set_paths(target, path);
  request.start(kKind, std::move(on_done));
}

void Fs::readlink(FsRequest<std::string>& request, std::string_view path,
                  OnDone<std::string> on_done) {
  static constexpr FsRequest<std::string>::Kind kKind{
      FsOp::readlink, [](FsPathArgs& args) { return fs_sync::readlink(args.path()); }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::realpath(FsRequest<std::string>& request, std::string_view path,
                  OnDone<std::string> on_done) {
  static constexpr FsRequest<std::string>::Kind kKind{
      FsOp::realpath, [](FsPathArgs& args) { return fs_sync::realpath(args.path()); }};
  prepare(request).set_path(path);
  request.start(kKind, std::move(on_done));
}

void Fs::copy_tree(Done& request, std::string_view from, std::string_view to, int flags,
                   bool keeps_links, OnDone<void> on_done) {
  static constexpr Done::Kind kKind{FsOp::copy_tree, [](FsPathArgs& args) {
                                      return fs_sync::copy_tree(args.path(), args.second(),
                                                                args.flags, args.mode != 0);
                                    }};
  FsPathArgs& args = prepare(request);
  args.set_paths(from, to);
  args.flags = flags;
  args.mode = keeps_links ? 1 : 0;
  request.start(kKind, std::move(on_done));
}

void Fs::copy_file(Done& request, std::string_view from, std::string_view to, int flags,
                   OnDone<void> on_done) {
  static constexpr Done::Kind kKind{
      FsOp::copy_file,
      [](FsPathArgs& args) { return fs_sync::copy_file(args.path(), args.second(), args.flags); }};
  FsPathArgs& args = prepare(request);
  args.set_paths(from, to);
  args.flags = flags;
  request.start(kKind, std::move(on_done));
}

}  // namespace rondo

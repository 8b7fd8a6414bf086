// Carries out the operation of a uv_fs_t, on a worker or in the calling thread.
// Thread: any.
#pragma once

#include <uv.h>

#include "io/fs/types.h"

namespace rondo::uv {

// Sets `result` and the fields for the values; on an error `result` is the negative errno.
void execute(uv_fs_t* req);

void copy_stat(const Stat& from, uv_stat_t& out);

// Of directories: opendir, readdir, closedir and scandir. They return the result.
ssize_t open_directory(uv_fs_t* req);
ssize_t read_directory(uv_fs_t* req);
ssize_t close_directory(uv_fs_t* req);
ssize_t list_directory(uv_fs_t* req);
void free_names(uv_fs_t* req);  // The names that read_directory() has returned.

}  // namespace rondo::uv

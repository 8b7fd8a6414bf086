# One sanitizer per build tree, chosen by the preset. It applies to all objects, so the options are global. Code that
# depends on the sanitizer checks RONDO_ASAN or RONDO_TSAN, since the compilers' own macros differ.
if(RONDO_SANITIZE STREQUAL "asan")
  add_compile_definitions(RONDO_ASAN)
  # Without vptr: it opens a pipe to check each object's memory, so in a test that has used up all descriptors every
  # virtual call would be reported.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(RONDO_SANITIZE STREQUAL "tsan")
  add_compile_definitions(RONDO_TSAN)
  # TSan does not support atomic_thread_fence, so the code uses atomic operations instead.
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT RONDO_SANITIZE STREQUAL "")
  message(FATAL_ERROR "RONDO_SANITIZE is '${RONDO_SANITIZE}'; it takes asan, tsan or nothing")
endif()

# One sanitizer per build tree, chosen by preset; it must reach every object, so it is global.
if(RONDO_SANITIZE STREQUAL "asan")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(RONDO_SANITIZE STREQUAL "tsan")
  # GCC warns that it cannot model atomic_thread_fence; the code under test orders with atomics that
  # it can model, and says so where it does.
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT RONDO_SANITIZE STREQUAL "")
  message(FATAL_ERROR "RONDO_SANITIZE is '${RONDO_SANITIZE}'; it takes asan, tsan or nothing")
endif()

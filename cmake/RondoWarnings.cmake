# Warnings are errors everywhere: otherwise they would soon be ignored.
add_library(rondo_warnings INTERFACE)
target_compile_options(rondo_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wcast-align;-Wformat=2;-Werror>)

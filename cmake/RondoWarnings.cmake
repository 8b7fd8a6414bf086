# Warnings are errors everywhere: a warning that is let through once is never read again.
add_library(rondo_warnings INTERFACE)
target_compile_options(rondo_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wcast-align;-Wformat=2;-Werror>)

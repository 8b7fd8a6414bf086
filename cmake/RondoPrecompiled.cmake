# Precompiled headers: most of the time to compile a file goes into reading GoogleTest, V8, the standard library and the
# engine's headers (docs/adr/build/0031, 0052). CMAKE_DISABLE_PRECOMPILE_HEADERS switches them off, as in the preset
# `clang`, which thus checks that every source file includes what it uses; ./dev lint checks every file and header.
set(RONDO_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <cstdint> <cstring> <functional> <memory> <mutex>
  <optional> <span> <string> <string_view> <thread> <utility> <vector>)
# Others that the engine and the tests of the loop include everywhere.
set(RONDO_MORE_HEADERS <cerrno> <condition_variable> <cstdlib> <deque> <map> <pthread.h> <sched.h> <sys/epoll.h>
  <sys/socket.h> <sys/uio.h> <unistd.h> <unordered_map> <unordered_set> <x86intrin.h>)

# rondo_precompiled(KIND [PROGRAM] LINKS TARGET... OPTIONS OPTION... HEADERS HEADER... OURS HEADER...): headers for all
# targets that are compiled with these options, usually with those of the linked targets. The compiler accepts them for
# code of the same kind only: PROGRAM for executables, otherwise for libraries. OURS are headers of this tree that most
# files of the targets include; only Clang precompiles them. A change to one of them, or to a header that it includes,
# compiles all files of the targets again.
function(rondo_precompiled kind)
  cmake_parse_arguments(PCH "PROGRAM" "" "LINKS;OPTIONS;HEADERS;OURS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${kind}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Nothing: there is only its precompiled header.\n")
  # Not linked. A separate target, so that targets which use the header do not wait for each other.
  add_library(rondo_precompiled_${kind} OBJECT EXCLUDE_FROM_ALL ${source})
  if(PCH_PROGRAM)
    set_target_properties(rondo_precompiled_${kind} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(rondo_precompiled_${kind} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
  endif()
  target_link_libraries(rondo_precompiled_${kind} PRIVATE ${PCH_LINKS})
  target_compile_options(rondo_precompiled_${kind} PRIVATE ${PCH_OPTIONS})
  # g++ recognises a file with `#pragma once` by its time, too: it would include a header again if ccache had stored the
  # precompiled header before a checkout changed the header's time. Other headers have include guards.
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(PCH_OURS "")
  endif()
  if(PCH_OURS)
    target_include_directories(rondo_precompiled_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    list(TRANSFORM PCH_OURS REPLACE "(.+)" "<\\1>")
  endif()
  target_precompile_headers(rondo_precompiled_${kind} PRIVATE ${RONDO_STANDARD_HEADERS} ${PCH_HEADERS} ${PCH_OURS})
endfunction()

# rondo_use_precompiled(KIND TARGET...): the targets' files are compiled with these headers.
function(rondo_use_precompiled kind)
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM rondo_precompiled_${kind})
  endforeach()
endfunction()

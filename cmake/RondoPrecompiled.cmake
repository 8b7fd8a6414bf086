# Precompiled headers: most of the time to compile a file goes into reading GoogleTest, V8 and the standard library
# (docs/adr/0031). Only third-party headers are precompiled: ours change, and each change would recompile everything.
# CMAKE_DISABLE_PRECOMPILE_HEADERS switches them off, as in the preset `clang`, which thus checks that every source
# file includes what it uses; ./dev lint checks every header.
set(RONDO_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <cstdint> <cstring> <functional> <memory> <mutex>
  <optional> <span> <string> <string_view> <thread> <utility> <vector>)

# rondo_precompiled(KIND [PROGRAM] LINKS TARGET... OPTIONS OPTION... HEADERS HEADER...): headers for all targets that
# are compiled with these options, usually with those of the linked targets. The compiler accepts them for code of the
# same kind only: PROGRAM for executables, otherwise for libraries.
function(rondo_precompiled kind)
  cmake_parse_arguments(PCH "PROGRAM" "" "LINKS;OPTIONS;HEADERS" ${ARGN})
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
  target_precompile_headers(rondo_precompiled_${kind} PRIVATE ${PCH_HEADERS})
endfunction()

# rondo_use_precompiled(KIND TARGET...): the targets' files are compiled with these headers.
function(rondo_use_precompiled kind)
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM rondo_precompiled_${kind})
  endforeach()
endfunction()

# Precompiled headers: of the seconds that a file takes to compile, most go into reading GoogleTest, V8 and the standard
# library (docs/adr/0031). Only headers that are not ours are precompiled: ours change, and each change would compile
# everything anew. They are switched off by CMake's CMAKE_DISABLE_PRECOMPILE_HEADERS, as the preset `clang` does, which
# so proves that every file includes what it uses; ./dev lint proves it of every header.
set(RONDO_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <cstdint> <cstring> <functional> <memory> <mutex>
  <optional> <span> <string> <string_view> <thread> <utility> <vector>)

# rondo_precompiled(KIND [PROGRAM] LINKS TARGET... OPTIONS OPTION... HEADERS HEADER...): headers for all targets that are
# compiled with these options, as a rule with those that the linked targets hand on. The compiler takes them for code of
# the same kind only: PROGRAM for executables, else for libraries.
function(rondo_precompiled kind)
  cmake_parse_arguments(PCH "PROGRAM" "" "LINKS;OPTIONS;HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${kind}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Nothing: there is only its precompiled header.\n")
  # Nobody links it. A target of its own, so that those who use the header do not wait for one another.
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

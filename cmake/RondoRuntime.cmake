# The JavaScript runtime: layers runtime and bindings, the start-up snapshot, and the program rondo.

# These layers are not optimised under a sanitizer: they take long to compile, and V8 does most of the work in their
# tests (docs/adr/0031).
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
# For node:crypto. V8's host program contains OpenSSL and its package the headers (docs/adr/0036).
if(RONDO_V8_ROOT)
  find_package(OpenSSL REQUIRED COMPONENTS Crypto)
  target_link_libraries(rondo_bindings PUBLIC OpenSSL::Crypto)
endif()
# For node:dns.
find_package(PkgConfig REQUIRED)
pkg_check_modules(cares REQUIRED IMPORTED_TARGET libcares)
target_link_libraries(rondo_bindings PUBLIC PkgConfig::cares)

rondo_precompiled(v8 LINKS rondo_warnings rondo::v8 OPTIONS ${RONDO_LAYER_OPTIONS} ${runtime_options}
  HEADERS ${RONDO_STANDARD_HEADERS} <v8.h>)
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
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/bindings/process/process.cc APPEND PROPERTY COMPILE_DEFINITIONS
  RONDO_AMARO_VERSION="${amaro_version}" RONDO_LEXER_VERSION="${lexer_version}")
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
enable_language(ASM)
set_source_files_properties(${PROJECT_BINARY_DIR}/snapshot.S PROPERTIES OBJECT_DEPENDS ${snapshot})

# The command line without main(): unit tests link these files, too.
file(GLOB_RECURSE RONDO_COMMAND_LINE CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.cc)
list(FILTER RONDO_COMMAND_LINE EXCLUDE REGEX "(_test|/main|/mksnapshot)\\.cc$")
rondo_v8_program(rondo FOLDER ${PROJECT_BINARY_DIR} SOURCES src/cli/main.cc ${RONDO_COMMAND_LINE} ${PROJECT_BINARY_DIR}/snapshot.S)
target_link_libraries(${rondo_code} PRIVATE ${runtime_parts} rondo_static rondo_warnings)
foreach(program ${rondo_code} ${rondo_mksnapshot_code})
  target_compile_options(${program} PRIVATE -fno-exceptions ${runtime_options})
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
  # The licences of the npm packages in the snapshot. esbuild is not part of the snapshot.
  file(GLOB package_licences ${npm_dir}/node_modules/*/LICENSE* ${page_npm_dir}/node_modules/*/LICENSE*)
  list(FILTER package_licences EXCLUDE REGEX "/esbuild/")
  foreach(licence ${package_licences})
    get_filename_component(package_name ${licence} DIRECTORY)
    get_filename_component(package_name ${package_name} NAME)
    install(FILES ${licence} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.${package_name} COMPONENT program)
  endforeach()
endif()

# Compile options of the layers and their precompiled headers. No program interposes functions of the library, so g++
# may inline them, as clang does anyway.
set(RONDO_LAYER_OPTIONS -fno-exceptions -fvisibility-inlines-hidden -fno-semantic-interposition)

# rondo_layer(NAME [DEPENDS LAYER...]): an object library of src/NAME, without its *_test.cc files.
function(rondo_layer name)
  cmake_parse_arguments(LAYER "" "EXCLUDE" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(LAYER_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "/src/${name}/${LAYER_EXCLUDE}/")
  endif()
  add_library(rondo_${name} OBJECT ${sources})
  target_include_directories(rondo_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_compile_features(rondo_${name} PUBLIC cxx_std_20)
  # With run-time type information, although nothing here uses it: programs that derive from Clock or TraceSink are
  # usually built with it, and would not link otherwise (docs/adr/build/0002).
  target_compile_options(rondo_${name} PRIVATE ${RONDO_LAYER_OPTIONS})
  target_link_libraries(rondo_${name} PRIVATE rondo_warnings PUBLIC Threads::Threads)
  foreach(dependency ${LAYER_DEPENDS})
    target_link_libraries(rondo_${name} PUBLIC rondo_${dependency})
  endforeach()
endfunction()

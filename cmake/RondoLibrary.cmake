# librondo: base, loop, explore and io as one static and one shared library.
set(RONDO_LAYERS rondo_base rondo_loop rondo_explore rondo_io)
set(rondo_objects)
foreach(layer ${RONDO_LAYERS})
  list(APPEND rondo_objects $<TARGET_OBJECTS:${layer}>)
endforeach()

foreach(kind static shared)
  string(TOUPPER ${kind} upper)
  add_library(rondo_${kind} ${upper} ${rondo_objects})
  add_library(rondo::${kind} ALIAS rondo_${kind})
  set_target_properties(rondo_${kind} PROPERTIES
    OUTPUT_NAME rondo EXPORT_NAME ${kind}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(rondo_${kind} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:include/rondo>)
  target_compile_features(rondo_${kind} PUBLIC cxx_std_20)
  target_link_libraries(rondo_${kind} PUBLIC Threads::Threads)
endforeach()
include(RondoInstall OPTIONAL)

# `cmake --install` installs headers, both libraries, a CMake package and a pkg-config file; and the program rondo if V8
# is available (RondoRuntime.cmake), as the component "program". None of them contains the prefix, so the installed tree
# may be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(RONDO_CODE_FOLDER lib/rondo)  # For librondo-code.so, which no other program links.

# Programs that build Rondo inside their own tree link the same name as those that find it installed.
if(BUILD_SHARED_LIBS)
  add_library(rondo::rondo ALIAS rondo_shared)
else()
  add_library(rondo::rondo ALIAS rondo_static)
endif()

option(RONDO_INSTALL "Have install rules; off when Rondo is part of another project" ${PROJECT_IS_TOP_LEVEL})
if(NOT RONDO_INSTALL)
  return()
endif()

set(rondo_headers ${CMAKE_INSTALL_INCLUDEDIR}/rondo)
set(rondo_package ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)

install(FILES ${PROJECT_SOURCE_DIR}/include/rondo.h DESTINATION ${rondo_headers})
foreach(layer base loop explore io)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/${layer})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${layer} DESTINATION ${rondo_headers}
      FILES_MATCHING PATTERN "*.h" PATTERN "*_test.h" EXCLUDE)
  endif()
endforeach()

install(TARGETS rondo_static rondo_shared EXPORT rondo
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT rondo NAMESPACE rondo:: FILE rondo-targets.cmake DESTINATION ${rondo_package})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rondo-config.cmake.in
  ${PROJECT_BINARY_DIR}/rondo-config.cmake INSTALL_DESTINATION ${rondo_package}
  NO_SET_AND_CHECK_MACRO)
# Below 1.0 every minor version may break users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rondo-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rondo-config.cmake ${PROJECT_BINARY_DIR}/rondo-config-version.cmake
  DESTINATION ${rondo_package})

# The path from the pkg-config file to the prefix depends on the depth of the library folder.
file(RELATIVE_PATH RONDO_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" RONDO_PC_TO_PREFIX ${RONDO_PC_TO_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/rondo.pc.in ${PROJECT_BINARY_DIR}/rondo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rondo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Headers to include/thrust_hist, the package to lib/cmake/thrust_hist.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/thrust_hist")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/thrust_hist" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN cmake EXCLUDE)
install(TARGETS thrust_hist EXPORT thrust_hist-targets)
install(EXPORT thrust_hist-targets NAMESPACE thrust_hist:: DESTINATION "${package_dir}")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/thrust_hist-config.cmake.in"
  "${PROJECT_BINARY_DIR}/thrust_hist-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/thrust_hist-config-version.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  "${PROJECT_BINARY_DIR}/thrust_hist-config.cmake"
  "${PROJECT_BINARY_DIR}/thrust_hist-config-version.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/thrust_hist-thrust.cmake"
  DESTINATION "${package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

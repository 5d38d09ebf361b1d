# Everything for `find_package(polyad)` in another project:
#
#   find_package(polyad REQUIRED)
#   target_link_libraries(app PRIVATE polyad::polyad)
#
# With add_subdirectory or FetchContent the same name works without installing. Either way a user sees the headers of include/
# and no others: the modules are linked, but their own headers and those of the libraries they use stay out of sight.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY POLYAD_MODULES)
add_library(polyad_all INTERFACE)
add_library(polyad::polyad ALIAS polyad_all)
target_compile_features(polyad_all INTERFACE cxx_std_20)
target_include_directories(polyad_all INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set(linked ${modules})
list(TRANSFORM linked REPLACE "(.+)" "$<LINK_ONLY:\\1>")
target_link_libraries(polyad_all INTERFACE ${linked})
set_target_properties(polyad_all PROPERTIES EXPORT_NAME polyad)

option(POLYAD_INSTALL "Install the library, its headers and its CMake package" ${PROJECT_IS_TOP_LEVEL})
if(NOT POLYAD_INSTALL)
  return()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/polyad)
install(TARGETS polyad_all ${modules} EXPORT polyad ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT polyad NAMESPACE polyad:: FILE polyadTargets.cmake DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/polyad DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/polyadConfig.cmake.in ${PROJECT_BINARY_DIR}/polyadConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/polyadConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/polyadConfig.cmake ${PROJECT_BINARY_DIR}/polyadConfigVersion.cmake
        DESTINATION ${package_dir})

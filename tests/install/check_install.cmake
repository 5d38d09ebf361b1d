# cmake -DBUILD=... -DSOURCE=... -DWORK=... -DGENERATOR=... -DCXX=... -DVERSION=... -P check_install.cmake
#
# Installs the build, moves what was installed (a package must not know where it was made), builds the example project
# against it and runs it, reads how the installed command is hardened; then configures a project that takes polyad by add_subdirectory.
include(${CMAKE_CURRENT_LIST_DIR}/check_hardening.cmake)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
file(RENAME ${WORK}/installed ${WORK}/moved)

file(GLOB_RECURSE package_files ${WORK}/moved/*/polyad*.cmake)
foreach(package_file IN LISTS package_files)
  file(READ ${package_file} text)
  foreach(folder ${SOURCE} ${BUILD} ${WORK}/installed)
    string(FIND "${text}" "${folder}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${package_file} mentions ${folder}: the package cannot be moved")
    endif()
  endforeach()
endforeach()

# The public headers, and no others.
file(GLOB_RECURSE wanted RELATIVE ${SOURCE}/include ${SOURCE}/include/*)
file(GLOB_RECURSE headers RELATIVE ${WORK}/moved/include ${WORK}/moved/include/*)
list(SORT wanted)
list(SORT headers)
if(NOT headers STREQUAL wanted)
  message(FATAL_ERROR "installed headers:\n${headers}\npublic headers:\n${wanted}")
endif()

set(options -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/cmake-project -B ${WORK}/example ${options}
    -DCMAKE_PREFIX_PATH=${WORK}/moved)
run(${CMAKE_COMMAND} --build ${WORK}/example)
run(${WORK}/example/shops)
message("${output}")
if(NOT output MATCHES "component 1" OR NOT output MATCHES "component 2")
  message(FATAL_ERROR "the example did not print its two components")
endif()
run(${WORK}/example/own_loss)
message("${output}")
check_hardening(${WORK}/moved/bin/polyad)
check_hardening(${WORK}/moved/bin/polyad-reader)
run(${WORK}/moved/bin/polyad --version)
string(STRIP "${output}" output)
if(NOT output STREQUAL "polyad ${VERSION}")
  message(FATAL_ERROR "the command says it is '${output}', CMake that it is ${VERSION}")
endif()

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install/subproject -B ${WORK}/subproject ${options} -DPOLYAD_SOURCE=${SOURCE})

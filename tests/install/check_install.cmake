# cmake -DBUILD=... -DSOURCE=... -DWORK=... -DGENERATOR=... -DCXX=... -DVERSION=... -P check_install.cmake
#
# Installs the build, moves what was installed (a package must not know where it was made), builds the example project
# against it and runs it, reads how the installed command is hardened; then configures a project that takes polyad by add_subdirectory.
cmake_policy(SET CMP0011 NEW)  # the included script sets policies for itself alone
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
    string(FIND "${text}" "${folder}/" position)  # a whole path: the name of one folder may begin another's
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
# Reads HDF5 through the installed reader, which is beside the installed command.
run(${WORK}/moved/bin/polyad make poisson --shape 20x15x10 --rank 2 --density 0.2 -o ${WORK}/counts.h5)
run(${CMAKE_COMMAND} -E env POLYAD_READER=${WORK}/moved/bin/polyad-reader
    ${WORK}/example/from_file ${WORK}/counts.h5 ${WORK}/model.h5 ${WORK}/report.html)
message("${output}")
foreach(wanted "deviance explained" "start 1 ends at")
  if(NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "the example that reads a file does not say '${wanted}'")
  endif()
endforeach()
run(${WORK}/moved/bin/polyad show ${WORK}/model.h5)
file(READ ${WORK}/report.html page LIMIT 200)
if(NOT page MATCHES "<!DOCTYPE html>|<!doctype html>")
  message(FATAL_ERROR "the example wrote no page: ${page}")
endif()
check_hardening(${WORK}/moved/bin/polyad)
check_hardening(${WORK}/moved/bin/polyad-reader)
run(${WORK}/moved/bin/polyad --version)
string(STRIP "${output}" output)
if(NOT output STREQUAL "polyad ${VERSION}")
  message(FATAL_ERROR "the command says it is '${output}', CMake that it is ${VERSION}")
endif()

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install/subproject -B ${WORK}/subproject ${options} -DPOLYAD_SOURCE=${SOURCE})
file(READ ${WORK}/subproject/include_folders.txt seen)
string(REGEX REPLACE ";+$" "" seen "${seen}")  # what is empty leaves its separator
if(NOT seen STREQUAL "${SOURCE}/include")
  message(FATAL_ERROR "a project that takes polyad by add_subdirectory sees more than its public headers: ${seen}")
endif()

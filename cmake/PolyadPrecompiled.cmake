# Headers that most sources include, read once instead of once a source. The presets ask for it; a plain build, and one inside
# another project, does without: every source still includes what it uses.
option(POLYAD_PRECOMPILE "Precompile the headers that most sources include" OFF)

set(POLYAD_COMMON_HEADERS
    <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <mutex>
    <numeric> <optional> <set> <span> <string> <string_view> <tuple> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)

# polyad_precompile(TARGET FIRST [more headers...]): target FIRST precompiles, the others with equal options take it over.
function(polyad_precompile target first)
  if(NOT POLYAD_PRECOMPILE)
    return()
  endif()
  # What was defined when they were precompiled must be defined in every source that takes them over.
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:hwy::hwy,INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE ${POLYAD_COMMON_HEADERS} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
    get_target_property(first_is ${first} TYPE)
    get_target_property(target_is ${target} TYPE)
    if(target_is STREQUAL "EXECUTABLE" AND first_is STREQUAL "STATIC_LIBRARY")
      target_compile_options(${target} PRIVATE -fPIC)  # as the library was, in place of a program's -fPIE
    endif()
  endif()
endfunction()

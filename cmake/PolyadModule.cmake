# polyad_module(NAME [DEPENDS other modules...] [LINK libraries...] [PRIVATE_LINK libraries...])
#
# Sources named *_simd.cpp are compiled once a kind of CPU (base/simd_file.hpp), which a unity build must not mix with others.
# LINK is for libraries that the module's own headers use, PRIVATE_LINK for those that only its sources use. Libraries of headers
# alone are given as $<BUILD_INTERFACE:...>: who uses an installed polyad does not need them.
# A folder of src/polyad is one static library polyad_NAME, made of every source in it. DEPENDS states the arrows of the
# architecture; tests/architecture checks that the #includes obey the same arrows.
function(polyad_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
  # Reproducibility: the compiler may not fuse a*b+c as it pleases, which would change bits from build to build.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  # GCC collects its garbage rarely: a tenth less time for 150 MB more a job.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
  if(POLYAD_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(NOT POLYAD_SANITIZE)
    # What a memory error in a reader could be used for ends the program instead. tests/install reads these from the binary.
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2> -fstack-protector-strong)
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack)
  endif()
  if(POLYAD_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${POLYAD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    if(POLYAD_SANITIZE MATCHES "undefined")
      # All other checks are on. Those of every use of a pointer together double the time of compiling; the figures are the
      # seconds of compiling io/tns/entries.cpp with one of them on, 1.5 with none:
      #   null 1.7, object-size 1.8   the address sanitizer stops at the same access, with sizes of the heap too
      #   pointer-overflow 1.8        a pointer so far away is never read without a report of the address sanitizer
      #   vptr 1.9                    there are no casts to derived classes; objects that are gone are the address sanitizer's
      #   alignment 1.9               bytes of files become numbers by memcpy, or in place at offsets that are looked at first
      #   nonnull-attribute 1.8, returns-nonnull-attribute 1.8   no bytes from nowhere (memcpy of an empty vector) are harmless
      target_compile_options(${target} PUBLIC
        -fno-sanitize=null,alignment,object-size,vptr,nonnull-attribute,returns-nonnull-attribute,pointer-overflow)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${POLYAD_SANITIZE})
  endif()
endfunction()

# polyad_optimise(TARGET LEVEL): at most so far in release builds, where more would only cost build time.
function(polyad_optimise target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
endfunction()

function(polyad_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINK;PRIVATE_LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(target polyad_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    polyad_compile_options(${target})
    polyad_precompile(${target} polyad_base)
    set(simd_sources ${sources})
    list(FILTER simd_sources INCLUDE REGEX "_simd\\.cpp$")
    if(simd_sources)
      set_source_files_properties(${simd_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      target_link_libraries(${target} PRIVATE hwy::hwy)
    endif()
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(polyad::${name} ALIAS ${target})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  list(TRANSFORM arg_DEPENDS PREPEND polyad_)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS} ${arg_LINK})
  if(sources)
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_LINK})
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY POLYAD_MODULES ${target})
endfunction()

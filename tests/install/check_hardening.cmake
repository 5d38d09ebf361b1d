# cmake -DPROGRAM=... -P check_hardening.cmake: what readelf says of a program that reads files of strangers.
#
# - no RUNPATH or RPATH with an empty or relative element: the current folder would be searched for libraries
# - position independent, its tables of addresses read-only before main, no executable stack
# - calls into the C library that know their buffer's size are the checked ones, and functions with arrays guard their frame
cmake_policy(SET CMP0057 NEW)

function(check_hardening program)
  execute_process(COMMAND readelf -W -h -d -l -s ${program} RESULT_VARIABLE result OUTPUT_VARIABLE elf ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "readelf fails on ${program}: ${error}")
  endif()
  string(REGEX MATCHALL "\\((RUNPATH|RPATH)\\)[^\n]*" paths "${elf}")
  foreach(path IN LISTS paths)
    string(REGEX REPLACE ".*\\[(.*)\\].*" "\\1" folders "${path}")
    if(NOT folders MATCHES "^/[^:]*(:/[^:]*)*$")
      message(FATAL_ERROR "${program} looks for libraries in '${folders}', not only in absolute folders")
    endif()
  endforeach()
  foreach(wanted "Type: +DYN" "GNU_RELRO" "(BIND_NOW|FLAGS_1[^\n]*NOW)" "GNU_STACK[^\n]* RW " "__stack_chk_fail")
    if(NOT elf MATCHES "${wanted}")
      message(FATAL_ERROR "${program} is not hardened: readelf shows no '${wanted}'")
    endif()
  endforeach()
  if(FORTIFIED AND NOT elf MATCHES "__(memcpy|memmove|memset|read|snprintf|strncpy|pread)_chk")
    message(FATAL_ERROR "${program} was compiled without _FORTIFY_SOURCE: it calls no checked function")
  endif()
endfunction()

if(PROGRAM)
  check_hardening(${PROGRAM})
endif()

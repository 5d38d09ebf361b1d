# cmake -DOUTPUT=... -DD3=... -DSCRIPTS="a;b" -DSTYLE=... -P embed.cmake
#
# Writes a C++ source that holds the texts as raw string literals.
set(delimiter "polyad~text")  # at most 16 characters, and in none of the texts

function(append_literal name)
  set(literal "std::string_view ${name}() {\n  return ")
  foreach(file IN LISTS ARGN)
    file(READ ${file} text)
    string(FIND "${text}" ")${delimiter}\"" inside)
    # A page ends a script at this tag, wherever it stands.
    string(FIND "${text}" "</script" tag)
    if(NOT inside EQUAL -1 OR NOT tag EQUAL -1)
      message(FATAL_ERROR "${file} cannot be embedded: it holds the end of a literal or of a script")
    endif()
    string(APPEND literal "R\"${delimiter}(${text})${delimiter}\"\n")
  endforeach()
  file(APPEND ${OUTPUT}.new "${literal};\n}\n")
endfunction()

file(WRITE ${OUTPUT}.new "#include <polyad/report/html/report_parts.hpp>\n\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace polyad {\n")
append_literal(viewer_d3 ${D3})
append_literal(viewer_script ${SCRIPTS})
append_literal(viewer_style ${STYLE})
file(APPEND ${OUTPUT}.new "}  // namespace polyad\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})

# A wheel from a package that is built already, in the folder POLYAD_PREBUILT: for the test of wheels, which would otherwise compile
# everything again. `pip install .` does not use it.
set(POLYAD_PREBUILT "" CACHE PATH "Folder of a built package polyad to make a wheel of")
if(NOT SKBUILD OR NOT POLYAD_PREBUILT)
  return()
endif()
file(GLOB module ${POLYAD_PREBUILT}/_core*.so)
file(REAL_PATH ${POLYAD_PREBUILT}/polyad-reader reader)
install(FILES ${module} DESTINATION polyad COMPONENT python)
install(PROGRAMS ${reader} DESTINATION polyad COMPONENT python)
add_custom_target(polyad_python)
add_custom_target(polyad_reader)

# Everything polyad builds on comes from the distribution; scripts/setup installs it.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(hwy REQUIRED)
find_package(Boost REQUIRED)  # headers only: Math, Random, Multiprecision
find_package(ZLIB REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
# Linked by their plain names: Debian ships no CMake packages for all of these.
foreach(library IN ITEMS zstd matio)
  find_library(POLYAD_${library}_LIBRARY ${library} REQUIRED)
endforeach()
find_package(Eigen3 REQUIRED NO_MODULE)
find_path(POLYAD_RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

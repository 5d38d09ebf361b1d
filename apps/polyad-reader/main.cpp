// polyad-reader: reads one HDF5 or .mat file for a process that does not want to (io/isolated/reader.hpp). Not for people.

#include <polyad/io/isolated/reader.hpp>

int main(int argc, char** argv) {
  return polyad::reader_main(argc, argv);
}

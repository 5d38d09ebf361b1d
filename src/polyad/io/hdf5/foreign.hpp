#pragma once
// HDF5 files can name other files: external links, datasets stored elsewhere, virtual datasets. They are refused: what a file of a
// stranger holds must not depend on what else is on the machine.

#include <polyad/io/hdf5/handles.hpp>

#include <string>

namespace polyad {

/// For the reading process, before it sees a file: no plugins, no external links.
void prepare_hdf5_for_strangers();

/// A data error that names the object where anything in the file needs another file, or a filter that is not HDF5's own.
/// O(objects in the file).
void refuse_other_files(hid_t file, const std::string& path);

}  // namespace polyad

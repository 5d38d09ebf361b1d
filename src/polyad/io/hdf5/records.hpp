#pragma once

#include <polyad/cells.hpp>
#include <polyad/io/hdf5/handles.hpp>

namespace polyad {

/// The type of a record as it lies in memory and in files: members i1 .. id, value and, where weighted, weight.
Hdf5Id hdf5_record_type(const Records& records);

}  // namespace polyad

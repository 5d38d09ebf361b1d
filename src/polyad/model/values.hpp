#pragma once
// The model's prediction at a list of cells.

#include <polyad/model/ktensor.hpp>
#include <polyad/tensor/records.hpp>

#include <vector>

namespace polyad {

/// One value a record, weights applied; the records' own values are not looked at. A data error names the
/// first cell that the model does not have. O(r d) a cell.
std::vector<double> values_at(const KTensor& model, const Records& cells);

}  // namespace polyad

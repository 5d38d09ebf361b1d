#pragma once
// Tables for spreadsheets and statistics programs. Labels that a spreadsheet would compute are marked unless `raw` (csv_cell.hpp).

#include <polyad/io/model_file.hpp>
#include <polyad/tensor/tensor.hpp>

#include <string>

namespace polyad {

/// The listed (or observed) cells: a column a mode with labels, or numbers from 1, and `value`. Weights and lists of missing
/// cells are refused.
void write_csv_tensor(const std::string& path, const Tensor& tensor, bool raw = false);
/// Labelled factors: mode, index (from 1), label and a column a component; first a row with the weights.
void write_csv_model(const std::string& path, const ModelFile& file, bool raw = false);

}  // namespace polyad

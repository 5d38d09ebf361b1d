#pragma once
// Where rows of a model begin when they are looked for in new data, what bounds them, and parts of models and tensors by index:
// what `transform` and `update` have in common.

#include <polyad/files.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace polyad {

/// The loss that a model was fitted with, or `given` where the file does not say; a usage error where they differ or there is
/// neither.
Loss loss_of_model(const ModelFile& file, const std::string& given);

/// The lower bound that holds for rows of any scale, by the options of the model's fit: 0, or none. Other bounds were bounds of
/// factors in the scale of the fit.
double lower_bound_of(const ModelFile& file, std::size_t mode, const Loss& loss);

/// Models of other programs may have negative factors where the loss allows no negative values: a data error names the mode. Rows
/// of `mode` are not looked at.
void check_factors(const KTensor& model, const Loss& loss, std::size_t mode);

/// The unit that rows for these data are found in, a power of two (fit/units.hpp).
double unit_of_rows(const Tensor& data, const Loss& loss);

/// The model's factors, with room for `rows` rows in one mode; weights are left out.
Factors with_new_rows(const Factors& factors, std::size_t mode, std::uint64_t rows);

/// Where every new row begins: the mean of the model's own rows with their weights, in this unit. Where all is positive it has the
/// size of the data: not every loss has one minimum. `factors` are those of the other modes.
std::vector<double> starting_row(const KTensor& model, std::size_t mode, const Factors& factors, const Tensor& data,
                                 const Loss& loss, double lower, double unit);

/// The cells of a tensor with these indices of one mode, in this order and with their labels. O(cells).
Tensor part_of(const Tensor& tensor, std::size_t mode, const std::vector<Index>& indices);
Factors part_of(const Factors& factors, std::size_t mode, const std::vector<Index>& indices);

}  // namespace polyad

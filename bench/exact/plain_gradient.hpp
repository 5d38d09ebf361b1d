#pragma once
// The exact gradient as one would first write it down: cell by cell, component by component. The figure that is tracked is how
// many times faster the library is.

#include <polyad/model.hpp>
#include <polyad/tensor/tensor.hpp>

namespace polyad::bench {

/// Every cell of a dense tensor, loss gamma.
double plain_gamma_gradient(const Factors& model, const DenseTensor& tensor, Factors& gradient);

/// The nonzeros of a sparse tensor, loss poisson, zeros in closed form.
double plain_poisson_gradient(const Factors& model, const SparseTensor& tensor, Factors& gradient);

}  // namespace polyad::bench

#pragma once
// What a model file keeps of a fit.

#include <polyad/fit.hpp>
#include <polyad/io/model_file.hpp>

namespace polyad {

ModelFile to_model_file(const FitResult& result);

}  // namespace polyad

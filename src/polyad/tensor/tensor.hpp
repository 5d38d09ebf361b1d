#pragma once
// A tensor with its storage in view: for code that looks at cells. (polyad/tensor.hpp has the type itself.)

#include <polyad/tensor.hpp>
#include <polyad/tensor/dense.hpp>
#include <polyad/tensor/sparse.hpp>

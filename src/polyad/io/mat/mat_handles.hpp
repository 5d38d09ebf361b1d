#pragma once
// matio's C interface made safe: what is opened and made is closed and freed.

#include <matio.h>

#include <memory>

namespace polyad {

struct CloseMat {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeMatVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using MatHandle = std::unique_ptr<mat_t, CloseMat>;
using MatVariable = std::unique_ptr<matvar_t, FreeMatVariable>;

}  // namespace polyad

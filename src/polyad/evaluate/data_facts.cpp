#include <polyad/evaluate/data_facts.hpp>

#include <polyad/base/json_value.hpp>
#include <polyad/fit/check_data.hpp>
#include <polyad/tensor/facts.hpp>

#include <fmt/format.h>

namespace polyad {

Json data_facts(const Tensor& tensor, const std::string& file) {
  const ValueFacts values = value_facts(tensor);
  Json out;
  out["file"] = file;
  out["shape"] = tensor.space().extents();
  out["observed"] = values.observed;
  if (tensor.is_sparse()) out["listed"] = tensor.sparse()->listed();
  out["sum"] = values.mean * values.observed;
  out["least"] = values.least;
  out["greatest"] = values.greatest;
  out["fingerprint"] = fmt::format("{:016x}", fingerprint(tensor));
  return out;
}

}  // namespace polyad

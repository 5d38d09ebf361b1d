#include <polyad/io/hdf5/facts.hpp>
#include <polyad/tensor/tensor.hpp>

#include <array>
#include <utility>

namespace polyad {
namespace {

constexpr const char* facts_group = "/facts";

// Names and places of the facts that are numbers; the same list for writing and reading.
template <class Facts>
auto numbers(Facts& facts) {
  return std::array{
      std::pair("least", &facts.values.least), std::pair("greatest", &facts.values.greatest),
      std::pair("mean", &facts.values.mean),   std::pair("observed", &facts.values.observed),
      std::pair("zeros", &facts.values.zeros), std::pair("negatives", &facts.values.negatives),
      std::pair("norm", &facts.norm),
  };
}

template <class Facts>
auto flags(Facts& facts) {
  return std::array{std::pair("whole", &facts.values.whole), std::pair("binary", &facts.values.binary)};
}

}  // namespace

void write_hdf5_facts(Hdf5Writer& file, const TensorFacts& facts) {
  file.group(facts_group);
  for (const auto& [name, value] : numbers(facts)) file.attribute(facts_group, name, *value);
  for (const auto& [name, value] : flags(facts)) file.attribute(facts_group, name, *value ? 1.0 : 0.0);
  const std::uint64_t fingerprint[] = {facts.fingerprint};
  file.attribute(facts_group, "fingerprint", fingerprint);
}

std::optional<TensorFacts> read_hdf5_facts(const Hdf5Reader& file) {
  if (!file.has(facts_group)) return std::nullopt;
  TensorFacts facts;
  for (const auto& [name, value] : numbers(facts)) *value = file.number_attribute(facts_group, name);
  for (const auto& [name, value] : flags(facts)) *value = file.number_attribute(facts_group, name) != 0;
  const std::vector<std::uint64_t> fingerprint = file.list_attribute(facts_group, "fingerprint");
  if (fingerprint.size() != 1) file.damaged(facts_group, "attribute fingerprint is not one number");
  facts.fingerprint = fingerprint[0];
  return facts;
}

}  // namespace polyad

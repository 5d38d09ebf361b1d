#include <polyad/base/error.hpp>
#include <polyad/fit/check_data.hpp>

#include <array>
#include <cmath>

namespace polyad {

namespace {

// "(3, 07:00, Harbour)": labels where there are some, numbers counted from 1 otherwise.
std::string cell_name(const Tensor& tensor, const Index* index) {
  std::string text = "(";
  for (std::size_t k = 0; k < tensor.space().modes(); ++k) {
    if (k > 0) text += ", ";
    text += tensor.labels().entry(k, index[k]);
  }
  return text + ")";
}

// Calls visit(value, index) for every stored observed value; visit returns whether to go on.
template <class Visit>
void for_each_stored(const Tensor& tensor, Visit&& visit) {
  if (const DenseTensor* dense = tensor.dense()) {
    std::array<Index, max_modes> index{};
    for (std::uint64_t cell = 0; cell < dense->cells(); ++cell) {
      const double x = dense->value(cell);
      if (std::isnan(x)) continue;
      if (!visit(x, [&] {
            dense->index_of(cell, {index.data(), dense->space().modes()});
            return index.data();
          })) {
        return;
      }
    }
  } else {
    const Records& records = tensor.sparse()->records();
    for (std::size_t t = 0; t < records.size(); ++t) {
      if (!visit(records.value(t), [&] { return records.index(t); })) return;
    }
  }
}

// Whether all values with these facts are in the domain.
bool all_within(Domain domain, const ValueFacts& facts) {
  switch (domain) {
    case Domain::real:
      return true;
    case Domain::nonnegative:
      return facts.negatives == 0;
    case Domain::positive:
      return facts.least > 0;
    case Domain::binary:
      return facts.binary;
    case Domain::count:
      return facts.whole && facts.negatives == 0;
    case Domain::positive_count:
      return facts.whole && facts.least > 0;
  }
  return false;
}

}  // namespace

void check_domain(const Tensor& tensor, const Loss& loss) {
  const Domain domain = loss.info().domain;
  const SparseTensor* sparse = tensor.sparse();
  if (sparse != nullptr && sparse->zeros() > 0 && !contains(domain, 0.0)) {
    fail(ErrorKind::data,
         "the loss {} needs {}, but the {:.0f} cells that this sparse tensor does not list are zeros; if only the "
         "listed entries are data, say `unlisted missing`",
         loss.name(), describe(domain), sparse->zeros());
  }
  if (tensor.facts() != nullptr && all_within(domain, tensor.facts()->values)) return;
  for_each_stored(tensor, [&](double x, const auto& index) {
    if (contains(domain, x)) return true;
    const std::vector<LossAdvice> advice = advise_losses(value_facts(tensor));
    fail(ErrorKind::data, "the value {} at {} is not allowed: the loss {} needs {}; for these data try `loss {}`", x,
         cell_name(tensor, index()), loss.name(), describe(domain), advice.front().loss);
    return false;
  });
}

std::vector<LossAdvice> advise_losses(const ValueFacts& facts) {
  const std::string range = fmt::format("{} to {}", facts.least, facts.greatest);
  const std::string nonnegative = fmt::format("add {} for nonnegative factors", option_name("lower", "0"));
  if (facts.binary) {
    return {{"bernoulli-odds", "all values are 0 or 1; factors are nonnegative and read as odds"},
            {"bernoulli-logit", "all values are 0 or 1; factors of either sign"}};
  }
  if (facts.whole && facts.negatives == 0) {
    std::vector<LossAdvice> advice = {{"poisson", fmt::format("counts ({})", range)},
                                      {"negative-binomial", "counts that vary more than Poisson allows"}};
    if (facts.zeros == 0) advice.push_back({"zero-truncated-poisson", "counts that are never zero"});
    return advice;
  }
  if (facts.negatives > 0) {
    return {{"gaussian", fmt::format("real values of either sign ({})", range)},
            {"huber", "as gaussian, but outliers count less"}};
  }
  if (facts.zeros == 0) {
    return {{"gamma", fmt::format("positive values ({}) whose spread grows with their size", range)},
            {"rayleigh", "positive values, such as magnitudes"},
            {"gaussian", fmt::format("where the spread is the same everywhere ({})", nonnegative)}};
  }
  return {{"gaussian", fmt::format("nonnegative values ({}) with zeros ({})", range, nonnegative)},
          {"beta-divergence", "nonnegative values whose spread grows with their size"}};
}

}  // namespace polyad

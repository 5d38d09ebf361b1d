#pragma once
// Problems for metamorphic tests: the same small data in many guises, and all ways to fit them.

#include <polyad/base/rng.hpp>
#include <polyad/fields.hpp>
#include <polyad/fit.hpp>
#include <polyad/loss.hpp>
#include <polyad/solve/method_table.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace polyad::metamorphic {

/// A tensor as a list of cells: from it dense and sparse tensors are made.
struct Cells {
  std::vector<std::uint64_t> shape = {7, 6, 5};
  std::vector<std::vector<Index>> index;
  std::vector<double> x;
  std::vector<double> w;   ///< empty: all 1
  double zero_weight = 1;  ///< of zeros in a sparse tensor, which has no other weights for them
};

/// All cells of a shape, the last mode fastest.
inline std::vector<std::vector<Index>> cells_in(const std::vector<std::uint64_t>& shape) {
  std::vector<std::vector<Index>> all(1);
  for (const std::uint64_t n : shape) {
    std::vector<std::vector<Index>> longer;
    for (const auto& index : all) {
      for (std::uint64_t i = 0; i < n; ++i) {
        longer.push_back(index);
        longer.back().push_back(static_cast<Index>(i));
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Values a loss takes, from two planted components and noise; about half are zero where the loss takes zeros.
inline Cells cells_for(const Loss& loss, std::vector<std::uint64_t> shape = {7, 6, 5}, std::uint64_t seed = 3) {
  Cells cells;
  cells.shape = shape;
  Generator random(RandomStream(seed, Purpose::problem));
  std::vector<std::vector<double>> a(2);
  for (auto& component : a) {
    for (const std::uint64_t n : shape) {
      for (std::uint64_t i = 0; i < n; ++i) component.push_back(0.2 + random.unit() * random.unit() * 2);
    }
  }
  cells.index = cells_in(shape);
  for (const std::vector<Index>& index : cells.index) {
    double m = 0;
    for (const auto& component : a) {
      double product = 1;
      std::size_t begin = 0;
      for (std::size_t k = 0; k < shape.size(); begin += shape[k++]) product *= component[begin + index[k]];
      m += product;
    }
    const double u = random.unit();
    double x = 0;
    switch (loss.info().domain) {
      case Domain::real:
        x = m - 0.7 + 0.3 * (u - 0.5);
        break;
      case Domain::positive:
        x = m * (0.5 + u);
        break;
      case Domain::binary:
        x = u < m / (1 + m) ? 1 : 0;
        break;
      case Domain::positive_count:
        x = 1 + std::floor(m + u);
        break;
      default:
        x = std::floor(1.2 * m + 0.9 * u);
    }
    cells.x.push_back(x);
  }
  return cells;
}

inline Tensor dense(const Cells& cells) {
  const IndexSpace space(cells.shape);
  AlignedVector<double> values(static_cast<std::size_t>(space.cells()), std::nan(""));
  AlignedVector<double> weights(values.size(), 1.0);
  const auto at = [&](const std::vector<Index>& index) {
    std::size_t position = 0;
    for (std::size_t k = 0; k < index.size(); ++k) position = position * cells.shape[k] + index[k];
    return position;
  };
  for (std::size_t t = 0; t < cells.x.size(); ++t) values[at(cells.index[t])] = cells.x[t];
  DenseTensor tensor(space, std::move(values));
  if (!cells.w.empty()) {
    for (std::size_t t = 0; t < cells.x.size(); ++t) weights[at(cells.index[t])] = cells.w[t];
    tensor.set_weights(std::move(weights));
  }
  return Tensor(std::move(tensor));
}

/// Zeros are left out, but for those with a weight of their own; cells that are not given are declared missing.
inline Tensor sparse(const Cells& cells) {
  Records records(cells.shape.size()), weights(cells.shape.size()), missing(cells.shape.size());
  std::set<std::vector<Index>> given;
  for (std::size_t t = 0; t < cells.x.size(); ++t) {
    const Index* index = cells.index[t].data();
    given.insert(cells.index[t]);
    if (cells.x[t] != 0) records.append(index, cells.x[t]);
    if (cells.w.empty()) continue;
    if (cells.x[t] != 0 || cells.w[t] != cells.zero_weight) weights.append(index, cells.w[t]);
  }
  for (const std::vector<Index>& index : cells_in(cells.shape)) {
    if (!given.contains(index)) missing.append(index.data(), 0.0);
  }
  SparseTensor tensor(IndexSpace(cells.shape), std::move(records));
  if (missing.size() > 0) tensor.set_missing(missing);
  if (!cells.w.empty()) {
    tensor.set_weights(weights);
    tensor.set_zero_weight(cells.zero_weight);
  }
  return Tensor(std::move(tensor));
}

/// A sparse tensor that lists every cell that is given, zeros too: all others are missing.
inline Tensor listed(const Cells& cells) {
  Records records(cells.shape.size(), !cells.w.empty());
  for (std::size_t t = 0; t < cells.x.size(); ++t) {
    records.append(cells.index[t].data(), cells.x[t], cells.w.empty() ? 1.0 : cells.w[t]);
  }
  return Tensor(SparseTensor(IndexSpace(cells.shape), std::move(records), Unlisted::missing));
}

/// Every value of an enum with words, in order: what is new is there at once.
template <WordEnum E>
std::vector<E> every() {
  std::vector<E> all;
  for (std::size_t i = 0; i < words_of(E{}).size(); ++i) all.push_back(static_cast<E>(i));
  return all;
}

/// One way to fit.
struct Way {
  std::string name;
  std::string loss;
  std::function<void(FitOptions&)> choose;
  bool on_sparse = false;
};

inline void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

inline bool takes_zeros(const Loss& loss) {
  return contains(loss.info().domain, 0.0);
}

/// Every loss with the defaults and by exact gradients, dense and sparse; every sampler, method, finish, update rule and
/// precision, from the lists of their words.
inline std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const Loss& loss : all_losses()) {
    const std::string name(loss.name());
    for (const bool on_sparse : {false, true}) {
      if (on_sparse && !takes_zeros(loss)) continue;
      const std::string where = on_sparse ? ", sparse" : ", dense";
      ways.push_back({name + where, name, [](FitOptions&) {}, on_sparse});
      ways.push_back({name + where + ", gcp-full", name, [](FitOptions& o) { o.method = "gcp-full"; }, on_sparse});
    }
  }
  for (const SamplerKind kind : every<SamplerKind>()) {
    for (const std::string loss : {"poisson", "gaussian", "bernoulli-odds"}) {
      if (kind == SamplerKind::exact_zeros && loss == "bernoulli-odds") continue;
      ways.push_back({std::string(word_of(kind)) + ", " + loss, loss,
                      [kind](FitOptions& o) {
                        o.method = "gcp-sgd";
                        o.sample.sampler = kind;
                        if (kind == SamplerKind::strata) o.sample.strata = {"nonzeros", "zeros"};
                        o.finish = Finish::none;
                      },
                      true});
    }
  }
  for (const OptimizerKind kind : every<OptimizerKind>()) {
    for (const AdamForm form : every<AdamForm>()) {
      if (form != AdamForm{} && kind != OptimizerKind::adam) continue;
      ways.push_back(
          {std::string(word_of(kind)) + ", " + std::string(word_of(form)), "gaussian", [kind, form](FitOptions& o) {
             o.method = "gcp-sgd";
             o.optimizer.kind = kind;
             o.optimizer.form = form;
             o.finish = Finish::none;
           }});
    }
  }
  // Methods and finishes that serve some losses only: all others are met with every loss above.
  for (const Loss& loss : all_losses()) {
    for (const bool on_sparse : {false, true}) {
      const std::string where = on_sparse ? ", sparse" : ", dense";
      const std::string name(loss.name());
      for (const Method method : every<Method>()) {
        const RowProblem rows = info_of(method).rows;
        if (rows == RowProblem::none || rows != loss.info().row_problem) continue;
        if (rows != RowProblem::poisson_regression) {
          ways.push_back(
              {std::string(word_of(method)) + where, name, [method](FitOptions& o) { o.method = method; }, on_sparse});
          continue;
        }
        for (const AprUpdate update : every<AprUpdate>()) {
          if (!on_sparse) continue;
          ways.push_back({std::string(word_of(method)) + ", " + std::string(word_of(update)), name,
                          [method, update](FitOptions& o) {
                            o.method = method;
                            o.apr.update = update;
                          },
                          on_sparse});
        }
      }
      for (const Finish finish : every<Finish>()) {
        const RowProblem rows = finish == Finish::none ? RowProblem::none : info_of(finish).method->rows;
        if (rows == RowProblem::none || rows != loss.info().row_problem || !on_sparse) continue;
        ways.push_back({"finish " + std::string(word_of(finish)), name,
                        [finish](FitOptions& o) {
                          o.method = "gcp-sgd";
                          o.finish = finish;
                        },
                        on_sparse});
      }
    }
  }
  ways.push_back({"single precision", "gaussian", [](FitOptions& o) {
                    o.method = "gcp-sgd";
                    o.precision = Precision::in_single;
                    o.finish = Finish::none;
                  }});
  return ways;
}

inline std::vector<Way> ways_where(const std::function<bool(const Way&)>& wanted) {
  std::vector<Way> ways = all_ways();
  std::erase_if(ways, [&](const Way& way) { return !wanted(way); });
  return ways;
}

inline FitOptions options_of(const Way& way) {
  FitOptions options;
  options.rank = 2;
  options.loss = way.loss;
  options.starts = 2;
  options.threads = 1;
  options.method = "gcp-sgd";
  way.choose(options);
  if (options.method == "gcp-sgd") {
    options.schedule.epochs = 3;
    options.schedule.epoch_iterations = 40;
    options.sample.samples =
        options.sample.sampler == SamplerKind::exhaustive ? std::nullopt : std::optional<std::uint64_t>(60);
    if (options.finish != Finish::none) options.stop.iterations = 20;
  } else {
    options.stop.iterations = 30;
  }
  return options;
}

inline Tensor tensor_of(const Way& way, const Cells& cells) {
  return way.on_sparse ? sparse(cells) : dense(cells);
}

}  // namespace polyad::metamorphic

#pragma once
// Rows for new slices: what are the strengths of the model's components on days that it has never seen? One mode is free, all
// others stay as the model has them; each new row is a small problem of its own and is solved exactly (solve/rows):
//
//   minimise over b   sum over the slice's observed cells of w f(x, sum_j b_j prod_{l != k} a_l(i_l, j))
//
// The components' weights go into the free mode, and their order stays: row i of the result compares, component by component,
// with weights times the model's own rows. Bounds are the loss's, as in a fit: rows of a nonnegative model are at least 0.
// Missing cells, entry weights and zeros count as in a fit. A row without data is zero, and is reported.
//
// Cost: some 5 to 15 passes over the listed cells where zeros have a closed form (poisson, gaussian) or are not data; other
// losses on sparse data visit every zero as long as that is affordable, and sample zeros beyond (mode_rows.hpp).

#include <polyad/apply/join.hpp>
#include <polyad/files.hpp>
#include <polyad/loss.hpp>
#include <polyad/solve/rows/solve_mode.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace polyad {

struct TransformOptions : JoinOptions {
  std::string loss;
  std::optional<double> lower;
  std::optional<double> upper;
  double tolerance = 1e-8;
  std::uint64_t zero_samples = 20000;
  std::uint64_t seed = 1;
  std::uint64_t threads = 0;

  static auto fields() {
    using O = TransformOptions;
    return std::tuple_cat(
        JoinOptions::fields(),
        std::tuple{
            field("loss", &O::loss, "loss of a model file that does not name its own").shown_as("LOSS"),
            field("lower", &O::lower, "lower bound of the new rows; auto: 0 where the model's factors are at least 0"),
            field("upper", &O::upper, "upper bound of the new rows; auto: none"),
            field("tolerance", &O::tolerance, "relative KKT residual at which a row counts as solved", above(0)),
            field("zero-samples", &O::zero_samples,
                  "sampled cells per row that stand for its zeros, where there are too many to visit them all",
                  at_least(1)),
            field("seed", &O::seed, "seed of that sample"),
            field("threads", &O::threads, "threads to use (results do not depend on it); 0: one per core"),
        });
  }
};

struct Transformed {
  KTensor model;                 ///< all weights 1; the free mode has the new rows
  Labels labels;                 ///< those of the data in the free mode
  std::size_t mode = 0;          ///< the free one
  std::vector<RowEnd> ends;      ///< one per row
  std::vector<RowState> states;  ///< likewise
  double worst_residual = 0;     ///< largest KKT residual of the rows with data
  RowZeros zeros = RowZeros::none;
  double passes = 0;         ///< over the data, on average
  std::string visited;       ///< what a row was found from: "every cell that is data, zeros included"
  Remarks remarks;           ///< of the join
  bool interrupted = false;  ///< rows that were not begun are left out of all of the above
  double seconds = 0;

  std::size_t rows_in(RowState state) const;
  /// Labels (or numbers) of the rows in this state.
  std::vector<std::string> labels_in(RowState state) const;
};

/// Data errors: labels that do not match, values that the loss does not allow. An interrupt leaves out the rows not yet begun.
Transformed transform(const ModelFile& file, Tensor data, const TransformOptions& options, const Monitor& monitor = {});
/// With a loss of your own, which `options.loss` cannot name.
Transformed transform(const ModelFile& file, Tensor data, const Loss& loss, const TransformOptions& options,
                      const Monitor& monitor = {});

/// A model file with the options of the original and what is to be known of the rows in its summary (key "transform").
ModelFile to_model_file(const Transformed& result, const ModelFile& original);

}  // namespace polyad

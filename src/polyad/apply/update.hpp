#pragma once
// A model goes on learning: new slices come, old data are gone or were too many to keep.
//
//   Updated next = update(read_model("july.h5"), august, {.forget = 0.98});
//   write_model("august.h5", to_model_file(next, ...));
//
// The new slices are joined to the model by label; all modes may grow. All factors move to where new data and what is remembered of
// the old are explained best together (update_sweeps.hpp). What is remembered is the old model itself, as a prior: it says what the
// old data would be expected to be. No old data are needed, and no state of an optimizer: each row is solved exactly, so that
// there is none. `memory` keeps a sample of old slices instead.
//
// `forget` is what old slices count after one more new slice, against it: after n new slices forget^n. The file keeps what each slice
// counts, so that an update a day and an update a month come to the same. Components keep their order; those that are born come
// last, with zeros in the old slices, and those that died are left out (births.hpp).
//
// A slice whose label the model knows is taken as a new account of it, which replaces the old one.

#include <polyad/apply/join.hpp>
#include <polyad/files.hpp>
#include <polyad/progress.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace polyad {

/// Labels that the model does not know in modes other than that of the slices.
enum class Growth { add, ignore, error };
constexpr std::array<std::string_view, 3> words_of(Growth) {
  return {"add", "ignore", "error"};
}

enum class Births { automatic, none };
constexpr std::array<std::string_view, 2> words_of(Births) {
  return {"auto", "none"};
}

struct UpdateOptions {
  std::string mode;
  Growth unknown = Growth::add;
  std::string loss;
  double forget = 1;
  Births births = Births::automatic;
  std::uint64_t memory_slices = 100;
  std::uint64_t sweeps = 20;
  double tolerance = 1e-6;
  std::uint64_t replay_cells = 2000;
  std::uint64_t seed = 1;
  std::uint64_t threads = 0;

  static auto fields() {
    using O = UpdateOptions;
    return std::tuple{
        field("mode", &O::mode,
              "mode of the new slices, by name or number from 1; otherwise the one in which the data have new labels")
            .shown_as("MODE"),
        field(
            "unknown", &O::unknown,
            "labels that the model does not know, in other modes: add rows for them, leave their cells out, or error"),
        field("loss", &O::loss, "loss of a model file that does not name its own").shown_as("LOSS"),
        field("forget", &O::forget,
              "what old slices count after each new one, against it: 1 never forgets, 0.98 halves in 34 slices",
              within(0, 1)),
        field(
            "births", &O::births,
            "auto: components are born where cells held out of the new slices gain by it, and die when nothing that is "
            "remembered uses them; none: the components stay"),
        field("memory-slices", &O::memory_slices, "slices that a memory keeps", count_from(1)),
        field("sweeps", &O::sweeps, "times that all modes are gone through at most", count_from(1)),
        field("tolerance", &O::tolerance, "ends where a sweep changes the objective by less than this part",
              at_least(0)),
        field("replay-cells", &O::replay_cells,
              "cells per row that the old model speaks for at most; of modes with over a thousand rows fewer",
              count_from(100)),
        field("seed", &O::seed, "seed of the samples"),
        field("threads", &O::threads, "threads to use (results do not depend on it); 0: one per core"),
    };
  }
};

struct UpdatedSlice {
  std::string label;
  double before = 0;  ///< its loss with the model as it was, but for the slice's own row
  double after = 0;
};

struct Updated {
  KTensor model;  ///< unit columns; components in the old order, new ones last
  Labels labels;
  std::size_t mode = 0;              ///< of the slices
  std::vector<UpdatedSlice> slices;  ///< the new ones, in the data's order
  std::vector<double> remembered;    ///< what each slice of the model counts from now on
  std::vector<std::size_t> born;     ///< positions in the new model
  std::vector<std::size_t> died;     ///< positions in the old one
  std::size_t known_again = 0;       ///< slices whose account was replaced
  Trace trace;  ///< the objective by sweep, what stands for the old data included, up to a constant
  StopReason why = StopReason::iterations_done;
  std::optional<Tensor> memory;  ///< to keep, where one was asked for
  Remarks remarks;
  double seconds = 0;
};

/// `memory`: slices that an earlier update kept, or null; they may also be given where there are none yet (`keep_memory`).
struct UpdateInputs {
  const Tensor* memory = nullptr;
  bool keep_memory = false;
};

/// Data errors: labels that do not match, values that the loss does not allow. An interrupt keeps what was found.
Updated update(const ModelFile& file, Tensor data, const UpdateOptions& options, const UpdateInputs& inputs = {},
               const Monitor& monitor = {});

/// The model with the options of the original; its summary has one more entry in "updates", with the loss of each slice.
ModelFile to_model_file(const Updated& result, const ModelFile& original, const UpdateOptions& options);

}  // namespace polyad

#include <polyad/solve/checkpoint/resume.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/json_fields.hpp>
#include <polyad/base/simd_target.hpp>
#include <polyad/solve/options_json.hpp>
#include <polyad/tensor/facts.hpp>

#include <algorithm>

namespace polyad {

std::unique_ptr<CheckpointStore> make_checkpoint_store(const Tensor& tensor, const FitOptions& used) {
  if (used.checkpoint.file.empty() && used.checkpoint.resume.empty()) return nullptr;
  Json identity = Json::object();
  identity["shape"] = tensor.space().to_string();
  identity["fingerprint"] = fmt::format("{:016x}", fingerprint(tensor));
  Json options = to_json(used);
  options["simd"] = word_of(simd_target());  // as used, also where it was auto
  return std::make_unique<CheckpointStore>(used.checkpoint, std::move(identity), std::move(options));
}

std::optional<StartResult> finished_start(const CheckpointStore* store, std::uint64_t start, const Factors& shape) {
  if (store == nullptr) return std::nullopt;
  std::optional<StartState> state = store->state_of(start);
  if (!state || !state->finished) return std::nullopt;
  StartResult result;
  result.start = start;
  result.factors = shape;
  if (state->best.size() != shape.flat().size()) {
    fail(ErrorKind::data, "the checkpoint holds {} numbers where this fit has {}; it is of another fit",
         state->best.size(), shape.flat().size());
  }
  std::ranges::copy(state->best, result.factors.flat().begin());
  result.estimate = state->best_estimate;
  result.trace = std::move(state->trace);
  result.why = static_cast<StopReason>(state->why);
  result.seconds = state->seconds;
  return result;
}

void keep_finished(CheckpointStore* store, const StartResult& result) {
  if (store == nullptr || result.why == StopReason::interrupted || result.why == StopReason::time_limit) return;
  StartState state;
  state.finished = true;
  state.why = static_cast<std::uint64_t>(result.why);
  state.best_estimate = result.estimate;
  state.seconds = result.seconds;
  state.best.assign(result.factors.flat().begin(), result.factors.flat().end());
  state.trace = result.trace;
  store->keep(result.start, std::move(state));
}

}  // namespace polyad

#include <polyad/sample/followed_records.hpp>

#include <polyad/base/parallel.hpp>

namespace polyad {

namespace {

// By how much the second moment must fall for draws that cost more, and for sizing all records, to pay.
constexpr double least_gain_of_records = 1.2;

constexpr std::size_t probed_records = 2048;
constexpr std::size_t records_a_task = std::size_t{1} << 16;

// Whether some records, evenly spaced, promise a gain.
bool seems_to_pay(const FollowedStratum& stratum, const Factors& model, const Loss& loss) {
  const SparseTensor& tensor = *stratum.tensor->sparse();
  const std::size_t step = tensor.listed() / probed_records + 1;
  std::vector<float> sizes((tensor.listed() + step - 1) / step);
  record_sizes(tensor, model, loss, stratum.correction, {0, step, sizes.size()}, sizes.data());
  const Lift lift = lift_sizes(sizes, stratum.options.uniform_share);
  return Gain{lift.squares, lift.weighted}.at_least(least_gain_of_records);
}

std::vector<float> sizes_of_all(const FollowedStratum& stratum, const Factors& model, const Loss& loss,
                                std::size_t threads) {
  const SparseTensor& tensor = *stratum.tensor->sparse();
  std::vector<float> sizes(tensor.listed());
  const std::size_t tasks = (sizes.size() + records_a_task - 1) / records_a_task;
  parallel_tasks(tasks, threads, [&](std::size_t task) {
    const std::size_t begin = task * records_a_task;
    const std::size_t count = std::min(records_a_task, sizes.size() - begin);
    record_sizes(tensor, model, loss, stratum.correction, {begin, 1, count}, sizes.data() + begin);
  });
  return sizes;
}

}  // namespace

std::shared_ptr<const FollowedRecords> FollowedRecords::make(const FollowedStratum& stratum, const Factors& model,
                                                             const Loss& loss, std::size_t threads) {
  const bool adaptive = stratum.options.adaptive;
  if (adaptive && !seems_to_pay(stratum, model, loss)) return nullptr;
  std::vector<float> sizes = sizes_of_all(stratum, model, loss, threads);
  const std::size_t parts = stratum.parts.size();
  const auto of_part = [&](std::size_t l) {
    const auto [begin, end] = stratum.parts[l].records;
    return std::span(sizes).subspan(begin, end - begin);
  };
  std::vector<Lift> lifts(parts);
  parallel_tasks(parts, threads, [&](std::size_t l) {
    if (stratum.sizes[l] > 0) lifts[l] = lift_sizes(of_part(l), stratum.options.uniform_share);
  });

  std::vector<double> masses;
  for (const Lift& lift : lifts) masses.push_back(lift.mass);
  auto result = std::make_shared<FollowedRecords>();
  result->samples_ = stratum.samples_by(masses);
  Gain gain;
  for (std::size_t l = 0; l < parts; ++l) {
    if (stratum.sizes[l] == 0) continue;
    gain.uniform += stratum.sizes[l] / static_cast<double>(stratum.samples[l]) * lifts[l].squares;
    gain.followed += stratum.sizes[l] / static_cast<double>(result->samples_[l]) * lifts[l].weighted;
  }
  if (adaptive && !gain.at_least(least_gain_of_records)) return nullptr;

  result->draws_.resize(parts);
  parallel_tasks(parts, threads, [&](std::size_t l) {
    if (stratum.sizes[l] == 0) return;
    result->draws_[l].emplace(*stratum.tensor->sparse(), stratum.parts[l].records.first, of_part(l),
                              stratum.correction);
  });
  return result;
}

}  // namespace polyad

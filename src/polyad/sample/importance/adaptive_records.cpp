#include <polyad/sample/importance/adaptive_records.hpp>

#include <polyad/base/parallel.hpp>

namespace polyad {

namespace {

// By how much the second moment must fall for draws that cost more, and for sizing all records, to pay.
constexpr double least_gain_of_records = 1.2;

constexpr std::size_t probed_records = 2048;
constexpr std::size_t records_a_task = std::size_t{1} << 16;

// Whether some records, evenly spaced, promise a gain.
bool seems_to_pay(const AdaptiveStratum& stratum, const Factors& model, const Loss& loss, const RecordMemory& memory) {
  const SparseTensor& tensor = *stratum.tensor->sparse();
  const std::size_t step = tensor.listed() / probed_records + 1;
  std::vector<float> sizes((tensor.listed() + step - 1) / step);
  record_sizes(tensor, model, loss, stratum.correction, {0, step, sizes.size()}, sizes.data());
  const SlotsOfRecords slots = slots_of(sizes, stratum.options.uniform_share, memory);
  return Gain{slots.uniform, slots.followed}.at_least(least_gain_of_records);
}

std::shared_ptr<const AlignedVector<float>> sizes_of_all(const AdaptiveStratum& stratum, const Factors& model,
                                                         const Loss& loss, std::size_t threads,
                                                         const RecordMemory& memory) {
  const SparseTensor& tensor = *stratum.tensor->sparse();
  const auto sizes = memory.sizes->take(tensor.listed());
  const std::size_t tasks = (sizes->size() + records_a_task - 1) / records_a_task;
  parallel_tasks(tasks, threads, [&](std::size_t task) {
    const std::size_t begin = task * records_a_task;
    const std::size_t count = std::min(records_a_task, sizes->size() - begin);
    record_sizes(tensor, model, loss, stratum.correction, {begin, 1, count}, sizes->data() + begin);
  });
  return sizes;
}

}  // namespace

std::shared_ptr<const AdaptiveRecords> AdaptiveRecords::make(const AdaptiveStratum& stratum, const Factors& model,
                                                             const Loss& loss, std::size_t threads,
                                                             const RecordMemory& memory) {
  if (stratum.tensor->sparse()->listed() > most_records_with_slots) return nullptr;
  const bool adaptive = stratum.options.adaptive;
  if (adaptive && !seems_to_pay(stratum, model, loss, memory)) return nullptr;
  const std::size_t parts = stratum.parts.size();
  const auto sizes = sizes_of_all(stratum, model, loss, threads, memory);
  std::vector<SlotsOfRecords> slots(parts);
  parallel_tasks(parts, threads, [&](std::size_t l) {
    const auto [begin, end] = stratum.parts[l].records;
    if (begin == end) return;
    slots[l] = slots_of(std::span(*sizes).subspan(begin, end - begin), stratum.options.uniform_share, memory);
  });

  std::vector<double> masses;
  for (const SlotsOfRecords& of_part : slots) masses.push_back(of_part.mass);
  auto result = std::make_shared<AdaptiveRecords>();
  result->samples_ = stratum.samples_by(masses);
  Gain gain;
  for (std::size_t l = 0; l < parts; ++l) {
    if (stratum.sizes[l] == 0) continue;
    gain.uniform += slots[l].uniform / static_cast<double>(stratum.samples[l]);
    gain.followed += slots[l].followed / static_cast<double>(result->samples_[l]);
  }
  if (adaptive && !gain.at_least(least_gain_of_records)) return nullptr;

  result->draws_.resize(parts);
  parallel_tasks(parts, threads, [&](std::size_t l) {
    if (stratum.sizes[l] == 0) return;
    result->draws_[l].emplace(*stratum.tensor->sparse(), stratum.parts[l].records.first, slots[l], stratum.correction,
                              memory);
  });
  return result;
}

}  // namespace polyad

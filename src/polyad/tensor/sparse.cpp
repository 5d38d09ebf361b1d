#include <polyad/base/error.hpp>
#include <polyad/tensor/sparse.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

std::string entry_text(const Records& records, std::size_t number) {
  return fmt::format("entry {} at cell {} (all counted from 1)", number + 1, cell_text(records.cell(number)));
}

void check_modes(const IndexSpace& space, const Records& records) {
  if (records.modes() != space.modes()) {
    fail(ErrorKind::data, "entries have {} indices but the tensor has {} modes ({})", records.modes(), space.modes(),
         space.to_string());
  }
}

void check_cell(const IndexSpace& space, const Records& records, std::size_t i) {
  for (std::size_t k = 0; k < space.modes(); ++k) {
    if (records.index(i)[k] >= space.extent(k)) {
      fail(ErrorKind::data, "{}: index {} of mode {} is beyond the shape {}; enlarge the shape or fix the entry",
           entry_text(records, i), std::uint64_t{records.index(i)[k]} + 1, k + 1, space.to_string());
    }
  }
}

void check_cells(const IndexSpace& space, const Records& records) {
  check_modes(space, records);
  for (std::size_t i = 0; i < records.size(); ++i) check_cell(space, records, i);
}

void check_weight(const Records& records, std::size_t number, double weight) {
  if (weight >= 0 && std::isfinite(weight)) return;
  fail(ErrorKind::data, "{} has weight {}: weights must be finite and at least 0 (0: missing)",
       entry_text(records, number), weight);
}

[[noreturn]] void fail_weights_differ(const Records& records, std::size_t number, double weight, double earlier) {
  fail(ErrorKind::data, "{} has weight {} but an earlier entry for the same cell has {}: give a cell one weight",
       entry_text(records, number), weight, earlier);
}

// Keeps the order of the others. Returns how many went.
template <class Drop>
std::size_t drop_records(Records& records, Drop drop) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!drop(i)) records.move(i, kept++);
  }
  const std::size_t dropped = records.size() - kept;
  records.truncate(kept);
  return dropped;
}

}  // namespace

double sparse_bytes(std::size_t modes, bool weighted, std::uint64_t entries) {
  constexpr double listed_set = 6.4;  // of the larger usual kind
  return static_cast<double>(entries) * (static_cast<double>(Records(modes, weighted).record_bytes()) + listed_set);
}

SparseTensor::SparseTensor(IndexSpace space, Records entries, Unlisted unlisted, BuildReport* report)
    : space_(std::move(space)), records_(std::move(entries)), missing_(space_.modes()), unlisted_(unlisted) {
  check_modes(space_, records_);
  bool zeros = false;
  // All that a record alone shows, in one pass: records may have to come from a disk.
  for (std::size_t i = 0; i < records_.size(); ++i) {
    check_cell(space_, records_, i);
    zeros = zeros || records_.value(i) == 0;
    if (!std::isfinite(records_.value(i))) {
      fail(ErrorKind::data, "{} has value {}: listed values must be finite; leave a missing cell out of the list",
           entry_text(records_, i), records_.value(i));
    }
    check_weight(records_, i, records_.weight(i));
  }
  CellSet::check_count(records_.size());
  BuildReport done;
  listed_ = ListedSet(space_, records_.size());
  if (!listed_.insert(records_)) done.duplicates_summed = sum_duplicates();
  // Sums may be zero as well.
  zeros = zeros || done.duplicates_summed > 0;
  if (zeros && unlisted_ == Unlisted::zero && !records_.weighted()) {
    done.zeros_dropped = drop_records(records_, [&](std::size_t i) { return records_.value(i) == 0; });
  }
  done.weight_zero_dropped = drop_weight_zero();
  if (done.duplicates_summed + done.zeros_dropped + done.weight_zero_dropped > 0) enter_again();
  group();
  if (report != nullptr) {
    report->duplicates_summed += done.duplicates_summed;
    report->zeros_dropped += done.zeros_dropped;
    report->weight_zero_dropped += done.weight_zero_dropped;
  }
}

std::uint64_t SparseTensor::sum_duplicates() {
  CellSet cells(space_.modes(), records_.size());
  std::size_t kept = 0;
  // Records move only towards the front, behind those still to be visited.
  for_each_prefetched(records_, cells, [&](std::size_t i) {
    const double value = records_.value(i);
    const double weight = records_.weight(i);
    records_.move(i, kept);
    const std::uint32_t earlier = cells.insert(records_, static_cast<std::uint32_t>(kept));
    if (earlier == CellSet::absent) {
      ++kept;
      return;
    }
    if (weight != records_.weight(earlier)) fail_weights_differ(records_, i, weight, records_.weight(earlier));
    const double sum = records_.value(earlier) + value;
    if (!std::isfinite(sum)) {
      fail(ErrorKind::data, "{}: the sum of the entries for this cell overflows", entry_text(records_, i));
    }
    records_.set_value(earlier, sum);
  });
  const std::size_t duplicates = records_.size() - kept;
  records_.truncate(kept);
  if (by_tuples() && duplicates == 0) cells_.put(std::move(cells));
  return duplicates;
}

std::uint64_t SparseTensor::drop_weight_zero() {
  if (!records_.weighted()) return 0;
  const bool note = unlisted_ == Unlisted::zero;
  const std::size_t dropped = drop_records(records_, [&](std::size_t i) {
    if (records_.weight(i) != 0) return false;
    if (note) missing_.append(records_.index(i), 0);
    return true;
  });
  if (dropped > 0 && note) missing_set_ = cell_set_of(missing_);
  return dropped;
}

void SparseTensor::enter_again() {
  cells_.forget();
  listed_ = ListedSet();  // its memory first
  listed_ = ListedSet(space_, records_.size());
  listed_.insert(records_);
}

void SparseTensor::group() {
  if (group_records(records_, grouping_mode(), space_.extent(grouping_mode()))) cells_.forget();
}

void SparseTensor::set_missing(const Records& cells, BuildReport* report) {
  check_cells(space_, cells);
  facts_.reset();
  std::vector<bool> drop(records_.size());
  for_each_prefetched(cells, *this, [&](std::size_t i) {
    if (is_listed(cells.index(i))) drop[find(cells.index(i))] = true;
  });
  const std::size_t dropped = drop_records(records_, [&](std::size_t i) { return drop[i]; });
  if (dropped > 0) enter_again();
  if (unlisted_ == Unlisted::zero) add_missing(cells);
  if (report != nullptr) report->masked_dropped += dropped;
}

void SparseTensor::add_missing(const Records& cells) {
  CellSet set(space_.modes(), missing_.size() + cells.size());
  for (std::size_t i = 0; i < missing_.size(); ++i) set.insert(missing_, static_cast<std::uint32_t>(i));
  for_each_prefetched(cells, set, [&](std::size_t i) {
    if (set.find(missing_, cells.index(i)) != CellSet::absent) return;
    missing_.append(cells.index(i), 0);
    set.insert(missing_, static_cast<std::uint32_t>(missing_.size() - 1));
  });
  missing_set_ = std::move(set);
}

void SparseTensor::set_weights(const Records& weights, BuildReport* report) {
  check_cells(space_, weights);
  facts_.reset();
  CellSet seen(weights.modes(), weights.size());
  for_each_prefetched(weights, seen, [&](std::size_t i) {
    check_weight(weights, i, weights.value(i));
    const std::uint32_t earlier = seen.insert(weights, static_cast<std::uint32_t>(i));
    if (earlier != CellSet::absent && weights.value(earlier) != weights.value(i)) {
      fail_weights_differ(weights, i, weights.value(i), weights.value(earlier));
    }
  });

  if (!records_.weighted()) records_ = records_.with_weights();
  const std::size_t listed_before = records_.size();
  Records weight_zero(space_.modes());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Index* const cell = weights.index(i);
    const double weight = weights.value(i);
    const std::uint32_t listed = find(cell);
    if (listed != CellSet::absent) {
      records_.set_weight(listed, weight);
    } else if (unlisted_ == Unlisted::missing || is_missing(cell) || seen.find(weights, cell) != i) {
      continue;  // not data, or entered already
    } else if (weight == 0) {
      weight_zero.append(cell, 0);
    } else {
      records_.append(cell, 0, weight);
    }
  }
  const bool more = records_.size() > listed_before;
  if (weight_zero.size() > 0) add_missing(weight_zero);
  const std::uint64_t dropped = drop_weight_zero();
  if (more || dropped > 0) enter_again();
  group();
  if (report != nullptr) report->weight_zero_dropped += dropped;
}

void SparseTensor::set_zero_weight(double weight) {
  if (!(weight >= 0 && std::isfinite(weight))) {
    fail(ErrorKind::usage, "the weight of zeros must be finite and at least 0 (is {})", weight);
  }
  if (weight != zero_weight_) facts_.reset();
  if (weight == 0) {
    unlisted_ = Unlisted::missing;
    zero_weight_ = 1.0;
    missing_ = Records(space_.modes());
    missing_set_ = CellSet();
  } else if (unlisted_ == Unlisted::missing && weight != 1.0) {
    fail(ErrorKind::usage, "the weight of zeros ({}) has no meaning where unlisted cells are missing; leave it out",
         weight);
  } else {
    zero_weight_ = weight;
  }
}

void SparseTensor::listed_flags(const Index* const* index, std::size_t first, std::size_t n, std::uint8_t* out) const {
  if (!by_tuples()) {
    listed_.flags(index, first, n, out);
    return;
  }
  const CellSet& cells = cells_.of(records_);
  constexpr std::size_t block = 32;
  std::array<std::array<Index, max_modes>, block> cell;
  for (std::size_t begin = 0; begin < n; begin += block) {
    const std::size_t count = std::min(block, n - begin);
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t k = 0; k < space_.modes(); ++k) cell[t][k] = index[k][first + begin + t];
      cells.prefetch(cell[t].data());
    }
    for (std::size_t t = 0; t < count; ++t) {
      out[begin + t] = cells.find(records_, cell[t].data()) != CellSet::absent ? 1 : 0;
    }
  }
}

double SparseTensor::zeros() const {
  if (unlisted_ == Unlisted::missing) return 0;
  if (const auto cells = space_.exact_cells()) return static_cast<double>(*cells - listed() - missing_cells());
  return space_.cells() - static_cast<double>(listed()) - static_cast<double>(missing_cells());
}

double SparseTensor::observed() const {
  if (unlisted_ == Unlisted::missing) return static_cast<double>(listed());
  if (const auto cells = space_.exact_cells()) return static_cast<double>(*cells - missing_cells());
  return space_.cells() - static_cast<double>(missing_cells());
}

}  // namespace polyad

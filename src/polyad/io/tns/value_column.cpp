#include <polyad/base/error.hpp>
#include <polyad/base/text.hpp>
#include <polyad/io/messages.hpp>
#include <polyad/io/tns/tns.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace polyad {
namespace {

// The column as a whole. Only whole numbers from 0 that are not all the same can be indices.
struct ColumnFacts {
  bool could_be_indices = false;
  double least = 0;
  double greatest = 0;
  double mean = 0;
  double distinct = 0;  // only as far as `coverage` needs it

  double range() const { return greatest - least + 1; }
  double coverage() const { return distinct / range(); }
};

constexpr double least_coverage = 0.3;

ColumnFacts facts_of_column(const Records& records) {
  ColumnFacts facts;
  facts.least = facts.greatest = records.value(0);
  double sum = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const double value = records.value(i);
    if (!(value >= 0 && value <= static_cast<double>(max_held_extent) && value == std::floor(value))) return {};
    facts.least = std::min(facts.least, value);
    facts.greatest = std::max(facts.greatest, value);
    sum += value;
  }
  const auto n = static_cast<double>(records.size());
  facts.mean = sum / n;
  facts.could_be_indices = facts.least < facts.greatest;
  if (facts.range() * least_coverage > n) return facts;  // too wide to be covered
  std::vector<bool> seen(static_cast<std::size_t>(facts.range()));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto place = static_cast<std::size_t>(records.value(i) - facts.least);
    facts.distinct += seen[place] ? 0 : 1;
    seen[place] = true;
  }
  return facts;
}

std::uint64_t hash_of_cell(std::span<const Index> cell) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (const Index index : cell) {
    hash = (hash ^ index) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

// What lines of the same cell have in common, over a sample of the cells (all lines of each), of some 200,000 lines.
struct RepeatedCells {
  double lines = 0;
  double extra = 0;           // lines whose cell another line has as well, less one per cell
  double pairs = 0;           // of lines of the same cell
  double equal_pairs = 0;     // of these, with the same last field
  double chance_of_pair = 0;  // that any two lines of the sample have the same last field

  double expected_equal_pairs() const { return pairs * chance_of_pair; }
};

double pairs_of(double count) {
  return count * (count - 1) / 2;
}

// Calls `visit(count)` for every run of equal elements.
template <class Iterator, class Same, class Visit>
void for_each_run(Iterator begin, Iterator end, Same same, Visit visit) {
  while (begin != end) {
    const auto stop = std::find_if(begin, end, [&](const auto& other) { return !same(*begin, other); });
    visit(static_cast<double>(stop - begin));
    begin = stop;
  }
}

RepeatedCells repeated_cells(const Records& records) {
  constexpr std::size_t enough = 200'000;
  std::uint64_t mask = 0;
  while (records.size() / (mask + 1) > enough) mask = 2 * mask + 1;
  std::vector<std::pair<std::uint64_t, double>> lines;  // cell, last field
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint64_t hash = hash_of_cell(records.cell(i));
    if ((hash >> 20 & mask) == 0) lines.emplace_back(hash, records.value(i));
  }
  RepeatedCells found;
  found.lines = static_cast<double>(lines.size());
  std::ranges::sort(lines);
  const auto same_cell = [](const auto& a, const auto& b) { return a.first == b.first; };
  for_each_run(lines.begin(), lines.end(), same_cell, [&](double count) {
    found.extra += count - 1;
    found.pairs += pairs_of(count);
  });
  for_each_run(lines.begin(), lines.end(), std::equal_to<>(),
               [&](double count) { found.equal_pairs += pairs_of(count); });
  std::ranges::sort(lines, {}, &std::pair<std::uint64_t, double>::second);
  const auto same_value = [](const auto& a, const auto& b) { return a.second == b.second; };
  for_each_run(lines.begin(), lines.end(), same_value,
               [&](double count) { found.chance_of_pair += count / found.lines * (count / found.lines); });
  return found;
}

}  // namespace

void check_value_column(const std::string& path, const Records& records, Remarks* remarks) {
  if (records.size() < 20) return;
  const ColumnFacts column = facts_of_column(records);
  if (!column.could_be_indices) return;
  const RepeatedCells repeated = repeated_cells(records);
  // Values of the same cell agree now and then, if only by chance; indices of different cells never do.
  constexpr double clear = 10;
  const bool never_agree = repeated.extra >= 0.02 * repeated.lines && repeated.expected_equal_pairs() >= clear &&
                           repeated.equal_pairs <= 0.05 * repeated.expected_equal_pairs();
  // Too many different ones to agree by chance: then by how they are spread. Counts crowd at the small end.
  const bool spread_like_indices = column.least <= 1 && column.range() >= 20 && column.coverage() >= least_coverage &&
                                   column.mean >= 0.25 * column.greatest;
  const bool many_repeat = repeated.extra >= 0.1 * repeated.lines && repeated.expected_equal_pairs() < clear &&
                           repeated.equal_pairs == 0 && repeated.extra >= 20;
  if (never_agree || (spread_like_indices && many_repeat)) {
    fail(ErrorKind::data,
         "'{}': is the last field of a line its value? All are whole numbers, {:.0f} % of the lines have the same "
         "indices before it as another line, and {} two of these have the same last field, as if it were one more "
         "index; say `values ones` if lines are cells without a value, or `values last` if it is the value",
         path, 100 * repeated.extra / repeated.lines, repeated.equal_pairs == 0 ? "no" : "hardly any");
  }
  if (records.size() >= 1000 && spread_like_indices && column.coverage() >= 0.9 &&
      column.mean <= 0.75 * column.greatest) {
    remark(remarks,
           "the last field of a line is taken for its value, but is spread like an index, evenly from {} to {}; say "
           "`values ones` if lines have no value",
           column.least, column.greatest);
  }
}

}  // namespace polyad

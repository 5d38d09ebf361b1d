// Held-out cells: unbiased for all cells by brute force, gone from training, whole blocks with margins, slices that stay.

#include <polyad/base/error.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/fit.hpp>
#include <polyad/fit/held_out_loss.hpp>
#include <polyad/kernel/exact_objective.hpp>
#include <polyad/loss/best_value.hpp>
#include <polyad/model/guess.hpp>
#include <polyad/problems/problem.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <sample/errors.hpp>
#include <sample/tensor_cases.hpp>
#include <set>

namespace polyad::test {
namespace {

using ::testing::HasSubstr;

/// An arbitrary model value per cell.
double some_m(const std::vector<Index>& index) {
  double m = 0.3;
  for (std::size_t k = 0; k < index.size(); ++k) m += 0.1 * static_cast<double>((index[k] * (k + 3)) % 5);
  return m;
}

std::vector<Index> cell_of(const Records& records, std::size_t r) {
  return {records.cell(r).begin(), records.cell(r).end()};
}

Tensor random_dense(double share_of_zeros) {
  Generator random(RandomStream(3, Purpose::problem));
  std::vector<double> values(12 * 9 * 10);
  for (double& x : values) x = random.unit() < share_of_zeros ? 0.0 : 1 + std::floor(6 * random.unit());
  for (std::size_t i = 7; i < values.size(); i += 31) values[i] = std::nan("");
  return Tensor::dense({12, 9, 10}, values);
}

Tensor random_sparse(bool weighted, Unlisted unlisted) {
  using detail::some_entries;
  SparseTensor tensor = sparse_of({12, 9, 10}, some_entries({12, 9, 10}, 0.3, 5), weighted, unlisted);
  if (unlisted == Unlisted::zero && weighted) tensor.set_zero_weight(0.4);
  tensor.set_missing(cells_of(detail::every({12, 9, 10}, 13, 2)));
  return Tensor(std::move(tensor));
}

std::vector<TensorCase> cases() {
  return {{"dense", random_dense(0)},
          {"dense with zeros", random_dense(0.4)},
          {"sparse", random_sparse(false, Unlisted::zero)},
          {"sparse with weights", random_sparse(true, Unlisted::zero)},
          {"listed cells alone", random_sparse(true, Unlisted::missing)}};
}

/// How many standard errors the mean of these is away from `exact`.
double z_of_mean(const std::vector<double>& values, double exact) {
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) mean += v / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::abs(mean - exact) / std::sqrt(squares / (n - 1) / n);
}

TEST(HoldOut, SumsOverHeldOutCellsAreUnbiasedForAllCells) {
  const Loss loss = parse_loss("poisson");
  for (const TensorCase& c : cases()) {
    double exact = 0;
    for (const Cell& cell : observed_cells(c.tensor)) exact += cell.w * loss.value(cell.x, some_m(cell.index));
    std::vector<double> sums;
    double variances = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      const HeldOutSplit split = hold_out(c.tensor, {.cells = "0.2", .seed = seed});
      if (split.kept_slices > 0) continue;
      double sum = 0;
      std::vector<double> losses;
      for (std::size_t r = 0; r < split.cells.size(); ++r) {
        losses.push_back(loss.value(split.cells.value(r), some_m(cell_of(split.cells, r))));
        sum += split.cells.weight(r) * losses.back();
      }
      sums.push_back(sum);
      const HeldOutMean mean = held_out_mean(split, losses);
      EXPECT_NEAR(mean.sum, sum, 1e-9 * std::abs(sum));
      variances += mean.standard_error * mean.standard_error;
    }
    ASSERT_GT(sums.size(), 300u) << c.name;
    EXPECT_LT(z_of_mean(sums, exact), 4.0) << c.name;
    double squares = 0;
    for (const double sum : sums) squares += (sum - exact) * (sum - exact);
    const auto n = static_cast<double>(sums.size());
    // A standard error is of data of this kind; drawing from these very data without replacement spreads a little less.
    EXPECT_NEAR(std::sqrt(0.8 * variances / n) / std::sqrt(squares / n), 1.0, 0.12) << c.name;
  }
}

TEST(HoldOut, TrainingIsAllOtherCellsAsTheyWere) {
  for (const TensorCase& c : cases()) {
    const HeldOutSplit split = hold_out(c.tensor, {.cells = "0.2", .seed = 2});
    std::map<std::vector<Index>, std::pair<double, double>> seen, all;
    for (const Cell& cell : observed_cells(c.tensor)) all[cell.index] = {cell.x, cell.w};
    for (const Cell& cell : observed_cells(split.training)) seen[cell.index] = {cell.x, cell.w};
    EXPECT_EQ(seen.size() + split.cells.size(), all.size()) << c.name;
    EXPECT_NEAR(static_cast<double>(split.cells.size()) / static_cast<double>(all.size()), 0.2, 0.06) << c.name;
    for (const auto& [index, cell] : seen) EXPECT_EQ(all.at(index), cell) << c.name;
    for (std::size_t r = 0; r < split.cells.size(); ++r) {
      EXPECT_FALSE(seen.contains(cell_of(split.cells, r))) << c.name;
      EXPECT_EQ(split.cells.value(r), all.at(cell_of(split.cells, r)).first) << c.name;
    }
  }
}

/// Counts in a vast space: a few entries for every slice, density 1e-8.
Tensor hypersparse() {
  Generator random(RandomStream(9, Purpose::problem));
  Records records(4);
  for (std::size_t i = 0; i < 10'000; ++i) {
    std::array<Index, 4> index{};
    for (Index& k : index) k = static_cast<Index>(1000 * random.unit() * (0.5 + 0.5 * random.unit()));
    records.append(index.data(), 1 + std::floor(3 * random.unit()));
  }
  return Tensor(SparseTensor(IndexSpace({1000, 1000, 1000, 1000}), std::move(records)));
}

TEST(HoldOut, WorksAtDensity1em8AndTrainingStaysUnbiased) {
  const Tensor tensor = hypersparse();
  const Loss loss = parse_loss("poisson");
  Factors model = random_guess(tensor.space(), 2, GuessKind::uniform, 0, 5, 0);
  for (double& a : model.flat()) a *= 0.01;  // so that zeros and nonzeros weigh about the same
  const double exact = *exact_objective(model, tensor, loss, 1e9);
  std::vector<double> judged, trained;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const HeldOutSplit split = hold_out(tensor, {.cells = "0.1", .seed = seed});
    EXPECT_GT(split.cells.size() - split.first_stratum, 100'000u);
    judged.push_back(held_out_mean(split, cell_losses(model, split.cells, loss, 1)).sum);
    const double share = static_cast<double>(split.training.listed()) / static_cast<double>(tensor.listed());
    trained.push_back(*exact_objective(model, split.training, loss, 1e9) / share);
  }
  // Slices of one entry cannot lose it; there are few, which the tolerance covers.
  EXPECT_LT(z_of_mean(judged, exact), 5.0);
  for (const double f : trained) EXPECT_NEAR(f / exact, 1.0, 0.01);
}

TEST(HoldOut, BlocksAreWholeAndHaveMargins) {
  Tensor tensor = random_dense(0.3);
  tensor.set_labels(Labels({{"day", {}}, {"hour", {}}, {"area", {}}}));
  for (const bool sparse : {false, true}) {
    if (sparse) tensor = random_sparse(false, Unlisted::zero);
    const std::string mode = sparse ? "1" : "day";
    const HeldOutSplit split = hold_out(tensor, {.cells = "blocks:" + mode + "=3,share=0.2,margin=2", .seed = 1});
    EXPECT_EQ(split.kept_slices, 0u);
    std::set<std::vector<Index>> seen, all, held;
    for (const Cell& cell : observed_cells(split.training)) seen.insert(cell.index);
    for (const Cell& cell : observed_cells(tensor)) all.insert(cell.index);
    for (std::size_t r = 0; r < split.cells.size(); ++r) held.insert(cell_of(split.cells, r));
    EXPECT_NEAR(static_cast<double>(held.size()) / static_cast<double>(all.size()), 0.2, 0.08);
    EXPECT_LT(seen.size() + held.size(), all.size());  // the margins
    std::size_t in_margins = 0;
    for (const std::vector<Index>& cell : held) {
      for (Index day = 0; day < 12; ++day) {
        std::vector<Index> other = cell;
        other[0] = day;
        if (!all.contains(other)) continue;
        const Index first = cell[0] / 3 * 3;
        const bool same_run = day >= first && day < first + 3;
        const bool near = day + 2 >= first && day < first + 5;
        if (same_run) {
          EXPECT_TRUE(held.contains(other));
        } else if (near) {
          EXPECT_FALSE(seen.contains(other));
          ++in_margins;
        }
      }
    }
    EXPECT_GT(in_margins, 0u);
    EXPECT_EQ(split.units.size(), split.cells.size());
  }
}

TEST(HoldOut, SlicesThatWouldLoseAllDataStay) {
  Records records(2);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 20; ++j) records.append(std::array<Index, 2>{i, j}.data(), 1 + (i + j) % 3);
  }
  records.append(std::array<Index, 2>{30, 4}.data(), 2);  // alone in its row
  const Tensor tensor = Tensor::from_records({31, 20}, std::move(records));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const HeldOutSplit split = hold_out(tensor, {.cells = "0.5", .seed = seed});
    EXPECT_EQ(split.kept_slices, 1u);
    EXPECT_TRUE(split.training.sparse()->is_listed(std::array<Index, 2>{30, 4}.data()));
    ASSERT_EQ(split.remarks.size(), 1u);
    EXPECT_THAT(split.remarks[0], HasSubstr("1 slices"));
  }
}

TEST(HoldOut, TheSameCellsWhateverTheOrderOfEntries) {
  Records forward(2), backward(2);
  for (Index n = 0; n < 400; ++n) forward.append(std::array<Index, 2>{n / 20, n % 20}.data(), n + 1);
  for (Index n = 400; n-- > 0;) backward.append(std::array<Index, 2>{n / 20, n % 20}.data(), n + 1);
  const auto held = [](Records records) {
    const Tensor tensor = Tensor::from_records({20, 20}, std::move(records), {.unlisted = Unlisted::missing});
    const HeldOutSplit split = hold_out(tensor, {.cells = "0.3", .seed = 4});
    std::set<std::vector<Index>> cells;
    for (std::size_t r = 0; r < split.cells.size(); ++r) cells.insert(cell_of(split.cells, r));
    return cells;
  };
  EXPECT_EQ(held(std::move(forward)), held(std::move(backward)));
}

TEST(HoldOut, RefusesWhatCannotBe) {
  const Tensor tensor = random_dense(0);
  const auto refusal = [&](const char* text) {
    return message_of([&] { (void)hold_out(tensor, {.cells = text, .seed = 1}); });
  };
  EXPECT_THAT(refusal("a tenth"), HasSubstr("neither a share"));
  EXPECT_THAT(refusal("0"), HasSubstr("not above 0"));
  EXPECT_THAT(refusal("1.5"), HasSubstr("at most 0.9"));
  EXPECT_THAT(refusal("0.001"), HasSubstr("too few"));
  EXPECT_THAT(refusal("blocks:1"), HasSubstr("blocks:MODE=LENGTH"));
  EXPECT_THAT(refusal("blocks:1=7"), HasSubstr("give a length from 1 to 6"));
  EXPECT_THAT(refusal("blocks:week=2"), HasSubstr("week"));
  EXPECT_THAT(refusal("blocks:1=2,margin=3"), HasSubstr("longer than a block"));
  EXPECT_THAT(refusal("blocks:1=2,gap=1"), HasSubstr("neither share=NUMBER nor margin=COUNT"));
}

TEST(HoldOut, AFitIsJudgedOnCellsItNeverSaw) {
  PoissonOptions made;
  made.shape = "20x15x10";
  made.rank = 2;
  made.total = 6000;
  const Problem problem = make_problem(made);
  FitOptions options;
  options.rank = 2;
  options.loss = "poisson";
  options.starts = 2;
  options.holdout.cells = "0.2";
  FitResult result = fit(problem.tensor, options);
  ASSERT_TRUE(result.held_out);
  // By hand, cell by cell.
  const HeldOutSplit split = hold_out(problem.tensor, options.holdout);
  const Loss loss = parse_loss("poisson");
  ValueWeights values;
  for (const Cell& cell : observed_cells(split.training)) values.add(cell.x, cell.w);
  const double constant = best_constant(loss, values);
  double own = 0, null = 0, best = 0;
  for (std::size_t r = 0; r < split.cells.size(); ++r) {
    const double x = split.cells.value(r), w = split.cells.weight(r);
    own += w * loss.value(x, value_at(result.model, split.cells.cell(r)));
    null += w * loss.value(x, constant);
    best += w * (x > 0 ? x - x * std::log(x) : 0.0);
  }
  const double by_hand = 1 - (own - best) / (null - best);
  ASSERT_TRUE(result.verdict.held_out_explained);
  EXPECT_NEAR(*result.verdict.held_out_explained, by_hand, 1e-6);
  EXPECT_GT(by_hand, 0.05);
  // Judged for a file, and judged again from it.
  ModelFile file = judged(result, problem.tensor);
  EXPECT_NEAR(*result.verdict.held_out_explained, by_hand, 1e-6);
  const std::string text = json_text(file);
  EXPECT_THAT(text, HasSubstr("held-out"));
  ASSERT_TRUE(judge(file, problem.tensor));
  EXPECT_THAT(json_text(file), HasSubstr("\"cells\": " + std::to_string(split.cells.size())));
}

}  // namespace
}  // namespace polyad::test

#include <polyad/apply/large_cells.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace polyad {

namespace {

constexpr std::size_t leaf_rows = 2;
constexpr std::size_t leaf_rows_of_many = 8;  // where a leaf of two would take much memory
constexpr std::size_t many_rows = 200'000;

}  // namespace

LargeCells::LargeCells(const Factors& model, bool magnitude) : model_(model), magnitude_(magnitude) {
  signs_ = magnitude || std::ranges::any_of(model.flat(), [](double a) { return a < 0; });
  for (std::size_t k = 0; k < model.modes(); ++k) trees_.push_back(tree_of(k));
}

LargeCells::Tree LargeCells::tree_of(std::size_t mode) const {
  const std::size_t r = model_.rank(), n = model_.rows(mode);
  const std::size_t leaf = n > many_rows ? leaf_rows_of_many : leaf_rows;
  Tree tree;
  tree.rows.resize(n);
  std::iota(tree.rows.begin(), tree.rows.end(), Index{0});
  tree.blocks.push_back({0, static_cast<std::uint32_t>(n), 0});
  // Components of large entries elsewhere matter more: an entry counts by what it can make of a cell.
  std::vector<double> reach(r, 1.0);
  for (std::size_t k = 0; k < model_.modes(); ++k) {
    if (k == mode) continue;
    for (std::size_t j = 0; j < r; ++j) {
      double largest = 0;
      for (std::size_t i = 0; i < model_.rows(k); ++i) largest = std::max(largest, std::abs(model_.at(k, i, j)));
      reach[j] *= largest;
    }
  }
  for (std::size_t at = 0; at < tree.blocks.size(); ++at) {
    const Block block = tree.blocks[at];
    tree.least.resize((at + 1) * r);
    tree.greatest.resize((at + 1) * r);
    double* const least = tree.least.data() + at * r;
    double* const greatest = tree.greatest.data() + at * r;
    std::copy_n(model_.row(mode, tree.rows[block.begin]), r, least);
    std::copy_n(model_.row(mode, tree.rows[block.begin]), r, greatest);
    for (std::uint32_t i = block.begin + 1; i < block.end; ++i) {
      const double* const row = model_.row(mode, tree.rows[i]);
      for (std::size_t j = 0; j < r; ++j) {
        least[j] = std::min(least[j], row[j]);
        greatest[j] = std::max(greatest[j], row[j]);
      }
    }
    if (block.end - block.begin <= leaf) continue;
    std::size_t widest = 0;
    for (std::size_t j = 1; j < r; ++j) {
      if ((greatest[j] - least[j]) * reach[j] > (greatest[widest] - least[widest]) * reach[widest]) widest = j;
    }
    const std::uint32_t middle = block.begin + (block.end - block.begin) / 2;
    const auto row = tree.rows.begin();
    std::nth_element(row + block.begin, row + middle, row + block.end, [&](Index a, Index b) {
      const double x = model_.at(mode, a, widest), y = model_.at(mode, b, widest);
      return x != y ? x < y : a < b;
    });
    tree.blocks[at].first = static_cast<std::uint32_t>(tree.blocks.size());
    tree.blocks.push_back({block.begin, middle, 0});
    tree.blocks.push_back({middle, block.end, 0});
  }
  return tree;
}

template <bool signs>
LargeCells::Bound LargeCells::bound_of(const Tuple& tuple) const {
  const std::size_t r = model_.rank(), d = model_.modes();
  std::array<const double*, max_modes> least;
  std::array<const double*, max_modes> greatest;
  for (std::size_t k = 0; k < d; ++k) {
    least[k] = trees_[k].least.data() + tuple[k] * r;
    greatest[k] = trees_[k].greatest.data() + tuple[k] * r;
  }
  double upper = 0, lower = 0;
  std::array<double, max_modes> owed{};  // what the bound would lose if the mode's block were a row
  for (std::size_t j = 0; j < r; ++j) {
    double high = 1, low = 1;
    if constexpr (signs) {
      for (std::size_t k = 0; k < d; ++k) {
        const double a = low * least[k][j], b = low * greatest[k][j], c = high * least[k][j], e = high * greatest[k][j];
        low = std::min(std::min(a, b), std::min(c, e));
        high = std::max(std::max(a, b), std::max(c, e));
      }
    } else {
      for (std::size_t k = 0; k < d; ++k) high *= greatest[k][j];
    }
    upper += high;
    lower += low;
    const double size = signs ? std::max(std::abs(low), std::abs(high)) : high;
    if (size == 0) continue;
    for (std::size_t k = 0; k < d; ++k) {
      const double largest = signs ? std::max(std::abs(least[k][j]), std::abs(greatest[k][j])) : greatest[k][j];
      if (largest > 0) owed[k] += size * (greatest[k][j] - least[k][j]) / largest;
    }
  }
  Bound bound{magnitude_ ? std::max(upper, -lower) : upper, d};
  double most = -1;
  for (std::size_t k = 0; k < d; ++k) {
    if (trees_[k].blocks[tuple[k]].first == 0 || !(owed[k] > most)) continue;
    most = owed[k];
    bound.split = k;
  }
  return bound;
}

template <bool signs>
bool LargeCells::search(double threshold, double most, const std::function<double(const Index*, double)>& visit) const {
  const std::size_t r = model_.rank(), d = model_.modes();
  // A bound may be rounded below the value of a cell that it holds for.
  const auto cut = [&] { return threshold - 1e-12 * std::abs(threshold); };
  std::vector<std::pair<Tuple, Bound>> open;
  const Tuple root{};
  open.emplace_back(root, bound_of<signs>(root));
  std::vector<double> products((d + 1) * r, 1.0);  // of the modes before each
  std::array<Index, max_modes> index{};
  std::array<std::uint32_t, max_modes> position{};
  steps_ = 0;
  while (!open.empty()) {
    const auto [tuple, bound] = open.back();
    open.pop_back();
    if (bound.value < cut()) continue;
    if (++steps_ > most) return false;
    if (bound.split < d) {
      std::array<std::pair<Tuple, Bound>, 2> halves;
      const std::uint32_t first = trees_[bound.split].blocks[tuple[bound.split]].first;
      for (std::uint32_t half = 0; half < 2; ++half) {
        halves[half].first = tuple;
        halves[half].first[bound.split] = first + half;
        halves[half].second = bound_of<signs>(halves[half].first);
      }
      if (halves[0].second.value > halves[1].second.value) std::swap(halves[0], halves[1]);
      for (const auto& half : halves) {
        if (half.second.value >= cut()) open.push_back(half);
      }
      continue;
    }
    // Every cell of the leaves, the last mode fastest.
    std::size_t from = 0;  // products before this mode are known
    for (std::size_t k = 0; k < d; ++k) position[k] = trees_[k].blocks[tuple[k]].begin;
    for (bool more = true; more;) {
      for (std::size_t k = from; k < d; ++k) {
        index[k] = trees_[k].rows[position[k]];
        const double* const row = model_.row(k, index[k]);
        for (std::size_t j = 0; j < r; ++j) products[(k + 1) * r + j] = products[k * r + j] * row[j];
      }
      double m = 0;
      for (std::size_t j = 0; j < r; ++j) m += products[d * r + j];
      ++steps_;
      if ((magnitude_ ? std::abs(m) : m) >= threshold) threshold = std::max(threshold, visit(index.data(), m));
      more = false;
      for (std::size_t k = d; k-- > 0;) {
        const Block& block = trees_[k].blocks[tuple[k]];
        if (++position[k] < block.end) {
          more = true;
          from = k;
          break;
        }
        position[k] = block.begin;
      }
    }
  }
  return true;
}

bool LargeCells::for_each(double threshold, double most,
                          const std::function<double(const Index*, double)>& visit) const {
  return signs_ ? search<true>(threshold, most, visit) : search<false>(threshold, most, visit);
}

}  // namespace polyad

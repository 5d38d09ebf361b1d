#pragma once
// What must change nothing but what it says: the same data in another guise. A relation makes other cells of some cells and
// another model of a model; the objective there is `factor` times the objective here, and the gradient there, brought back,
// is `factor` times the gradient here. Exact objectives, samplers and whole fits are held against the one list (relations()).

#include <polyad/base/error.hpp>
#include <polyad/model.hpp>

#include <algorithm>
#include <conformance/metamorphic.hpp>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace polyad::metamorphic {

struct Relation {
  std::string name;
  double factor = 1;
  std::function<Cells(const Cells&)> cells;
  std::function<Factors(const Factors&)> model;
  std::function<Factors(const Factors&)> back;  ///< of a gradient
  std::vector<std::string> fixed = {};          ///< bounds of a fit that keep what the relation added as it is
  bool needs_missing = false;                   ///< the other data have missing cells though these have none
};

inline Factors copied(const Factors& factors) {
  return factors;
}

/// Weights of their own for all cells.
inline Cells with_weights(Cells cells) {
  if (cells.w.empty()) cells.w.assign(cells.x.size(), 1.0);
  return cells;
}

/// A model with its modes, and rows within them, chosen from another: row i of mode k is row `row(k, i)` of mode `mode(k)`;
/// a mode of -1 is all ones.
inline Factors rearranged(const Factors& from, const std::vector<std::uint64_t>& extents, const std::vector<int>& mode,
                          const std::function<std::size_t(std::size_t, std::size_t)>& row) {
  Factors to(extents, from.rank());
  for (std::size_t k = 0; k < extents.size(); ++k) {
    for (std::size_t i = 0; i < extents[k]; ++i) {
      for (std::size_t j = 0; j < from.rank(); ++j) {
        to.at(k, i, j) = mode[k] < 0 ? 1.0 : from.at(static_cast<std::size_t>(mode[k]), row(k, i), j);
      }
    }
  }
  return to;
}

inline Relation weights_scaled(double by) {
  Relation r = {fmt::format("weights times {}", by), by, {}, copied, copied};
  r.cells = [by](const Cells& cells) {
    Cells out = with_weights(cells);
    for (double& w : out.w) w *= by;
    out.zero_weight *= by;
    return out;
  };
  return r;
}

inline Relation modes_in_another_order(const std::vector<int>& order) {
  Relation r;
  r.name = fmt::format("modes in the order {}", fmt::join(order, " "));
  std::vector<int> inverse(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) inverse[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  r.cells = [order](const Cells& cells) {
    Cells out = cells;
    for (std::size_t k = 0; k < order.size(); ++k) out.shape[k] = cells.shape[static_cast<std::size_t>(order[k])];
    for (std::size_t t = 0; t < cells.x.size(); ++t) {
      for (std::size_t k = 0; k < order.size(); ++k) {
        out.index[t][k] = cells.index[t][static_cast<std::size_t>(order[k])];
      }
    }
    return out;
  };
  const auto turn = [](const Factors& from, const std::vector<int>& by) {
    std::vector<std::uint64_t> extents;
    for (const int k : by) extents.push_back(from.extents()[static_cast<std::size_t>(k)]);
    return rearranged(from, extents, by, [](std::size_t, std::size_t i) { return i; });
  };
  r.model = [=](const Factors& from) { return turn(from, order); };
  r.back = [=](const Factors& from) { return turn(from, inverse); };
  return r;
}

inline Relation entries_in_another_order() {
  Relation r = {"entries in another order", 1, {}, copied, copied};
  r.cells = [](const Cells& cells) {
    Cells out = cells;
    const std::size_t n = cells.x.size();
    for (std::size_t t = 0; t < n; ++t) {
      const std::size_t from = (t * 101 + 17) % n;  // 101 is prime and divides no n that is used here
      out.index[t] = cells.index[from];
      out.x[t] = cells.x[from];
      if (!cells.w.empty()) out.w[t] = cells.w[from];
    }
    return out;
  };
  return r;
}

/// Index i of a mode of n becomes n - 1 - i, and then the first two change places.
inline Relation indices_renamed() {
  const auto renamed = [](std::uint64_t n, std::size_t i) {
    const std::size_t j = n - 1 - i;
    return n > 1 && j < 2 ? 1 - j : j;
  };
  const auto old_name = [=](std::uint64_t n, std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (renamed(n, j) == i) return j;
    }
    return i;
  };
  Relation r;
  r.name = "indices with other numbers";
  r.cells = [=](const Cells& cells) {
    Cells out = cells;
    for (auto& index : out.index) {
      for (std::size_t k = 0; k < index.size(); ++k) index[k] = static_cast<Index>(renamed(cells.shape[k], index[k]));
    }
    return out;
  };
  const auto same_modes = [](const Factors& f) {
    std::vector<int> modes(f.modes());
    std::iota(modes.begin(), modes.end(), 0);
    return modes;
  };
  r.model = [=](const Factors& f) {
    return rearranged(f, f.extents(), same_modes(f),
                      [&](std::size_t k, std::size_t i) { return old_name(f.rows(k), i); });
  };
  r.back = [=](const Factors& f) {
    return rearranged(f, f.extents(), same_modes(f),
                      [&](std::size_t k, std::size_t i) { return renamed(f.rows(k), i); });
  };
  return r;
}

/// The cells with a further mode of `copies` indices before mode `at`, each copy as `keep(copy, cell)` says; the model there is 1.
inline Relation further_mode(std::string name, std::size_t at, std::uint64_t copies,
                             std::function<bool(std::size_t copy, const Cells&, std::size_t t)> keep) {
  Relation r;
  r.name = std::move(name);
  r.fixed = {fmt::format("{}:fixed", at + 1)};
  r.cells = [=](const Cells& cells) {
    Cells out;
    out.zero_weight = cells.zero_weight;
    out.shape = cells.shape;
    out.shape.insert(out.shape.begin() + static_cast<std::ptrdiff_t>(at), copies);
    for (std::size_t copy = 0; copy < copies; ++copy) {
      for (std::size_t t = 0; t < cells.x.size(); ++t) {
        if (!keep(copy, cells, t)) continue;
        std::vector<Index> index = cells.index[t];
        index.insert(index.begin() + static_cast<std::ptrdiff_t>(at), static_cast<Index>(copy));
        out.index.push_back(std::move(index));
        out.x.push_back(cells.x[t]);
        if (!cells.w.empty()) out.w.push_back(cells.w[t]);
      }
    }
    return out;
  };
  r.model = [=](const Factors& f) {
    std::vector<std::uint64_t> extents = f.extents();
    std::vector<int> modes(f.modes());
    std::iota(modes.begin(), modes.end(), 0);
    extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(at), copies);
    modes.insert(modes.begin() + static_cast<std::ptrdiff_t>(at), -1);
    return rearranged(f, extents, modes, [](std::size_t, std::size_t i) { return i; });
  };
  r.back = [=](const Factors& f) {
    std::vector<std::uint64_t> extents = f.extents();
    std::vector<int> modes(f.modes());
    std::iota(modes.begin(), modes.end(), 0);
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(at));
    modes.erase(modes.begin() + static_cast<std::ptrdiff_t>(at));
    return rearranged(f, extents, modes, [](std::size_t, std::size_t i) { return i; });
  };
  return r;
}

/// The cells twice along the diagonal, with nothing observed elsewhere: two problems that know nothing of each other.
inline Relation blocks_side_by_side() {
  Relation r;
  r.name = "two blocks side by side";
  r.factor = 2;
  r.needs_missing = true;
  r.cells = [](const Cells& cells) {
    Cells out = cells;
    for (std::uint64_t& n : out.shape) n *= 2;
    for (std::size_t t = 0; t < cells.x.size(); ++t) {
      std::vector<Index> index = cells.index[t];
      for (std::size_t k = 0; k < index.size(); ++k) index[k] += static_cast<Index>(cells.shape[k]);
      out.index.push_back(std::move(index));
      out.x.push_back(cells.x[t]);
      if (!cells.w.empty()) out.w.push_back(cells.w[t]);
    }
    return out;
  };
  r.model = [](const Factors& f) {
    std::vector<std::uint64_t> extents = f.extents();
    for (std::uint64_t& n : extents) n *= 2;
    std::vector<int> modes(f.modes());
    std::iota(modes.begin(), modes.end(), 0);
    return rearranged(f, extents, modes, [&](std::size_t k, std::size_t i) { return i % f.rows(k); });
  };
  r.back = [](const Factors& f) {
    std::vector<std::uint64_t> extents = f.extents();
    for (std::uint64_t& n : extents) n /= 2;
    Factors sum(extents, f.rank());
    for (std::size_t k = 0; k < f.modes(); ++k) {
      for (std::size_t i = 0; i < f.rows(k); ++i) {
        for (std::size_t j = 0; j < f.rank(); ++j) sum.at(k, i % extents[k], j) += f.at(k, i, j);
      }
    }
    return sum;
  };
  return r;
}

/// For cells of three modes. Where weights are 1 or 2, the first holds once more with entries that are there twice.
inline std::vector<Relation> relations() {
  const auto always = [](std::size_t, const Cells&, std::size_t) { return true; };
  std::vector<Relation> all = {
      weights_scaled(3.7),
      modes_in_another_order({2, 1, 0}),
      modes_in_another_order({1, 2, 0}),
      entries_in_another_order(),
      indices_renamed(),
      further_mode("a mode of size 1 in front", 0, 1, always),
      further_mode("a mode of size 1 in the middle", 2, 1, always),
      further_mode("a mode of size 1 at the end", 3, 1, always),
      blocks_side_by_side(),
  };
  Relation twice = further_mode("every cell twice", 3, 2, always);
  twice.factor = 2;
  all.push_back(twice);
  // What has weight 2 is there twice, and what has weight 1 once: all weights become 1.
  Relation unweighted =
      further_mode("weight 2 is an entry twice", 3, 2, [](std::size_t copy, const Cells& cells, std::size_t t) {
        return copy == 0 || (!cells.w.empty() && cells.w[t] == 2);
      });
  unweighted.needs_missing = true;
  unweighted.cells = [inner = unweighted.cells](const Cells& cells) {
    Cells out = inner(cells);
    out.w.clear();
    out.zero_weight = 1;
    return out;
  };
  all.push_back(unweighted);
  return all;
}

}  // namespace polyad::metamorphic

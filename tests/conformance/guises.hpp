#pragma once
// What the suites over relations share: the data they begin with, the forms a tensor can have, and the objective with its
// gradient by plain loops over a list of cells, which know nothing of tensors, samplers and kernels.

#include <conformance/relations.hpp>

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace polyad::metamorphic {

struct Data {
  std::string name;
  Cells cells;
};

/// Without weights; with weights of 1 and 2; with these and a fifth of the cells missing.
inline std::vector<Data> data_of(const Loss& loss, const std::vector<std::uint64_t>& shape = {7, 6, 5}) {
  const Cells plain = cells_for(loss, shape);
  Cells weighted = plain, holes = plain;
  for (std::size_t t = 0; t < plain.x.size(); ++t) weighted.w.push_back(t % 3 == 0 ? 2.0 : 1.0);
  holes.index.clear();
  holes.x.clear();
  for (std::size_t t = 0; t < plain.x.size(); ++t) {
    if (t % 5 == 2) continue;
    holes.index.push_back(plain.index[t]);
    holes.x.push_back(plain.x[t]);
    holes.w.push_back(weighted.w[t]);
  }
  return {{"plain", plain}, {"weighted", weighted}, {"weighted, some missing", holes}};
}

/// How a list of cells is kept: every cell; nonzeros alone; listed cells alone, zeros among them.
enum class Form { dense, sparse, listed };

inline std::string name_of(Form form) {
  return form == Form::dense ? "dense" : form == Form::sparse ? "sparse" : "listed";
}

inline std::vector<Form> forms_for(const Loss& loss) {
  if (takes_zeros(loss)) return {Form::dense, Form::sparse, Form::listed};
  return {Form::dense, Form::listed};
}

inline Tensor in_form(Form form, const Cells& cells) {
  return form == Form::dense ? dense(cells) : form == Form::sparse ? sparse(cells) : listed(cells);
}

/// Positive entries where the loss asks for them, of both signs otherwise.
inline Factors model_for(const std::vector<std::uint64_t>& shape, const Loss& loss, std::uint64_t seed = 21,
                         std::size_t rank = 2) {
  Generator random(RandomStream(seed, Purpose::problem));
  Factors model(shape, rank);
  for (std::size_t k = 0; k < model.modes(); ++k) {
    for (std::size_t i = 0; i < model.rows(k); ++i) {
      for (std::size_t j = 0; j < model.rank(); ++j) {
        model.at(k, i, j) = (loss.info().lower == 0 ? 0.3 : -0.4) + random.unit();
      }
    }
  }
  return model;
}

struct Sums {
  double objective = 0;
  double size = 0;      ///< sum of the terms' sizes: what rounding is measured against
  double steepest = 0;  ///< the same for the gradient: the largest sum of sizes over its entries
  Factors gradient;
};

inline Sums sums_over(const Cells& cells, const Factors& model, const Loss& loss) {
  Sums sums;
  sums.gradient = Factors(model.extents(), model.rank());
  Factors sizes = sums.gradient;
  for (std::size_t t = 0; t < cells.x.size(); ++t) {
    const std::vector<Index>& index = cells.index[t];
    const double w = cells.w.empty() ? 1.0 : cells.w[t];
    double m = 0;
    for (std::size_t j = 0; j < model.rank(); ++j) {
      double product = 1;
      for (std::size_t k = 0; k < index.size(); ++k) product *= model.at(k, index[k], j);
      m += product;
    }
    const double term = w * loss.value(cells.x[t], m), y = w * loss.derivative(cells.x[t], m);
    sums.objective += term;
    sums.size += std::abs(term) + std::abs(y * m);
    for (std::size_t k = 0; k < index.size(); ++k) {
      for (std::size_t j = 0; j < model.rank(); ++j) {
        double product = y;
        for (std::size_t l = 0; l < index.size(); ++l) product *= l == k ? 1.0 : model.at(l, index[l], j);
        sums.gradient.at(k, index[k], j) += product;
        sums.steepest = std::max(sums.steepest, sizes.at(k, index[k], j) += std::abs(product));
      }
    }
  }
  return sums;
}

/// Letters and digits of a text: what names of tests may hold.
inline std::string test_name(std::string_view text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

}  // namespace polyad::metamorphic

#include <polyad/base/error.hpp>
#include <polyad/loss/all.hpp>

#include <polyad/base/text.hpp>
#include <polyad/loss/expression.hpp>

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polyad {

namespace {

template <class... L>
std::array<Loss, sizeof...(L)> with_defaults(std::type_identity<std::tuple<L...>>) {
  return {Loss::of(L{})...};
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Cuts off and returns what stands before the first separator, or everything.
std::string_view next_piece(std::string_view& rest, char separator) {
  const auto at = rest.find(separator);
  const std::string_view piece = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return trimmed(piece);
}

struct Assignment {
  std::string_view name;
  double value;
};

Assignment read_assignment(std::string_view loss, std::string_view text, std::string_view example) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) {
    fail(ErrorKind::usage, "loss {}: '{}' is not of the form name=value, as in '{}:{}=1'", loss, text, loss, example);
  }
  const std::string_view name = trimmed(text.substr(0, equals));
  const std::string_view number = trimmed(text.substr(equals + 1));
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc::result_out_of_range) {
    fail(ErrorKind::usage, "loss {}: {}: '{}' does not fit a double-precision number", loss, name, number);
  }
  if (error != std::errc{} || end != number.data() + number.size()) {
    fail(ErrorKind::usage, "loss {}: {}: '{}' is not a number", loss, name, number);
  }
  return {name, value};
}

template <class L>
L with_parameters(std::string_view list) {
  const std::string_view loss = L::info.name;
  if constexpr (!LossWithParameters<L>) {
    fail(ErrorKind::usage, "loss {} has no parameters, but is given '{}'; write '{}'", loss, trimmed(list), loss);
  } else {
    constexpr auto parameters = L::parameters();
    std::vector<std::string_view> names;
    for (const auto& p : parameters) names.push_back(p.name);
    std::array<bool, parameters.size()> given{};
    L math;
    do {
      const auto [name, value] = read_assignment(loss, next_piece(list, ','), names.front());
      std::size_t k = 0;
      while (k < names.size() && names[k] != name) ++k;
      if (k == names.size()) {
        fail(ErrorKind::usage, "loss {} has no parameter '{}'{}; it has {}", loss, name, did_you_mean(name, names),
             joined(names, ", "));
      }
      if (given[k]) fail(ErrorKind::usage, "loss {}: {} is given twice", loss, name);
      given[k] = true;
      math.*parameters[k].member = value;
    } while (!list.empty());
    return math;
  }
}

template <class... L>
std::optional<Loss> find_loss(std::type_identity<std::tuple<L...>>, std::string_view name, bool has_list,
                              std::string_view list) {
  std::optional<Loss> found;
  const auto consider = [&]<class M>(std::type_identity<M>) {
    if (M::info.name == name) found = Loss::of(has_list ? with_parameters<M>(list) : M{});
  };
  (consider(std::type_identity<L>{}), ...);
  return found;
}

}  // namespace

std::span<const Loss> all_losses() {
  static const auto losses = with_defaults(std::type_identity<AllLosses>{});
  return losses;
}

Loss parse_loss(std::string_view spec) {
  const bool has_list = spec.find(':') != std::string_view::npos;
  std::string_view list = spec;
  const std::string_view name = next_piece(list, ':');
  if (name == "expr") return parse_formula_loss(list);
  if (auto loss = find_loss(std::type_identity<AllLosses>{}, name, has_list, list)) return *std::move(loss);
  std::vector<std::string_view> names;
  for (const Loss& loss : all_losses()) names.push_back(loss.name());
  fail(ErrorKind::usage, "unknown loss '{}'{}; the losses are {}, and expr:FORMULA", name, did_you_mean(name, names),
       joined(names, ", "));
}

}  // namespace polyad

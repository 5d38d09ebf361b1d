#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/solve/bounds.hpp>

#include <polyad/optim/optimizer.hpp>

#include <algorithm>
#include <limits>

namespace polyad {

namespace {

// "MODE:lower=0,upper=1" or "MODE:fixed". The mode's name may itself contain colons: the last one separates.
void apply_mode_bound(const std::string& text, const Labels& labels, std::vector<Segment>& segments) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    fail(ErrorKind::usage, "`bound`: '{}' is not of the form MODE:lower=0,upper=1 or MODE:fixed", text);
  }
  Segment& segment = segments[labels.find_mode(text.substr(0, colon))];
  std::string_view rest = std::string_view(text).substr(colon + 1);
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    if (item == "fixed") {
      segment.fixed = true;
    } else if (equals != std::string_view::npos && key == "lower") {
      parse_value(option_name("bound") + ": lower", item.substr(equals + 1), segment.lower);
    } else if (equals != std::string_view::npos && key == "upper") {
      parse_value(option_name("bound") + ": upper", item.substr(equals + 1), segment.upper);
    } else {
      fail(ErrorKind::usage, "`bound`: '{}' in '{}' is none of lower=NUMBER, upper=NUMBER, fixed", item, text);
    }
  }
}

}  // namespace

std::vector<Segment> make_segments(const BoundOptions& options, double loss_lower, const Factors& factors,
                                   const Labels& labels) {
  std::vector<Segment> segments(factors.modes());
  for (std::size_t k = 0; k < factors.modes(); ++k) {
    segments[k].begin = factors.mode_begin(k);
    segments[k].size = factors.mode_span(k).size();
    segments[k].lower = options.lower.value_or(loss_lower);
    segments[k].upper = options.upper.value_or(std::numeric_limits<double>::infinity());
  }
  for (const std::string& text : options.modes) apply_mode_bound(text, labels, segments);
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const Segment& s = segments[k];
    if (!(s.lower <= s.upper)) {
      fail(ErrorKind::usage, "{}: the lower bound {} is above the upper bound {}", labels.mode_name(k), s.lower,
           s.upper);
    }
    if (loss_lower > s.lower && !s.fixed) {
      fail(ErrorKind::usage, "{}: this loss needs factors of at least {}, but the lower bound is {}",
           labels.mode_name(k), loss_lower, s.lower);
    }
  }
  return segments;
}

void apply_bounds(Factors& factors, const std::vector<Segment>& segments) {
  const auto parameters = factors.flat();
  for (const Segment& s : segments) {
    if (s.fixed) continue;
    for (double& a : parameters.subspan(s.begin, s.size)) a = clamp_keeping_nan(a, s.lower, s.upper);
  }
  factors.clear_padding();
}

bool scale_free(const std::vector<Segment>& segments) {
  return std::ranges::all_of(segments, [](const Segment& s) {
    return !s.fixed && (s.lower == 0 || std::isinf(s.lower)) && std::isinf(s.upper);
  });
}

Factors balanced(const Factors& model) {
  KTensor scaled(model);
  normalize(scaled);
  distribute_weights(scaled);
  return std::move(scaled.factors);
}

}  // namespace polyad

#include <polyad/solve/method_table.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/option_use.hpp>
#include <polyad/base/text.hpp>
#include <polyad/loss.hpp>
#include <polyad/optim/rules.hpp>
#include <polyad/optim/schedule.hpp>
#include <polyad/sample/samplers.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace polyad {

// The descriptors, in the methods' own sources.
extern const MethodInfo gcp_sgd_method, gcp_full_method, cp_als_method, cp_apr_method;

namespace {

// THE list of methods.
constexpr std::array methods = {&gcp_sgd_method, &gcp_full_method, &cp_als_method, &cp_apr_method};

// And of finishes, in the order of `Finish`. An outer iteration of CP-APR does more than many of L-BFGS-B.
constexpr std::array finishes = {FinishInfo{"none", nullptr, 0}, FinishInfo{"lbfgsb", &gcp_full_method, 100},
                                 FinishInfo{"apr", &cp_apr_method, 10}};

std::string losses_with(RowProblem rows) {
  std::vector<std::string_view> names;
  for (const Loss& loss : all_losses()) {
    if (loss.info().row_problem == rows) names.push_back(loss.name());
  }
  return joined(names, " or ");
}

void require_rows(const Loss& loss, const MethodInfo& method, std::string_view field, std::string_view word) {
  if (suits_loss(method, loss)) return;
  fail(ErrorKind::usage, "`{} {}` minimises the loss {}, not {}; use `method gcp-sgd` or `method gcp-full`", field,
       word, losses_with(method.rows), loss.name());
}

// Of methods whose guesses may race, which a finish has none of.
constexpr std::array<std::string_view, 1> options_of_a_race = {"tries"};

// Who may use an option by method and finish.
std::vector<OptionUser> method_users(const MethodInfo& chosen, Finish finish) {
  std::vector<OptionUser> users;
  for (const MethodInfo* method : methods) users.push_back({"method", method->word, method->uses, method == &chosen});
  for (const MethodInfo* method : methods) {
    if (method->trial_iterations > 0) users.push_back({"method", method->word, options_of_a_race, method == &chosen});
  }
  for (std::size_t i = 1; i < finishes.size(); ++i) {
    const bool is_chosen = chosen.sampled && finish == static_cast<Finish>(i);
    users.push_back({"finish", finishes[i].word, finishes[i].method->uses, is_chosen});
  }
  return users;
}

// Who may use an option on each axis of choice; an option must be used on all axes where somebody claims it.
std::vector<std::vector<OptionUser>> axes(const FitOptions& chosen) {
  std::vector<std::vector<OptionUser>> all(1);
  all[0] = method_users(info_of(*chosen.method), chosen.finish.value_or(Finish::none));
  if (!is_sampled(chosen)) return all;
  all.push_back(sampler_users(*chosen.sample.sampler));
  all.push_back(optimizer_users(chosen.optimizer.kind));
  all.push_back(schedule_users(chosen.schedule.kind));
  return all;
}

// Calls visit(title, group, group of the defaults) for every group.
template <class Options, class Visit>
void with_standard(Options& options, Visit&& visit) {
  FitOptions standard;
  standard.finish = options.finish == Finish::none ? options.finish : std::nullopt;  // none is never too much
  for_each_group(options, [&](std::string_view title, auto& group) {
    for_each_group(standard, [&](std::string_view, const auto& plain) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(group)>, std::remove_cvref_t<decltype(plain)>>) {
        visit(title, group, plain);
      }
    });
  });
}

template <class List, class Word>
auto words_in(const List& list, Word word) {
  std::array<std::string_view, std::tuple_size_v<List>> words;
  for (std::size_t i = 0; i < list.size(); ++i) words[i] = word(list[i]);
  return words;
}

std::unique_ptr<Solver> made_by(const MethodInfo& method, const Tensor& tensor, const Loss& loss,
                                const FitOptions& options, const std::vector<Segment>& segments) {
  return method.make({tensor, loss, segments, options, options.stop.tolerance.value_or(method.tolerance),
                      options.stop.iterations.value_or(0)});
}

}  // namespace

const MethodInfo& info_of(Method method) {
  return *methods.at(static_cast<std::size_t>(method));
}

const FinishInfo& info_of(Finish finish) {
  return finishes.at(static_cast<std::size_t>(finish));
}

Method::Method(std::string_view word) {
  parse_value(option_name("method"), word, *this);
}

std::vector<Method> all_methods() {
  std::vector<Method> all;
  for (std::size_t i = 0; i < methods.size(); ++i) all.emplace_back(i);
  return all;
}

bool uses(const MethodInfo& method, std::string_view option) {
  return std::ranges::find(method.uses, option) != method.uses.end();
}

bool is_sampled(const FitOptions& chosen) {
  return info_of(*chosen.method).sampled;
}

bool suits_loss(const MethodInfo& method, const Loss& loss) {
  return method.rows == RowProblem::none || loss.info().row_problem == method.rows;
}

std::span<const std::string_view> words_of(Method) {
  static const auto words = words_in(methods, [](const MethodInfo* m) { return m->word; });
  return words;
}

std::span<const std::string_view> words_of(Finish) {
  static const auto words = words_in(finishes, [](const FinishInfo& f) { return f.word; });
  return words;
}

const std::string& method_help() {
  static const std::string help = [] {
    std::string text = "how it is minimised: ";
    for (std::size_t i = 0; i < methods.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? "" : i + 1 == methods.size() ? ", or " : ", ", methods[i]->help);
      if (methods[i]->rows != RowProblem::none) text += fmt::format(" (loss {})", losses_with(methods[i]->rows));
    }
    text += "; auto: exactly where the data are small, by samples otherwise";
    return text;
  }();
  return help;
}

const std::string& tolerance_help() {
  static const std::string help = [] {
    std::string text =
        "stop a start when an epoch or iteration changes the objective by less than this fraction (0: never); auto: ";
    for (std::size_t i = 0; i < methods.size(); ++i) {
      text += fmt::format("{}{} for {}", i == 0 ? "" : ", ", methods[i]->tolerance, methods[i]->word);
    }
    return text + "; a finish has its method's";
  }();
  return help;
}

const std::string& iterations_help() {
  static const std::string help = [] {
    std::string text = "most iterations of an exact method (of cp-als: sweeps); auto: ";
    std::string between;
    for (const MethodInfo* method : methods) {
      if (method->iterations == 0) continue;
      text += fmt::format("{}{} for {}", between, method->iterations, method->word);
      between = ", ";
    }
    for (const FinishInfo& finish : finishes) {
      if (finish.iterations > 0) text += fmt::format(", {} for finish {}", finish.iterations, finish.word);
    }
    return text;
  }();
  return help;
}

std::vector<std::string_view> options_unused_by(const FitOptions& given, const MethodInfo& method, Finish finish) {
  const std::vector<OptionUser> users = method_users(method, finish);
  std::vector<std::string_view> unused;
  with_standard(given, [&](std::string_view title, const auto& group, const auto& plain) {
    for_each_field<std::remove_cvref_t<decltype(group)>>([&](const auto& f) {
      if (group.*f.member != plain.*f.member && !is_used(f.name, title, users)) unused.push_back(f.name);
    });
  });
  return unused;
}

void check_method(const Tensor& tensor, const Loss& loss, const FitOptions& options) {
  if (options.method) {
    const MethodInfo& method = info_of(*options.method);
    require_rows(loss, method, "method", method.word);
    if (method.check != nullptr) method.check(tensor, loss);
  }
  if (options.finish.value_or(Finish::none) == Finish::none) return;
  const FinishInfo& finish = info_of(*options.finish);
  require_rows(loss, *finish.method, "finish", finish.word);
  if (finish.method->check != nullptr) finish.method->check(tensor, loss);
}

void refuse_unused(const FitOptions& given, const FitOptions& chosen) {
  for (const std::vector<OptionUser>& users : axes(chosen)) {
    with_standard(given, [&](std::string_view title, const auto& group, const auto& plain) {
      refuse_unused_fields(title, group, plain, users);
    });
  }
}

void reset_unused(FitOptions& chosen) {
  for (const std::vector<OptionUser>& users : axes(chosen)) {
    with_standard(chosen, [&](std::string_view title, auto& group, const auto& plain) {
      reset_unused_fields(title, group, plain, users);
    });
  }
}

std::unique_ptr<Solver> make_solver(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments) {
  return made_by(info_of(*options.method), tensor, loss, options, segments);
}

std::unique_ptr<Solver> make_trial(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                   const std::vector<Segment>& segments, std::uint64_t iterations) {
  FitOptions shorter = options;
  shorter.stop.iterations = std::min(*options.stop.iterations, iterations);
  return made_by(info_of(*options.method), tensor, loss, shorter, segments);
}

std::unique_ptr<Solver> make_finish(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments) {
  if (options.finish.value_or(Finish::none) == Finish::none) return nullptr;
  return made_by(*info_of(*options.finish).method, tensor, loss, options, segments);
}

}  // namespace polyad

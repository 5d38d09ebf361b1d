#include <polyad/solve/method_table.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/joined.hpp>
#include <polyad/base/option_use.hpp>
#include <polyad/loss.hpp>
#include <polyad/optim/rules.hpp>
#include <polyad/optim/schedule.hpp>
#include <polyad/sample/samplers.hpp>

#include <array>
#include <string>

namespace polyad {

namespace {

// THE list of methods, in the order of `Method`.
constexpr std::array methods = {&gcp_sgd_method, &gcp_full_method, &cp_als_method, &cp_apr_method};

// And of finishes, in the order of `Finish`. An outer iteration of CP-APR does more than many of L-BFGS-B.
constexpr std::array finishes = {FinishInfo{"none", Method::gcp_sgd, 0}, FinishInfo{"lbfgsb", Method::gcp_full, 100},
                                 FinishInfo{"apr", Method::cp_apr, 10}};

std::string losses_with(RowProblem rows) {
  std::vector<std::string_view> names;
  for (const Loss& loss : all_losses()) {
    if (loss.info().row_problem == rows) names.push_back(loss.name());
  }
  return joined(names, " or ");
}

void require_rows(const Loss& loss, RowProblem needed, std::string_view field, std::string_view word) {
  if (needed == RowProblem::none || loss.info().row_problem == needed) return;
  fail(ErrorKind::usage, "`{} {}` minimises the loss {}, not {}; use `method gcp-sgd` or `method gcp-full`", field,
       word, losses_with(needed), loss.name());
}

// Who may use an option on each axis of choice; an option must be used on all axes where somebody claims it.
std::vector<std::vector<OptionUser>> axes(const FitOptions& chosen) {
  std::vector<std::vector<OptionUser>> all(1);
  for (std::size_t i = 0; i < methods.size(); ++i) {
    all[0].push_back({"method", methods[i]->word, methods[i]->uses, chosen.method == static_cast<Method>(i)});
  }
  const bool stochastic = chosen.method == Method::gcp_sgd;
  for (std::size_t i = 1; i < finishes.size(); ++i) {
    const bool is_chosen = stochastic && chosen.finish == static_cast<Finish>(i);
    all[0].push_back({"finish", finishes[i].word, info_of(finishes[i].method).uses, is_chosen});
  }
  if (!stochastic) return all;
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

MethodSetup setup_of(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                     const std::vector<Segment>& segments, Method method) {
  return {tensor,
          loss,
          segments,
          options,
          options.stop.tolerance.value_or(info_of(method).tolerance),
          options.stop.iterations.value_or(0)};
}

}  // namespace

const MethodInfo& info_of(Method method) {
  return *methods.at(static_cast<std::size_t>(method));
}

const FinishInfo& info_of(Finish finish) {
  return finishes.at(static_cast<std::size_t>(finish));
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

void check_method(const Tensor& tensor, const Loss& loss, const FitOptions& options) {
  const MethodInfo& method = info_of(options.method);
  require_rows(loss, method.rows, "method", method.word);
  if (method.check != nullptr) method.check(tensor, loss);
  if (options.finish.value_or(Finish::none) == Finish::none) return;
  const FinishInfo& finish = info_of(*options.finish);
  const MethodInfo& by = info_of(finish.method);
  require_rows(loss, by.rows, "finish", finish.word);
  if (by.check != nullptr) by.check(tensor, loss);
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
  return info_of(options.method).make(setup_of(tensor, loss, options, segments, options.method));
}

std::unique_ptr<Solver> make_finish(const Tensor& tensor, const Loss& loss, const FitOptions& options,
                                    const std::vector<Segment>& segments) {
  if (options.finish.value_or(Finish::none) == Finish::none) return nullptr;
  const Method method = info_of(*options.finish).method;
  return info_of(method).make(setup_of(tensor, loss, options, segments, method));
}

}  // namespace polyad

// Ranks compared on held-out cells (polyad/select.hpp).

#include <polyad/base/clock.hpp>
#include <polyad/base/error.hpp>
#include <polyad/base/fields.hpp>
#include <polyad/base/parallel.hpp>
#include <polyad/fit/held_out_loss.hpp>
#include <polyad/model.hpp>
#include <polyad/select.hpp>
#include <polyad/select/larger_start.hpp>
#include <polyad/select/ranks.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace polyad {

namespace {

// A candidate so many standard errors behind the best after a repeat is not fitted to the others.
constexpr double hopeless = 3;
constexpr double same_component = 0.9;  // product of cosines

double deviance_of(const CandidateFit& fit) {
  return fit.null_loss - fit.best_loss;
}

Loss loss_of(const Tensor& tensor, const FitOptions& options) {
  if (options.loss.empty()) (void)plan(tensor, options);  // refuses, and says which loss looks right
  return parse_loss(options.loss);
}

struct Difference {
  double mean = 0;
  double error = 0;
};

class Selection {
 public:
  Selection(const Tensor& tensor, const FitOptions& options, const SelectOptions& select, const SelectMonitor& monitor)
      : options_(options),
        select_(select),
        monitor_(monitor),
        threads_(thread_count(options.threads)),
        loss_(loss_of(tensor, options)) {
    HoldoutOptions holdout = options.holdout;
    if (holdout.cells.empty()) holdout.cells = "0.1";
    choice_.options = options;
    choice_.options.holdout = holdout;
    for (std::uint64_t n = 0; n < select.repeats; ++n) {
      splits_.push_back(hold_out(tensor, holdout));
      ++holdout.seed;
    }
    choice_.held_out = splits_.front().description;
    choice_.remarks = splits_.front().remarks;
    options_.holdout = {};
    options_.checkpoint = {};
    if (!options_.starts) options_.starts = select.starts;
  }

  Choice run() {
    const std::vector<std::uint64_t> given = parse_ranks(select_.ranks);
    if (given.empty()) {
      while (const auto rank = next_rank(choice_.candidates)) {
        if (!try_rank(*rank, 0)) break;
      }
    } else {
      double work_left = 0;
      for (const std::uint64_t rank : given) work_left += static_cast<double>(rank);
      for (const std::uint64_t rank : given) {
        if (!try_rank(rank, work_left)) break;
        work_left -= static_cast<double>(rank);
      }
    }
    if (choice_.candidates.empty()) fail(ErrorKind::usage, "no rank could be fitted before the selection was ended");
    for (Candidate& candidate : choice_.candidates) candidate.found_again = found_again(candidate);
    recommend(choice_, !given.empty());
    choice_.seconds = clock_.seconds();
    return std::move(choice_);
  }

 private:
  // Whether to go on. A rank that was ended in its first repeat is dropped, others are kept with what they have.
  bool try_rank(std::uint64_t rank, double work_left) {
    const auto at = std::ranges::lower_bound(choice_.candidates, rank, {}, &Candidate::rank);
    const auto place = static_cast<std::size_t>(at - choice_.candidates.begin());
    Candidate candidate;
    candidate.rank = rank;
    std::vector<std::vector<float>> losses;
    for (std::size_t n = 0; n < splits_.size(); ++n) {
      if (!may_go_on()) break;
      announce(rank, n, work_left);
      const KTensor* smaller = place > 0 && choice_.candidates[place - 1].fits.size() > n
                                   ? &choice_.candidates[place - 1].fits[n].model
                                   : nullptr;
      candidate.fits.push_back(fit_once(rank, n, smaller, losses));
      if (!may_go_on()) break;
      if (n + 1 < splits_.size() && cannot_win(candidate, losses)) {
        candidate.stopped = true;
        break;
      }
    }
    const bool complete = candidate.stopped || candidate.fits.size() == splits_.size();
    choice_.interrupted = choice_.interrupted || !complete;
    if (candidate.fits.empty() || (!complete && !choice_.candidates.empty())) return false;
    choice_.candidates.insert(choice_.candidates.begin() + static_cast<std::ptrdiff_t>(place), std::move(candidate));
    losses_.insert(losses_.begin() + static_cast<std::ptrdiff_t>(place), std::move(losses));
    compare();
    return complete;
  }

  bool may_go_on() const {
    return !monitor_.fit.interrupted() && !(options_.stop.time_limit && clock_.seconds() >= *options_.stop.time_limit);
  }

  void announce(std::uint64_t rank, std::size_t repeat, double work_left) {
    if (!monitor_.on_fit) return;
    SelectProgress news{rank, repeat, splits_.size(), fits_done_, clock_.seconds(), {}};
    if (work_left > 0 && work_done_ > 0) {
      const double of_this = static_cast<double>(repeat) / static_cast<double>(splits_.size());
      news.seconds_left = clock_.seconds() / work_done_ * (work_left - static_cast<double>(rank) * of_this);
    }
    monitor_.on_fit(news);
  }

  CandidateFit fit_once(std::uint64_t rank, std::size_t repeat, const KTensor* smaller,
                        std::vector<std::vector<float>>& losses) {
    const HeldOutSplit& split = splits_[repeat];
    FitOptions options = options_;
    options.rank = rank;
    if (options.stop.time_limit) options.stop.time_limit = *options.stop.time_limit - clock_.seconds();
    std::optional<KTensor> warm;
    FitInputs inputs;
    if (smaller != nullptr && smaller->rank() < rank) {
      warm = with_more_components(*smaller, rank, options.bounds.lower.value_or(loss_.info().lower), options.seed);
      inputs.start_from = &*warm;
    }
    const FitResult result = fit(plan(split.training, loss_, options, inputs), monitor_.fit);
    CandidateFit out;
    out.model = result.model;
    out.training_explained = result.verdict.quality.explained();
    out.seconds = result.seconds;
    out.idle_components = !result.verdict.idle.empty();
    const HeldOutSums sums =
        held_out_sums(result.model, split.cells, loss_, result.verdict.quality.null_value, threads_);
    out.loss = sums.loss;
    out.null_loss = sums.null_loss;
    out.best_loss = sums.best_loss;
    if (!(sums.null_loss > sums.best_loss)) {
      fail(ErrorKind::data, "all held-out cells are alike: there is nothing to choose a rank by");
    }
    KTensor balanced = result.model;
    distribute_weights(balanced);
    const std::vector<double> each = cell_losses(balanced.factors, split.cells, loss_, threads_);
    losses.emplace_back(each.begin(), each.end());
    ++fits_done_;
    work_done_ += static_cast<double>(rank) / static_cast<double>(splits_.size());
    return out;
  }

  // What `a` loses more than `b`, as a part of the null deviance, over the repeats that both have. Within a repeat the error is that
  // of the held-out cells; where repeats differ by more than that, it is theirs.
  Difference difference(const std::vector<std::vector<float>>& a, const std::vector<std::vector<float>>& b,
                        const Candidate& any) const {
    const std::size_t repeats = std::min(a.size(), b.size());
    const auto n = static_cast<double>(repeats);
    std::vector<double> means;
    double within = 0;
    for (std::size_t h = 0; h < repeats; ++h) {
      std::vector<double> values(a[h].size());
      for (std::size_t t = 0; t < values.size(); ++t) values[t] = static_cast<double>(a[h][t]) - b[h][t];
      const HeldOutMean mean = held_out_mean(splits_[h], values);
      const double deviance = deviance_of(any.fits[h]);
      means.push_back(mean.sum / deviance);
      within += mean.standard_error * mean.standard_error / (deviance * deviance);
    }
    Difference out;
    for (const double mean : means) out.mean += mean / n;
    double between = 0;
    for (const double mean : means) between += (mean - out.mean) * (mean - out.mean);
    out.error = std::sqrt(std::max(within / (n * n), repeats > 1 ? between / (n - 1) / n : 0.0));
    return out;
  }

  std::size_t best_so_far() const {
    std::size_t best = 0;
    for (std::size_t c = 1; c < choice_.candidates.size(); ++c) {
      if (choice_.candidates[c].fits.size() < choice_.candidates[best].fits.size()) continue;
      if (choice_.candidates[c].explained > choice_.candidates[best].explained) best = c;
    }
    return best;
  }

  bool cannot_win(const Candidate& candidate, const std::vector<std::vector<float>>& losses) const {
    if (choice_.candidates.empty()) return false;
    const std::size_t best = best_so_far();
    if (choice_.candidates[best].rank > candidate.rank) return false;  // a smaller rank may still be as good
    const Difference behind = difference(losses, losses_[best], candidate);
    return behind.mean > hopeless * behind.error;
  }

  void compare() {
    for (Candidate& candidate : choice_.candidates) {
      double lost = 0, all = 0;
      candidate.training_explained = 0;
      for (const CandidateFit& fit : candidate.fits) {
        lost += (fit.loss - fit.best_loss) / deviance_of(fit);
        all += 1;
        candidate.training_explained += fit.training_explained / static_cast<double>(candidate.fits.size());
      }
      candidate.explained = 1 - lost / all;
    }
    const std::size_t best = best_so_far();
    for (std::size_t c = 0; c < choice_.candidates.size(); ++c) {
      Candidate& candidate = choice_.candidates[c];
      candidate.behind = candidate.behind_error = 0;
      if (c == best) continue;
      const Difference behind = difference(losses_[c], losses_[best], candidate);
      // A candidate that was stopped is known to be worse, whatever the few cells that it shares with a later best say.
      candidate.behind = candidate.stopped ? std::max(behind.mean, 2 * behind.error) : behind.mean;
      candidate.behind_error = behind.error;
    }
  }

  static std::optional<double> found_again(const Candidate& candidate) {
    if (candidate.fits.size() < 2) return std::nullopt;
    double found = 0, pairs = 0;
    for (const CandidateFit& a : candidate.fits) {
      for (const CandidateFit& b : candidate.fits) {
        if (&a == &b) continue;
        const Score alike = score(a.model, b.model);
        found += static_cast<double>(
            std::ranges::count_if(alike.cosines, [](double cosine) { return cosine >= same_component; }));
        pairs += 1;
      }
    }
    return found / pairs;
  }

  FitOptions options_;
  const SelectOptions select_;
  const SelectMonitor& monitor_;
  const std::size_t threads_;
  const Loss loss_;
  const Stopwatch clock_;
  std::vector<HeldOutSplit> splits_;
  Choice choice_;
  std::vector<std::vector<std::vector<float>>> losses_;  // by candidate, repeat, held-out cell
  std::size_t fits_done_ = 0;
  double work_done_ = 0;
};

}  // namespace

bool Candidate::idle_components() const {
  return std::ranges::any_of(fits, &CandidateFit::idle_components);
}

double Candidate::seconds() const {
  double sum = 0;
  for (const CandidateFit& fit : fits) sum += fit.seconds;
  return sum;
}

Choice select(const Tensor& tensor, const FitOptions& options, const SelectOptions& select,
              const SelectMonitor& monitor) {
  FitOptions checked = options;
  checked.rank = 1;
  validate(checked);
  validate_fields(select);
  (void)parse_ranks(select.ranks);  // refused before the data are divided
  return Selection(tensor, checked, select, monitor).run();
}

}  // namespace polyad

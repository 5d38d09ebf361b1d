#include <polyad/solve/iterations.hpp>

#include <polyad/base/clock.hpp>
#include <polyad/base/exact_numbers.hpp>
#include <polyad/base/flush_denormals.hpp>
#include <polyad/kernel/batch_objective.hpp>

#include <algorithm>
#include <cmath>

namespace polyad {

namespace {

constexpr std::size_t bytes_at_once =
    8192;  // of a gradient, while its copies are added up: a quarter of a first-level cache

// The extents of the copies of the shared modes: the largest mode has no rows there.
std::vector<std::uint64_t> shared_extents(const std::vector<std::uint64_t>& extents, std::size_t own_mode) {
  std::vector<std::uint64_t> shared = extents;
  shared[own_mode] = 0;
  return shared;
}

double largest_weight(const Batch& batch) {
  double largest = 0;
  for (const double w : batch.w) largest = std::max(largest, std::abs(w));
  for (const double w : batch.w0) largest = std::max(largest, std::abs(w));
  return largest;
}

// Item i of n among `threads`: thread t has range(t) .. range(t + 1) - 1.
std::size_t range_begin(std::size_t n, std::size_t threads, std::size_t thread) {
  return n * thread / threads;
}

}  // namespace

template <class T>
struct Iterations<T>::Step {
  FactorsOf<T>& factors;
  MomentsOf<T>& moments;
  std::uint64_t draw;
  StepNumbers numbers;
  std::size_t threads;
};

// What a run was asked for.
template <class T>
struct Iterations<T>::Asked {
  FactorsOf<T>& factors;
  MomentsOf<T>& moments;
  std::uint64_t first_draw;
  std::uint64_t count;
  const std::function<double(std::uint64_t)>& rate;
  const std::function<bool()>& stop;
};

template <class T>
Iterations<T>::Iterations(const GcpProblem& problem, const RandomStream& stream, const FactorsOf<T>& shape,
                          ThreadBudget threads)
    : problem_(problem),
      sampler_(&problem.sampler),
      stream_(stream),
      partition_(problem.sampler.partition()),
      all_cells_(problem.sampler.all_cells()),
      threads_(threads),
      gradient_(shape.extents(), shape.rank()),
      batches_(partition_.parts()) {
  const std::size_t parts = partition_.parts();
  const auto extents = shared_extents(shape.extents(), partition_.mode);
  copies_.assign(parts - 1, FactorsOf<T>(extents, shape.rank()));
  if (with_zero_sum()) {
    const ZeroTerm empty(zero_term_size(problem.loss.info().zero_sum, shape.rank()), 0.0);
    part_terms_.assign(parts, empty);
    terms_.assign(shape.modes(), empty);
  }
  pads_may_fill_ = std::any_of(problem.segments.begin(), problem.segments.end(),
                               [](const Segment& s) { return s.lower > 0 || s.upper < 0; });
  if constexpr (sizeof(T) < sizeof(double)) {
    double largest = all_cells_;
    for (std::size_t l = 0; l < parts; ++l) {
      problem.sampler.draw_part(stream_, 0, l, batches_[l]);
      largest = std::max(largest, largest_weight(batches_[l]));
    }
    if (largest > 0 && std::isfinite(largest)) scale_ = 1 / power_of_two_near(largest);
  }
}

template <class T>
void Iterations<T>::draw_and_scatter(const Step& step, std::size_t part) {
  Batch& batch = batches_[part];
  sampler_->draw_part(stream_, step.draw, part, batch);
  CellRowsOf<T> rows(step.factors, batch, part == 0 ? gradient_ : copies_[part - 1]);
  rows.gradient[partition_.mode] = gradient_.row(partition_.mode, 0);
  add_sampled_gradient(rows, batch, problem_.loss, scale_);
}

// The terms of the closed-form sum over zeros that this thread's rows contribute.
template <class T>
void Iterations<T>::sum_terms(const Step& step, std::size_t thread) {
  const ZeroSum form = problem_.loss.info().zero_sum;
  const std::size_t threads = step.threads;
  const std::size_t parts = partition_.parts();
  for (std::size_t l = range_begin(parts, threads, thread); l < range_begin(parts, threads, thread + 1); ++l) {
    std::fill(part_terms_[l].begin(), part_terms_[l].end(), 0.0);
    add_rows_to_term(step.factors, form, partition_.mode, partition_.bounds[l], partition_.bounds[l + 1],
                     part_terms_[l]);
  }
  for (std::size_t k = thread; k < step.factors.modes(); k += threads) {
    if (k == partition_.mode) continue;
    std::fill(terms_[k].begin(), terms_[k].end(), 0.0);
    add_rows_to_term(step.factors, form, k, 0, step.factors.rows(k), terms_[k]);
  }
}

// For each mode the product of the other modes' terms.
template <class T>
std::vector<ZeroTerm> Iterations<T>::other_terms() const {
  std::vector<ZeroTerm> others;
  if (!with_zero_sum()) return others;
  std::vector<ZeroTerm> terms = terms_;
  ZeroTerm& own = terms[partition_.mode];
  std::fill(own.begin(), own.end(), 0.0);
  for (const ZeroTerm& term : part_terms_) {
    for (std::size_t j = 0; j < own.size(); ++j) own[j] += term[j];
  }
  for (std::size_t k = 0; k < terms.size(); ++k) others.push_back(product_of_other_terms(terms, k));
  return others;
}

template <class T>
void Iterations<T>::step_rows(const Step& step, std::size_t mode, std::size_t begin, std::size_t end,
                              const std::vector<ZeroTerm>& others) {
  if (begin == end) return;
  FactorsOf<T>& factors = step.factors;
  const std::size_t first = factors.mode_begin(mode) + begin * factors.stride();
  const std::size_t size = (end - begin) * factors.stride();
  const Segment& segment = problem_.segments[mode];
  if (segment.fixed) {
    std::fill_n(gradient_.flat().begin() + static_cast<std::ptrdiff_t>(first), size, T{0});
    return;
  }
  if (with_zero_sum()) {
    add_zero_sum_rows(factors, problem_.loss.info().zero_sum, scale_ * all_cells_, mode, begin, end, others[mode],
                      gradient_);
  }
  // With a single mode the product of the other rows is 1 in the padding lanes too.
  if (factors.modes() == 1) gradient_.clear_padding(mode, begin, end);
  problem_.optimizer.step_and_clear(step.numbers, piece_of(factors.flat(), gradient_.flat(), step.moments, first, size),
                                    segment.lower, segment.upper);
  if (pads_may_fill_) factors.clear_padding(mode, begin, end);
}

// Some rows at a time: what was added up is still in the cache when the next copy comes, and when the step is made.
template <class T>
void Iterations<T>::step_shared_rows(const Step& step, std::size_t thread, const std::vector<ZeroTerm>& others) {
  const std::size_t threads = step.threads;
  const std::size_t stride = gradient_.stride();
  const std::size_t rows_at_once = std::max<std::size_t>(1, bytes_at_once / (stride * sizeof(T)));
  for (std::size_t k = 0; k < gradient_.modes(); ++k) {
    if (k == partition_.mode) continue;
    const std::size_t last = range_begin(gradient_.rows(k), threads, thread + 1);
    for (std::size_t begin = range_begin(gradient_.rows(k), threads, thread); begin < last;) {
      const std::size_t end = std::min(last, begin + rows_at_once);
      T* const __restrict sum = gradient_.row(k, begin);
      for (FactorsOf<T>& copy : copies_) {
        T* const __restrict more = copy.row(k, begin);
        for (std::size_t i = 0; i < (end - begin) * stride; ++i) {
          sum[i] += more[i];
          more[i] = T{0};
        }
      }
      step_rows(step, k, begin, end, others);
      begin = end;
    }
  }
}

// Iterations begin .. end-1 of what was asked for, fewer where it says stop; how many were run.
template <class T>
std::uint64_t Iterations<T>::run_stretch(const Asked& asked, std::size_t threads, std::uint64_t begin,
                                         std::uint64_t end, bool& stopped) {
  std::uint64_t done = begin;
  bool last = false;  // written by thread 0 before the first barrier of an iteration, read by all between the two
  const std::uint64_t steps = asked.moments.steps;
  team_.run(threads, [&](std::size_t thread) {
    const FlushDenormals flush;
    const std::size_t first_part = range_begin(partition_.parts(), threads, thread);
    const std::size_t last_part = range_begin(partition_.parts(), threads, thread + 1);
    bool ending = false;
    for (std::uint64_t i = begin; !ending; ++i) {
      const Step step{asked.factors, asked.moments, asked.first_draw + i,
                      problem_.optimizer.numbers(steps + i - begin + 1, asked.rate(i), scale_), threads};
      for (std::size_t l = first_part; l < last_part; ++l) draw_and_scatter(step, l);
      if (with_zero_sum()) sum_terms(step, thread);
      if (thread == 0) {
        stopped = ++done < asked.count && asked.stop();
        last = done == end || stopped;
      }
      team_.barrier();
      ending = last;
      const std::vector<ZeroTerm> others = other_terms();
      for (std::size_t l = first_part; l < last_part; ++l) {
        step_rows(step, partition_.mode, partition_.bounds[l], partition_.bounds[l + 1], others);
      }
      step_shared_rows(step, thread, others);
      team_.barrier();
    }
  });
  asked.moments.steps = steps + done - begin;
  return done - begin;
}

template <class T>
std::uint64_t Iterations<T>::run(FactorsOf<T>& factors, MomentsOf<T>& moments, std::uint64_t draws, std::uint64_t count,
                                 const std::function<double(std::uint64_t)>& rate, const std::function<bool()>& stop) {
  const Asked asked{factors, moments, draws, count, rate, stop};
  std::uint64_t done = 0;
  bool stopped = count == 0 || stop();
  while (!stopped && done < count) {
    const std::size_t threads = team_.at_most(tuner_.threads(std::min(threads_.now(), partition_.parts())));
    const Stopwatch clock;
    const std::uint64_t here = run_stretch(asked, threads, done, std::min(count, done + tuner_.iterations()), stopped);
    tuner_.record(here, clock.seconds());
    done += here;
  }
  return done;
}

template class Iterations<double>;
template class Iterations<float>;

}  // namespace polyad

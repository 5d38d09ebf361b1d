#include <polyad/optim/lbfgsb.hpp>

#include <polyad/base/error.hpp>
#include <polyad/base/exact_numbers.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <string_view>
#include <vector>

// Debian's liblbfgsb has no header. Fortran passes everything by address; the lengths of the two texts follow at the end.
extern "C" void setulb_(const int* n, const int* m, double* x, const double* l, const double* u, const int* nbd,
                        double* f, double* g, const double* factr, const double* pgtol, double* wa, int* iwa,
                        char* task, const int* iprint, char* csave, int* lsave, int* isave, double* dsave,
                        std::size_t task_length, std::size_t csave_length);

extern "C" {
void dcsrch_(double* f, double* g, double* step, const double* ftol, const double* gtol, const double* xtol,
             const double* step_least, const double* step_most, char* task, int* isave, double* dsave,
             std::size_t task_length);

// The library's line search (Morales and Nocedal's lnsrlb, version 3.0), taken in its place: the original writes to standard
// output where a direction does not descend, whatever its print flag says. Otherwise it does the same.
[[gnu::visibility("default")]] void lnsrlb_(const int* n, const double* l, const double* u, const int* nbd, double* x,
                                            double* f, double* fold, double* gd, double* gdold, const double* g,
                                            const double* d, double* r, double* t, const double* z, double* stp,
                                            double* dnorm, double* dtd, double* xstep, double* stpmx, const int* iter,
                                            int* ifun, int* iback, int* nfgv, int* info, char* task, const int* boxed,
                                            const int* cnstnd, char* csave, int* isave, double* dsave,
                                            std::size_t task_length, std::size_t csave_length) {
  constexpr double big = 1e10;
  constexpr double ftol = 1e-3;
  constexpr double gtol = 0.9;
  constexpr double xtol = 0.1;
  constexpr double zero = 0;
  const auto size = static_cast<std::size_t>(*n);
  const auto put = [](std::string_view text, char* to, std::size_t length) {
    std::fill_n(to, length, ' ');
    std::copy(text.begin(), text.end(), to);
  };
  const auto begins = [](const char* text, std::string_view with) {
    return std::string_view(text, with.size()) == with;
  };

  if (!begins(task, "FG_LN")) {
    *dtd = std::inner_product(d, d + size, d, 0.0);
    *dnorm = std::sqrt(*dtd);
    *stpmx = big;  // the longest step within the bounds
    if (*cnstnd != 0 && *iter == 0) *stpmx = 1;
    for (std::size_t i = 0; i < size && *cnstnd != 0 && *iter != 0; ++i) {
      if (nbd[i] != 0 && d[i] < 0 && nbd[i] <= 2) {
        const double room = l[i] - x[i];
        if (room >= 0) {
          *stpmx = 0;
        } else if (d[i] * *stpmx < room) {
          *stpmx = room / d[i];
        }
      } else if (nbd[i] != 0 && d[i] > 0 && nbd[i] >= 2) {
        const double room = u[i] - x[i];
        if (room <= 0) {
          *stpmx = 0;
        } else if (d[i] * *stpmx > room) {
          *stpmx = room / d[i];
        }
      }
    }
    *stp = *iter == 0 && *boxed == 0 ? std::min(1 / *dnorm, *stpmx) : 1;
    std::copy_n(x, size, t);
    std::copy_n(g, size, r);
    *fold = *f;
    *ifun = 0;
    *iback = 0;
    put("START", csave, csave_length);
  }
  *gd = std::inner_product(g, g + size, d, 0.0);
  if (*ifun == 0) {
    *gdold = *gd;
    if (*gd >= 0) {  // no descent: the caller begins again from the gradient
      *info = -4;
      return;
    }
  }
  dcsrch_(f, gd, stp, &ftol, &gtol, &xtol, &zero, stpmx, csave, isave, dsave, csave_length);
  *xstep = *stp * *dnorm;
  if (begins(csave, "CONV") || begins(csave, "WARN")) {
    put("NEW_X", task, task_length);
    return;
  }
  put("FG_LNSRCH", task, task_length);
  ++*ifun;
  ++*nfgv;
  *iback = *ifun - 1;
  if (*stp == 1) {
    std::copy_n(z, size, x);
  } else {
    for (std::size_t i = 0; i < size; ++i) x[i] = *stp * d[i] + t[i];
  }
}
}  // extern "C"

namespace polyad {

namespace {

// A parallel BLAS may split sums by the number of its threads, so that results would depend on the machine. It runs on one thread
// while the Fortran code does, and afterwards on as many as before: whoever else uses it in this process notices no more than
// that. Several fits may run side by side: the first to come sets, the last to go restores. Whichever BLAS is loaded is asked by
// its own name; the reference one has no threads.
class OneBlasThread {
 public:
  OneBlasThread() {
    const std::lock_guard lock(mutex());
    if (users()++ > 0) return;
    for (Setting& setting : settings()) setting.before = setting.get();
    for (const Setting& setting : settings()) {
      if (setting.before > 1) setting.set(1);
    }
  }
  ~OneBlasThread() {
    const std::lock_guard lock(mutex());
    if (--users() > 0) return;
    for (const Setting& setting : settings()) {
      if (setting.before > 1) setting.set(setting.before);
    }
  }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  struct Setting {
    std::function<int()> get;
    std::function<void(int)> set;
    int before = 0;
  };

  template <class Number>
  static void find(std::vector<Setting>& found, const char* get, const char* set) {
    const auto getter = reinterpret_cast<Number (*)()>(dlsym(RTLD_DEFAULT, get));
    const auto setter = reinterpret_cast<void (*)(Number)>(dlsym(RTLD_DEFAULT, set));
    if (getter == nullptr || setter == nullptr) return;
    found.push_back({[=] { return static_cast<int>(getter()); }, [=](int n) { setter(n); }});
  }
  static std::vector<Setting>& settings() {
    static std::vector<Setting> all = [] {
      std::vector<Setting> found;
      find<int>(found, "openblas_get_num_threads", "openblas_set_num_threads");
      find<int>(found, "MKL_Get_Max_Threads", "MKL_Set_Num_Threads");
      find<long>(found, "bli_thread_get_num_threads", "bli_thread_set_num_threads");
      return found;
    }();
    return all;
  }
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static std::size_t& users() {
    static std::size_t count = 0;
    return count;
  }
};

double unit_of(std::span<const double> x, std::span<const double> g) {
  double size = 0;
  double slope = 0;
  for (const double a : x) size = std::max(size, std::abs(a));
  for (const double a : g) slope = std::max(slope, std::abs(a));
  return power_of_two_near(slope / size);
}

// The Fortran routine's working memory: it asks for evaluations by returning ("reverse communication").
class Setulb {
 public:
  Setulb(std::span<const double> lower, std::span<const double> upper, const LbfgsbSettings& settings)
      : n_(static_cast<int>(lower.size())),
        m_(static_cast<int>(settings.pairs)),
        lower_(lower.begin(), lower.end()),
        upper_(upper.begin(), upper.end()),
        kind_(lower.size()),
        gradient_tolerance_(settings.gradient_tolerance),
        numbers_(2 * settings.pairs * lower.size() + 5 * lower.size() + 11 * settings.pairs * settings.pairs +
                 8 * settings.pairs),
        integers_(3 * lower.size()) {
    for (std::size_t i = 0; i < kind_.size(); ++i) {
      const bool below = std::isfinite(lower_[i]);
      const bool above = std::isfinite(upper_[i]);
      kind_[i] = below ? (above ? 2 : 1) : (above ? 3 : 0);
      if (!below) lower_[i] = 0;
      if (!above) upper_[i] = 0;
    }
    set_task("START");
  }

  void advance(std::span<double> x, double& f, std::span<double> g) {
    constexpr int silent = -1;
    const OneBlasThread alone;
    setulb_(&n_, &m_, x.data(), lower_.data(), upper_.data(), kind_.data(), &f, g.data(), &factor_,
            &gradient_tolerance_, numbers_.data(), integers_.data(), task_.data(), &silent, csave_.data(),
            lsave_.data(), isave_.data(), dsave_.data(), task_.size(), csave_.size());
  }
  void divide_gradient_tolerance(double unit) { gradient_tolerance_ /= unit; }
  bool task_is(std::string_view begin) const {
    return std::string_view(task_.data(), task_.size()).substr(0, begin.size()) == begin;
  }
  std::string task() const { return {task_.data(), task_.size()}; }
  double projected_gradient() const { return dsave_[12]; }

 private:
  void set_task(std::string_view text) {
    task_.fill(' ');
    std::ranges::copy(text, task_.begin());
  }

  int n_;
  int m_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<int> kind_;
  double factor_ = 0;  // the library's own test knows no unit
  double gradient_tolerance_;
  std::vector<double> numbers_;
  std::vector<int> integers_;
  std::array<char, 60> task_{};
  std::array<char, 60> csave_{};
  std::array<int, 4> lsave_{};
  std::array<int, 44> isave_{};
  std::array<double, 29> dsave_{};
};

}  // namespace

LbfgsbEnd minimize_lbfgsb(std::span<double> x, std::span<const double> lower, std::span<const double> upper,
                          const LbfgsbSettings& settings, const LbfgsbObjective& objective,
                          const std::function<bool(const LbfgsbIteration&)>& on_iteration) {
  if (x.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    fail(ErrorKind::data, "L-BFGS-B takes at most {} parameters (here {}); use `method gcp-sgd`",
         std::numeric_limits<int>::max(), x.size());
  }
  if (x.empty()) return LbfgsbEnd::gradient;
  Setulb code(lower, upper, settings);
  std::vector<double> g(x.size());
  double f = 0;
  double last_finite = 0;
  double before = 0;
  bool started = false;
  bool known = false;
  double unit = 1;
  for (;;) {
    code.advance(x, f, g);
    if (code.task_is("FG")) {
      if (!objective(x, f, g)) return LbfgsbEnd::asked;
      if (!started) {
        unit = unit_of(x, g);
        code.divide_gradient_tolerance(unit);
      }
      f /= unit;
      for (double& slope : g) slope /= unit;
      started = true;
      if (std::isfinite(f)) {
        last_finite = f;
        if (!known) before = f;
        known = true;
      } else {
        // Too far along the line: a high value with no slope makes the line search interpolate back.
        f = last_finite + 1e10 * (1 + std::abs(last_finite));
        std::ranges::fill(g, 0.0);
      }
    } else if (code.task_is("NEW_X")) {
      if (!on_iteration({f * unit, code.projected_gradient() * unit})) return LbfgsbEnd::asked;
      const double size = std::max({std::abs(before), std::abs(f), settings.least / unit});
      if (settings.tolerance > 0 && before - f <= settings.tolerance * size) return LbfgsbEnd::tolerance;
      before = f;
    } else if (code.task_is("CONVERGENCE: NORM")) {
      return LbfgsbEnd::gradient;
    } else if (code.task_is("CONVERGENCE")) {
      return LbfgsbEnd::tolerance;
    } else if (code.task_is("ABNORMAL")) {
      return LbfgsbEnd::no_step;
    } else {
      fail(ErrorKind::usage, "L-BFGS-B: {}", code.task());
    }
  }
}

}  // namespace polyad

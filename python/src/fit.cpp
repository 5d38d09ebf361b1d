// One fit from Python: it runs on a thread of its own, so that the caller's thread can look after signals, progress and
// callbacks about twenty times per second. The interpreter's lock is free meanwhile.

#include "losses.hpp"
#include "options.hpp"

#include <polyad/fit.hpp>
#include <polyad/fit/plan.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace polyad::python {

namespace {

constexpr auto look_every = std::chrono::milliseconds(50);

// What the two threads share.
struct Job {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Progress> news;
  bool handled = true;  ///< the last of `news` was seen by a callback that the fit waits for
  bool done = false;
  std::atomic<bool> stop = false;
  std::optional<FitResult> result;
  std::string plan_text;
  std::exception_ptr failure;
};

struct Request {
  DataPointer data;
  FitOptions options;
  std::optional<LossHandle> loss;
  ModelPointer start_from;
  bool wait_for_callback = false;
};

void run(Job& job, const Request& request) {
  Monitor monitor;
  monitor.interrupt = &job.stop;
  monitor.on_epoch = [&](const Progress& progress) {
    std::unique_lock lock(job.lock);
    job.news.push_back(progress);
    job.handled = false;
    job.changed.notify_all();
    if (request.wait_for_callback) job.changed.wait(lock, [&] { return job.handled || job.stop; });
  };
  try {
    FitInputs inputs;
    if (request.start_from) inputs.start_from = &request.start_from->model;
    const Tensor& tensor = request.data->tensor;
    const FitPlan planned = request.loss ? plan(tensor, request.loss->loss, request.options, inputs)
                                         : plan(tensor, request.options, inputs);
    job.plan_text = describe(planned);
    job.result = fit(planned, monitor);
  } catch (...) {
    job.failure = std::current_exception();
  }
  const std::lock_guard lock(job.lock);
  job.done = true;
  job.changed.notify_all();
}

// Ends the fit and waits for its thread, whatever happens on the caller's side.
class Worker {
 public:
  Worker(Job& job, const Request& request)
      : job_(job), request_(request), thread_([&job, &request] { run(job, request); }) {}
  ~Worker() {
    job_.stop = true;
    job_.changed.notify_all();
    // Functions of Python are not called any more where the result is not wanted.
    if (std::uncaught_exceptions() > 0 && request_.loss && request_.loss->trouble) request_.loss->trouble->any = true;
    const py::gil_scoped_release unlock;
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

 private:
  Job& job_;
  const Request& request_;
  std::thread thread_;
};

// Runs Python code, of signal handlers or a callback. The first KeyboardInterrupt ends the fit; anything else, or a second
// one, is thrown.
template <class Body>
void listen(Job& job, bool& interrupted, Body body) {
  try {
    body();
  } catch (py::error_already_set& error) {
    if (interrupted || !error.matches(PyExc_KeyboardInterrupt)) throw;
    interrupted = true;
    job.stop = true;
    job.changed.notify_all();
  }
}

// Waits without the lock of the interpreter; true where the fit has ended and all news are seen.
bool next_news(Job& job, std::deque<Progress>& news) {
  const py::gil_scoped_release unlock;
  std::unique_lock lock(job.lock);
  job.changed.wait_for(lock, look_every, [&] { return job.done || !job.news.empty(); });
  news.swap(job.news);
  return job.done && news.empty();
}

py::tuple fit_model(const DataPointer& data, const py::dict& options, const std::optional<LossHandle>& loss,
                    const ModelPointer& start_from, const py::object& on_progress, bool wait_for_callback) {
  const Request request{data, fit_options_of(options), loss, start_from, wait_for_callback};
  if (loss && loss->trouble) loss->trouble->forget();
  Job job;
  bool interrupted = false;
  bool stopped = false;
  {
    const Worker worker(job, request);
    std::deque<Progress> news;
    while (!next_news(job, news)) {
      listen(job, interrupted, [] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      });
      while (!news.empty()) {
        const Progress progress = std::move(news.front());
        news.pop_front();
        if (on_progress.is_none()) continue;
        listen(job, interrupted, [&] {
          if (!on_progress(progress).cast<bool>()) return;
          stopped = true;
          job.stop = true;
        });
      }
      {
        const std::lock_guard lock(job.lock);
        job.handled = true;
      }
      job.changed.notify_all();
    }
  }
  if (loss && loss->trouble && loss->trouble->first) std::rethrow_exception(loss->trouble->first);
  if (job.failure) std::rethrow_exception(job.failure);
  auto file = std::make_shared<ModelFile>(to_model_file(*job.result));
  return py::make_tuple(file, interrupted, stopped, job.plan_text, job.result->checkpoint_trouble);
}

}  // namespace

void add_fit(py::module_& m) {
  py::class_<Progress>(m, "Progress", "One start of a fit after an epoch, or after an iteration of an exact method.")
      .def_property_readonly(
          "start", [](const Progress& p) { return p.start + 1; }, "number of the start, from 1")
      .def_readonly("starts", &Progress::starts, "how many starts there are")
      .def_property_readonly(
          "epoch", [](const Progress& p) { return p.row.epoch; }, "0: the starting guess")
      .def_readonly("epochs", &Progress::epochs, "at most this many")
      .def_property_readonly(
          "seconds", [](const Progress& p) { return p.row.seconds; }, "since the start began")
      .def_property_readonly(
          "estimate", [](const Progress& p) { return p.row.estimate; }, "the objective")
      .def_property_readonly(
          "rate", [](const Progress& p) { return p.row.rate; }, "step size; 0 in exact methods")
      .def_property_readonly(
          "accepted", [](const Progress& p) { return p.row.accepted; }, "whether the epoch was kept")
      .def_readonly("best", &Progress::best, "lowest objective of this start so far")
      .def_readonly("last", &Progress::last, "the start ends here")
      .def_readonly("note", &Progress::note, "what an exact method watches besides")
      .def("__repr__", [](const Progress& p) {
        return fmt::format("<polyad.Progress start {} of {}, epoch {} of {}, loss {:.8g}>", p.start + 1, p.starts,
                           p.row.epoch, p.epochs, p.row.estimate);
      });
  m.def("fit", &fit_model, py::arg("data"), py::arg("options"), py::arg("loss"), py::arg("start_from"),
        py::arg("on_progress"), py::arg("wait_for_callback"));
}

}  // namespace polyad::python

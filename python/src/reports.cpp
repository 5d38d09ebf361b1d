// What people look at: tables, judgements, pages and pictures.

#include "losses.hpp"

#include <polyad/evaluate.hpp>
#include <polyad/io/atomic_file.hpp>
#include <polyad/report.hpp>
#include <polyad/report/mode_kind.hpp>

namespace polyad::python {

namespace {

using NamedModels = std::vector<std::pair<std::string, ModelPointer>>;

std::vector<RegionMap> maps_of(const std::vector<std::string>& arguments, const ModelFile& file) {
  std::vector<RegionMap> maps;
  for (const std::string& argument : arguments) {
    maps.push_back(read_regions(argument, file.labels, file.model.factors.extents()));
  }
  return maps;
}

std::string html_of(const NamedModels& named, const std::string& title, const std::vector<std::string>& maps) {
  const py::gil_scoped_release unlock;
  std::vector<ReportModel> models;
  for (const auto& [name, file] : named) models.push_back({name, *file});
  ReportOptions options;
  options.title = title;
  options.maps = maps_of(maps, models.front().file);
  return report_html(models, options);
}

std::string svg_of(const ModelFile& file, const std::string& title, const std::vector<std::string>& maps,
                   std::uint64_t top, std::uint64_t components) {
  const py::gil_scoped_release unlock;
  SvgOptions options;
  options.title = title;
  options.top = top;
  options.components = components;
  options.names = component_names(file);
  options.maps = maps_of(maps, file);
  return components_svg(file.model, file.labels, options);
}

ShowOptions show_options(const ModelFile& file, std::uint64_t top, std::uint64_t width) {
  ShowOptions options;
  options.top = top;
  options.width = width;
  options.names = component_names(file);
  return options;
}

// Judges the model by the data and keeps the figures with it.
void judge_by(ModelFile& file, const Data& data, const LossHandle& loss) {
  const py::gil_scoped_release unlock;
  (void)judge(file, data.tensor, {.data_file = data.name, .held_out = &data.held_out, .loss = &loss.loss});
}

std::string evaluation_of(const ModelFile& file, const Data& data, const LossHandle& loss, double most_cells) {
  const py::gil_scoped_release unlock;
  check_same_cells(data.tensor, file.model, file.labels);
  EvaluateSettings settings = evaluate_settings(loss.loss);
  settings.held_out = &data.held_out;
  settings.most_cells = most_cells;
  return json_text(evaluate(data.tensor, file.model, loss.loss, settings));
}

}  // namespace

void add_reports(py::module_& m) {
  m.def("report_html", &html_of, py::arg("models"), py::arg("title"), py::arg("maps"));
  m.def("components_svg", &svg_of, py::arg("model"), py::arg("title"), py::arg("maps"), py::arg("top"),
        py::arg("components"));
  m.def(
      "show_text",
      [](const ModelFile& f, std::uint64_t top, std::uint64_t width) {
        return show_text(f.model, f.labels, show_options(f, top, width));
      },
      py::arg("model"), py::arg("top"), py::arg("width"));
  m.def(
      "show_json",
      [](const ModelFile& f, std::uint64_t top) { return show_json(f.model, f.labels, show_options(f, top, 80)); },
      py::arg("model"), py::arg("top"));
  m.def(
      "fit_summary", [](const ModelFile& f) { return fit_summary(f); }, py::arg("model"));
  m.def("judge", &judge_by, py::arg("model"), py::arg("data"), py::arg("loss"));
  m.def("evaluate", &evaluation_of, py::arg("model"), py::arg("data"), py::arg("loss"), py::arg("most_cells"));
  m.def(
      "mode_kind",
      [](const ModelFile& f, std::size_t mode) {
        constexpr const char* words[] = {"time", "hours", "cycle", "index", "few", "many"};
        const ModeKind kind = mode_kind(labels_of_mode(f.labels, mode), f.model.factors.rows(mode));
        return std::string(words[static_cast<std::size_t>(kind)]);
      },
      py::arg("model"), py::arg("mode"));
  m.def(
      "regions",
      [](const ModelFile& f, const std::string& argument) {
        const RegionMap map = read_regions(argument, f.labels, f.model.factors.extents());
        const auto list_of = [](const std::vector<Region>& regions) {
          py::list out;
          for (const Region& region : regions) {
            py::list rings;
            for (const auto& ring : region.rings) {
              py::array_t<double> points({static_cast<py::ssize_t>(ring.size()), py::ssize_t{2}});
              auto at = points.mutable_unchecked<2>();
              for (std::size_t i = 0; i < ring.size(); ++i) {
                at(static_cast<py::ssize_t>(i), 0) = ring[i].x;
                at(static_cast<py::ssize_t>(i), 1) = ring[i].y;
              }
              rings.append(std::move(points));
            }
            out.append(py::make_tuple(region.index, rings));
          }
          return out;
        };
        return py::make_tuple(map.mode, map.width, map.height, list_of(map.regions), list_of(map.background));
      },
      py::arg("model"), py::arg("argument"));
  m.def(
      "write_text",
      [](const std::string& path, const std::string& text) {
        const py::gil_scoped_release unlock;
        check_writable(path);
        write_text_file(path, text);
      },
      py::arg("path"), py::arg("text"));
}

}  // namespace polyad::python

#include <polyad/base/error.hpp>
#include <polyad/io/hdf5/labels.hpp>

namespace polyad {

void write_hdf5_labels(Hdf5Writer& file, const Labels& labels) {
  file.group("/labels");
  if (!labels.import_options().empty()) file.attribute("/labels", "import", labels.import_options());
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    if (labels.mode(k) == ModeLabels{}) continue;
    const std::string group = fmt::format("/labels/{}", k + 1);
    file.group(group);
    file.attribute(group, "name", labels.mode(k).name);
    if (!labels.mode(k).entries.empty()) file.dataset(group + "/entries", labels.mode(k).entries);
  }
}

Labels read_hdf5_labels(const Hdf5Reader& file, const IndexSpace& space) {
  Labels labels(space.modes());
  if (file.has("/labels") && file.has_attribute("/labels", "import")) {
    labels.set_import_options(file.text_attribute("/labels", "import"));
  }
  for (std::size_t k = 0; k < space.modes(); ++k) {
    const std::string group = fmt::format("/labels/{}", k + 1);
    if (!file.has(group)) continue;
    if (file.has_attribute(group, "name")) labels.mode(k).name = file.text_attribute(group, "name");
    if (!file.has(group + "/entries")) continue;
    const auto dataset = file.open(group + "/entries");
    if (dataset.elements != space.extent(k)) {
      file.damaged(dataset.name, fmt::format("has {} labels for {} indices", dataset.elements, space.extent(k)));
    }
    labels.mode(k).entries = file.read_texts(dataset);
  }
  return labels;
}

}  // namespace polyad

#include <polyad/base/fields.hpp>
#include <polyad/io/isolated/pack.hpp>

#include <algorithm>
#include <limits>

namespace polyad {
namespace {

constexpr std::uint64_t any_count = std::numeric_limits<std::uint32_t>::max();
constexpr int most_json_levels = 64;

void pack_trace(WireWriter& out, const Trace& trace) {
  out.number(trace.size());
  for (const TraceRow& row : trace) {
    out.number(row.epoch);
    for (const double x : {row.seconds, row.estimate, row.rate}) out.real(x);
    out.number(row.accepted ? 1 : 0);
  }
}

Trace unpack_trace(WireReader& in) {
  Trace trace;
  for (std::uint64_t left = in.number_to(any_count); left > 0; --left) {
    TraceRow row;
    row.epoch = in.number();
    for (double* x : {&row.seconds, &row.estimate, &row.rate}) *x = in.real();
    row.accepted = in.flag();
    trace.push_back(row);
  }
  return trace;
}

Json unpack_json(WireReader& in) {
  auto json = json_object_of(in.text());
  if (!json) in.bad();
  return std::move(*json);
}

}  // namespace

bool nested_too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most_json_levels) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::optional<Json> json_object_of(const std::string& text) {
  if (nested_too_deep(text)) return std::nullopt;
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void pack_labels(WireWriter& out, const Labels& labels) {
  out.number(labels.modes());
  out.text(labels.import_options());
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    out.text(labels.mode(k).name);
    out.number(labels.mode(k).entries.size());
    for (const std::string& entry : labels.mode(k).entries) out.text(entry);
  }
}

Labels unpack_labels(WireReader& in, const IndexSpace& space) {
  Labels labels(in.number_to(space.modes()));
  labels.set_import_options(in.text());
  for (std::size_t k = 0; k < labels.modes(); ++k) {
    labels.mode(k).name = in.text();
    for (std::uint64_t left = in.number_to(any_count); left > 0; --left) labels.mode(k).entries.push_back(in.text());
  }
  if (labels.modes() != 0) labels.check(space);
  return labels;
}

void pack(WireWriter& out, const ModelFile& file) {
  const Factors& factors = file.model.factors;
  out.numbers(factors.extents());
  out.reals(file.model.weights);
  for (std::size_t k = 0; k < factors.modes(); ++k) out.reals(unpadded(factors, k));
  pack_labels(out, file.labels);
  for (const Notes* notes : {&file.options, &file.summary, &file.diagnostics}) out.text(text_of((*notes)->json));
  out.number(file.traces.size());
  for (const Trace& trace : file.traces) pack_trace(out, trace);
  out.number(file.slices.size());
  for (const auto& slices : file.slices) {
    std::vector<double> rows;
    for (const SliceFit& s : slices) {
      rows.insert(rows.end(), {s.loss, s.null_loss, s.best_loss, s.observed, s.expected});
    }
    out.reals(rows);
  }
}

ModelFile unpack_model(WireReader& in) {
  const std::vector<std::uint64_t> extents = in.numbers();
  const IndexSpace space(extents);
  std::vector<double> weights = in.reals();
  std::vector<std::vector<double>> matrices;
  for (const std::uint64_t extent : extents) {
    matrices.push_back(in.reals());
    std::uint64_t numbers = 0;
    if (__builtin_mul_overflow(extent, weights.size(), &numbers) || matrices.back().size() != numbers) in.bad();
  }
  ModelFile file;
  file.model = model_of(extents, std::move(weights), matrices);
  file.labels = unpack_labels(in, space);
  for (Notes* notes : {&file.options, &file.summary, &file.diagnostics}) (*notes)->json = unpack_json(in);
  for (std::uint64_t left = in.number_to(any_count); left > 0; --left) file.traces.push_back(unpack_trace(in));
  const std::uint64_t modes = in.number_to(extents.size());
  if (modes != 0 && modes != extents.size()) in.bad();
  for (std::uint64_t k = 0; k < modes; ++k) {
    const std::vector<double> rows = in.reals();
    if (rows.size() % 5 != 0 || rows.size() / 5 != extents[k]) in.bad();
    auto& slices = file.slices.emplace_back();
    for (std::size_t i = 0; i < rows.size(); i += 5) {
      slices.push_back({rows[i], rows[i + 1], rows[i + 2], rows[i + 3], rows[i + 4]});
    }
  }
  in.expect_end();
  return file;
}

void pack(WireWriter& out, const CheckpointFile& file) {
  out.text(text_of(file.identity));
  out.text(text_of(file.options));
  out.number(file.starts.size());
  for (const StoredStart& start : file.starts) {
    out.number(start.start);
    out.reals(start.numbers);
    out.number(start.arrays.size());
    for (const auto& [name, values] : start.arrays) {
      out.text(name);
      out.reals(values);
    }
    pack_trace(out, start.trace);
  }
}

CheckpointFile unpack_checkpoint(WireReader& in) {
  CheckpointFile file;
  file.identity = unpack_json(in);
  file.options = unpack_json(in);
  for (std::uint64_t left = in.number_to(any_count); left > 0; --left) {
    StoredStart& start = file.starts.emplace_back();
    start.start = in.number();
    start.numbers = in.reals();
    for (std::uint64_t arrays = in.number_to(any_count); arrays > 0; --arrays) {
      std::string name = in.text();
      start.arrays.emplace_back(std::move(name), in.reals());
    }
    start.trace = unpack_trace(in);
  }
  in.expect_end();
  return file;
}

}  // namespace polyad

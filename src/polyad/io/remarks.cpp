#include <polyad/io/remarks.hpp>

namespace polyad {
namespace {

void remark_on(Remarks* remarks, std::uint64_t count, const char* one, const char* many, const char* what) {
  if (count > 0) remark(remarks, "{} {} {}", count, count == 1 ? one : many, what);
}

}  // namespace

void remark_on_build(Remarks* remarks, const BuildReport& report) {
  remark_on(remarks, report.duplicates_summed, "duplicate entry was", "duplicate entries were", "summed");
  remark_on(remarks, report.zeros_dropped, "explicit zero was", "explicit zeros were",
            "dropped (unlisted cells are zeros anyway)");
  remark_on(remarks, report.masked_dropped, "entry was", "entries were", "dropped from cells declared missing");
  remark_on(remarks, report.weight_zero_dropped, "entry of weight 0 was", "entries of weight 0 were", "made missing");
}

}  // namespace polyad

#pragma once
// A report as one HTML file that opens offline: data, style, D3 and our viewer in a single page. Nothing that comes from
// data is markup: texts travel as JSON in which '<' cannot occur, and the viewer only ever sets text. A content security
// policy forbids the page any request and any script but its own.

#include <polyad/report/html/report_data.hpp>

#include <string>
#include <vector>

namespace polyad {

std::string report_html(const std::vector<ReportModel>& models, const ReportOptions& options = {});

}  // namespace polyad

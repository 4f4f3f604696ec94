#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "curate/report/report.hpp"
#include "data/files/table.hpp"

namespace procsim::curate {

// The forms a report (make_report) takes on disk.

// One page that needs nothing else: style, script and document inside, and a policy that forbids every
// request.
std::string report_html(const Report& report);
// The same page for the review server (Report::server): it may talk to its own origin only.
std::string server_html(const Report& report);
// The policy that report_html or server_html puts into its page, for the header that says the same.
std::string content_policy(bool server);

// The ranked suspects as a table: a row each, names beside labels.
Table suspects_table(const Report& report);
std::string table_csv(const Table& table);
std::string report_markdown(const Report& report);
// Without images.
std::string report_json(const Report& report);

}  // namespace procsim::curate

#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "data/files/atomic_file.hpp"
#include "data/files/table.hpp"

namespace procsim::curate {

// The forms a report (make_report) takes on disk.

// One page that needs nothing else: style, script and document inside, and a policy that forbids every
// request.
std::string report_html(const nlohmann::ordered_json& report);
// The same page for the review server: its document has "server" in it, and the page may talk to its own
// origin only.
std::string server_html(const nlohmann::ordered_json& report);
// The policy that report_html or server_html puts into its page, for the header that says the same.
std::string content_policy(bool server);

// The ranked suspects as a table: a row each, names beside labels.
Table suspects_table(const nlohmann::ordered_json& report);
std::string table_csv(const Table& table);
std::string report_markdown(const nlohmann::ordered_json& report);
std::string report_json(const nlohmann::ordered_json& report);

// Text inside <script type="application/json">: nothing in it can end the element.
std::string json_for_html(const nlohmann::ordered_json& document);

}  // namespace procsim::curate

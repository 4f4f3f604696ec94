#include <cstdio>

#include <fmt/format.h>

#include "curate/review/review_address.hpp"
#include "curate/review/review_server.hpp"
#include "data/base/error.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/validators.hpp"

namespace procsim::tools {

namespace serve_command {
namespace {

struct Options {
  SubjectOptions subject;
  curate::ReviewOptions review;
  curate::ServerOptions server;
  std::optional<int> port;
  std::size_t top = 500;
};

constexpr double kAuditShare = 0.1;  // by default: a rate costs one card in ten

bool reached_from_here_only(const std::string& address) {
  return address == "localhost" || address == "::1" || address.starts_with("127.");
}

void setup(Options& options) { options.review.validate(); }

int run(const Options& options, const GlobalOptions& global) {
  auto subject = open_subject(options.subject, global, find_workspace_to_be(global));
  if (!options.review.read_only && subject.workspace) subject.workspace->require_writable();
  const auto ranking = subject.suspects();
  const auto decisions = curate::fold_decisions(subject.decisions());
  const auto findings = curate::find_out(subject.scores, decisions, curate::AuditDesign(subject.scores, 0));
  const auto summary = curate::summarize(subject.scores, ranking, subject.families, findings);
  auto report = curate::make_report(subject.scores, ranking, subject.families, summary, subject.source,
                                    options.top, &findings);
  std::optional<curate::ImageStore> images;
  if (subject.root)
    images.emplace(*subject.root);
  else
    say(global, "images: none; give the data set's folder with --root to see them");
  if (!reached_from_here_only(options.server.address))
    say(global,
        fmt::format(
            "warning: {} may be reached from other machines; whoever has the address below can decide",
            options.server.address));

  // Whoever only looks leaves nothing behind.
  const bool keeps = !options.review.read_only || subject.workspace;
  auto workspace = keeps ? std::optional(take_workspace(subject, global)) : std::nullopt;
  const auto home = workspace ? workspace->home() : std::filesystem::path();
  const bool remembers_address = workspace && workspace->is_writable();
  auto address = keeps ? curate::read_review_address(home) : curate::ReviewAddress{curate::random_token(), 0};
  curate::ReviewSession session(subject.scores, subject.families, std::move(workspace), subject.source,
                                options.review, address.card_secret());
  auto server_options = options.server;
  server_options.token = address.token();
  server_options.port = options.port.value_or(0);
  server_options.preferred_port = options.port ? 0 : address.port;
  curate::ReviewServer server(session, subject.scores, images ? &*images : nullptr, std::move(report),
                              options.review.read_only, server_options);
  address.port = server.port();
  if (remembers_address) curate::write_review_address(home, address);
  say(global,
      "review at the address below; stop with Ctrl-C, every decision is on disk as soon as it is made");
  fmt::print("{}\n", server.url());
  std::fflush(stdout);
  server.run();
  return 0;
}

}  // namespace
}  // namespace serve_command

void add_curate_serve(Program& program) {
  using namespace serve_command;
  auto options = std::make_shared<Options>();
  options->review.audit_rate = kAuditShare;
  auto* command = program.add("serve", "Review the suspects in a browser, alone or with others",
                              "curate serve --audit 0.1 --planted 0.05");
  add_subject_options(command, options->subject);
  add_root_option(command, options->subject.root);
  // Without suspects it helps nobody.
  add_top_option(command, options->top, "How many suspects the page lists; the queue has all", 1);
  command
      ->add_option(
          "--audit", options->review.audit_rate,
          "Share of random cards in the queue, from every stratum of suspicion, for an unbiased noise rate")
      ->capture_default_str()
      ->check(probability());
  command
      ->add_option("--planted", options->review.planted_rate,
                   "Share of labels made wrong on purpose, to measure reviewers")
      ->check(probability());
  command->add_option("--reviews", options->review.reviews, "How many reviewers see each sample")
      ->type_name("K")
      ->check(count());
  command->add_option("--seed", options->review.seed, "Seed of audits and planted labels")->check(seed());
  command->add_flag("--read-only", options->review.read_only, "Show, but take no decisions");
  command
      ->add_option("--port", options->port,
                   "Port; 0: any free one (default: the last one, so that pages go on)")
      ->check(CLI::Range(0, 65535));
  command->add_option("--address", options->server.address, "Address to listen on")->type_name("IP");
  command->add_option("--host", options->server.hosts, "A further name this server is reached by")
      ->type_name("NAME");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools

#include <cstdio>

#include <fmt/format.h>

#include "curate/review_server.hpp"
#include "data/error.hpp"
#include "tools/curate.hpp"
#include "tools/curate_subject.hpp"

namespace procsim {

namespace {

struct Options {
  SubjectOptions subject;
  ReviewOptions review;
  ServerOptions server;
  std::size_t top = 500;
};

Workspace workspace_for_decisions(Subject& subject, const GlobalOptions& global) {
  if (subject.workspace) return std::move(*subject.workspace);
  const auto folder = global.workspace.value_or(std::filesystem::current_path());
  say(global, fmt::format("decisions: kept in a new workspace in {}", folder.string()));
  return Workspace::open_or_create(folder);
}

int run(const Options& options, const GlobalOptions& global) {
  options.review.validate();
  auto subject = open_subject(options.subject, global);
  const auto ranking = subject.scores.ranking();
  const auto decisions = fold_decisions(subject.decisions());
  const auto summary = summarize(subject.scores, ranking, subject.families, decisions);
  auto report = make_report(subject.scores, ranking, subject.families, summary, subject.source, options.top);
  std::optional<ImageStore> images;
  if (subject.root)
    images.emplace(*subject.root);
  else
    say(global, "images: none; give the data set's folder with --root to see them");
  if (options.server.address != "127.0.0.1" && options.server.address != "localhost" &&
      options.server.address != "::1")
    say(global,
        fmt::format(
            "warning: {} may be reached from other machines; whoever has the address below can decide",
            options.server.address));

  ReviewSession session(subject.scores, subject.families, workspace_for_decisions(subject, global),
                        subject.source, options.review);
  ReviewServer server(session, subject.scores, images ? &*images : nullptr, std::move(report),
                      options.review.read_only, options.server);
  say(global,
      "review at the address below; stop with Ctrl-C, every decision is on disk as soon as it is made");
  fmt::print("{}\n", server.url());
  std::fflush(stdout);
  server.run();
  return 0;
}

}  // namespace

void add_curate_serve(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("serve", "Review the suspects in a browser, alone or with others",
                              "curate serve --audit 0.1 --planted 0.05");
  add_subject_options(command, options->subject);
  add_root_option(command, options->subject);
  command->add_option("--top", options->top, "How many suspects the page lists; the queue has all")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--audit", options->review.audit_rate,
                   "Share of random samples in the queue, for an unbiased noise rate")
      ->check(probability());
  command
      ->add_option("--planted", options->review.planted_rate,
                   "Share of labels made wrong on purpose, to measure reviewers")
      ->check(probability());
  command->add_option("--reviews", options->review.reviews, "How many reviewers see each sample")
      ->type_name("K");
  command->add_option("--seed", options->review.seed, "Seed of audits and planted labels");
  command->add_flag("--read-only", options->review.read_only, "Show, but take no decisions");
  command->add_option("--port", options->server.port, "Port; 0: any free one")->check(CLI::Range(0, 65535));
  command->add_option("--address", options->server.address, "Address to listen on")->type_name("IP");
  command->add_option("--host", options->server.hosts, "A further name this server is reached by")
      ->type_name("NAME");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim

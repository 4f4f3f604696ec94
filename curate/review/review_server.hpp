#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "curate/report/image_store.hpp"
#include "curate/report/report.hpp"
#include "curate/review/http_front.hpp"
#include "curate/review/review_session.hpp"

namespace procsim::curate {

struct ServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;                    // 0: `preferred_port` when it is free, else any free one
  int preferred_port = 0;          // 0: none
  std::string token;               // empty: a new random one
  std::vector<std::string> hosts;  // further names that Host may have, without the port
  FrontOptions front{};            // bounds of connections and requests
};

// The review page over HTTP. Every request must name this server in Host (so that no other site's name leads
// here), come from its own page if it says where it comes from (Origin), and carry the token. Requests are
// bounded in size and time before anything of them is looked at (http_front.hpp). Images come from the store
// only.
class ReviewServer {
 public:
  // `report` is what the page shows (make_report, without thumbnails). The session and the store must outlive
  // it. Throws Error when the address cannot be listened on.
  ReviewServer(ReviewSession& session, const ScoreTable& table, const ImageStore* images, Report report,
               bool read_only, ServerOptions options);
  ~ReviewServer();

  std::string url() const;  // with the token
  int port() const;
  // Serves until stop() is called from another thread.
  void run();
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace procsim::curate

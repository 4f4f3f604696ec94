#include "curate/review/review_server.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "curate/report/report_files.hpp"
#include "curate/review/review_address.hpp"
#include "curate/review/review_json.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/number.hpp"

namespace procsim::curate {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kThumbSide = 160, kImageSide = 900;

// The library parses and routes; connections are taken, read and answered by HttpFront, which bounds them.
class RoutedServer : public httplib::Server {
 public:
  int listening() const { return svr_sock_; }

  HttpFront::Answer answer(std::string request, bool is_last) {
    OneRequest stream(std::move(request));
    bool closed = is_last;
    const bool went_well = process_request(stream, is_last, closed, nullptr);
    return {stream.take_answer(), closed || !went_well};
  }
  void close_socket() {
    if (const auto socket = svr_sock_.exchange(INVALID_SOCKET); socket != INVALID_SOCKET) ::close(socket);
  }

 private:
  // A request that has been read already.
  class OneRequest : public httplib::Stream {
   public:
    explicit OneRequest(std::string request) : request_(std::move(request)) {}
    bool is_readable() const override { return read_ < request_.size(); }
    bool is_writable() const override { return true; }
    ssize_t read(char* target, size_t size) override {
      const auto count = std::min(size, request_.size() - read_);
      std::copy_n(request_.data() + read_, count, target);
      read_ += count;
      return static_cast<ssize_t>(count);
    }
    ssize_t write(const char* bytes, size_t size) override {
      answer_.append(bytes, size);
      return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return INVALID_SOCKET; }
    std::string take_answer() { return std::move(answer_); }

   private:
    std::string request_;
    std::size_t read_ = 0;
    std::string answer_;
  };
};

// Takes the same time wherever two texts differ.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

void refuse(httplib::Response& response, int status, const std::string& message) {
  response.status = status;
  response.set_content(Json{{"error", message}}.dump(-1, ' ', false, Json::error_handler_t::replace),
                       "application/json");
}

}  // namespace

struct ReviewServer::State {
  ReviewSession& session;
  const ScoreTable& table;
  const ImageStore* images;
  ServerOptions options;
  std::string page;
  RoutedServer server;
  std::unique_ptr<HttpFront> front;
  Report shell;                    // names of classes and nodes, without cards
  std::vector<std::string> hosts;  // that Host may say

  State(ReviewSession& review, const ScoreTable& scores, const ImageStore* store, ServerOptions wanted)
      : session(review), table(scores), images(store), options(std::move(wanted)) {}

  bool allowed(const httplib::Request& request, httplib::Response& response) const;
  void routes();
  template <typename Work>
  httplib::Server::Handler guarded(Work work) const;
  void send_image(const httplib::Request& request, httplib::Response& response, int side) const;
};

// Before anything else is looked at: who is asked, who asks, and whether they may.
bool ReviewServer::State::allowed(const httplib::Request& request, httplib::Response& response) const {
  const auto host = request.get_header_value("Host");
  if (std::ranges::find(hosts, host) == hosts.end()) {
    refuse(response, 403, "this server does not answer to that host name");
    return false;
  }
  if (request.has_header("Origin") && request.get_header_value("Origin") != fmt::format("http://{}", host)) {
    refuse(response, 403, "requests from other sites are refused");
    return false;
  }
  const auto token = request.has_header("X-Curate-Token") ? request.get_header_value("X-Curate-Token")
                                                          : request.get_param_value("token");
  if (!same_secret(token, options.token)) {
    refuse(response, 403, "the token is missing or wrong; use the address that curate serve printed");
    return false;
  }
  return true;
}

template <typename Work>
httplib::Server::Handler ReviewServer::State::guarded(Work work) const {
  return [work](const httplib::Request& request, httplib::Response& response) {
    try {
      response.set_content(work(request).dump(-1, ' ', false, Json::error_handler_t::replace),
                           "application/json");
    } catch (const ReviewError& error) {
      refuse(response, error.status(), error.what());
    } catch (const Json::exception&) {
      refuse(response, 400, "the request is not valid JSON");
    } catch (const Error& error) {
      refuse(response, 500, error.what());
    }
  };
}

void ReviewServer::State::send_image(const httplib::Request& request, httplib::Response& response,
                                     int side) const {
  const auto sample = parse_number<std::int64_t>(request.matches[1].str());
  const auto row = sample ? table.find(*sample) : std::nullopt;
  if (!row || !images) return refuse(response, 404, "no such image");
  std::string why;
  const auto jpeg = images->thumbnail(table.path(*row), side, 85, &why);
  if (!jpeg) return refuse(response, 404, why);
  response.set_header("Cache-Control", "private, max-age=3600");
  response.set_content(*jpeg, "image/jpeg");
}

void ReviewServer::State::routes() {
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("X-Frame-Options", "DENY");
    response.set_header("Referrer-Policy", "no-referrer");
    response.set_header("Cross-Origin-Resource-Policy", "same-origin");
    return allowed(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                      : httplib::Server::HandlerResponse::Handled;
  });
  server.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
        refuse(response, 500, "something went wrong on the server");
      });
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty()) refuse(response, response.status, "no such page");
  });
  server.Get("/", [this](const httplib::Request&, httplib::Response& response) {
    response.set_header("Cache-Control", "no-store");
    response.set_header("Content-Security-Policy", content_policy(true) + "; frame-ancestors 'none'");
    response.set_content(page, "text/html; charset=utf-8");
  });
  server.Get("/favicon.ico",
             [](const httplib::Request&, httplib::Response& response) { response.status = 204; });
  server.Get("/api/state", guarded([this](const httplib::Request& request) {
               return to_json(session.state(request.get_param_value("reviewer")));
             }));
  server.Get("/api/summary", guarded([this](const httplib::Request&) {
               auto now = shell;
               now.summary = session.summary();
               return summary_json(now);
             }));
  server.Get("/api/next", guarded([this](const httplib::Request& request) {
               std::optional<std::uint64_t> pair;
               if (request.has_param("given")) {
                 const auto given = parse_number<std::int32_t>(request.get_param_value("given"));
                 const auto suggested = parse_number<std::int32_t>(request.get_param_value("suggested"));
                 if (!given || !suggested) throw ReviewError(400, "'given' and 'suggested' must be labels");
                 pair = pair_key(*given, *suggested);
               }
               const auto reviewer = request.get_param_value("reviewer");
               return to_json(request.has_param("audit") ? session.next_audit(reviewer)
                                                         : session.next(reviewer, pair));
             }));
  server.Post("/api/release", guarded([this](const httplib::Request& request) {
                session.release(request.get_param_value("reviewer"));
                return Json::object();
              }));
  server.Post("/api/decisions", guarded([this](const httplib::Request& request) {
                if (request.get_header_value("Content-Type").rfind("application/json", 0) != 0)
                  throw ReviewError(415, "decisions are sent as application/json");
                const auto decision = parse_json<Json>(request.body);
                if (decision.is_discarded()) throw ReviewError(400, "decisions are sent as JSON");
                return to_json(session.decide(reviewer_word(decision)));
              }));
  server.Get(R"(/thumb/(-?\d{1,19}))", [this](const httplib::Request& request, httplib::Response& response) {
    send_image(request, response, kThumbSide);
  });
  server.Get(R"(/image/(-?\d{1,19}))", [this](const httplib::Request& request, httplib::Response& response) {
    send_image(request, response, kImageSide);
  });
}

ReviewServer::ReviewServer(ReviewSession& session, const ScoreTable& table, const ImageStore* images,
                           Report report, bool read_only, ServerOptions options)
    : state_(std::make_unique<State>(session, table, images, std::move(options))) {
  auto& server = state_->server;
  if (state_->options.token.empty()) state_->options.token = random_token();
  const auto& front = state_->options.front;
  server.set_payload_max_length(front.limits.body);
  server.set_keep_alive_max_count(static_cast<std::size_t>(front.requests));
  server.set_keep_alive_timeout(front.idle_seconds);
  // The library's own choice would let a second server take the same port and half of the requests.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });

  const auto& address = state_->options.address;
  if (state_->options.port == 0) {
    const auto preferred = state_->options.preferred_port;
    state_->options.port = preferred > 0 && server.bind_to_port(address, preferred)
                               ? preferred
                               : server.bind_to_any_port(address);
  } else if (!server.bind_to_port(address, state_->options.port)) {
    state_->options.port = -1;
  }
  if (state_->options.port <= 0)
    throw Error(
        fmt::format("cannot listen on {}: the port is taken or the address is not this machine's. Choose "
                    "another --port, or 0 for any.",
                    address));
  const auto port = state_->options.port;
  state_->hosts = {fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port),
                   fmt::format("[::1]:{}", port)};
  if (address != "0.0.0.0" && address != "::") state_->hosts.push_back(fmt::format("{}:{}", address, port));
  for (const auto& host : state_->options.hosts) state_->hosts.push_back(fmt::format("{}:{}", host, port));
  state_->routes();
  report.server = {state_->options.token, read_only, images != nullptr};
  state_->page = server_html(report);
  state_->front = std::make_unique<HttpFront>(
      server.listening(), front,
      [&server](std::string request, bool is_last) { return server.answer(std::move(request), is_last); });
  state_->shell.classes = report.classes;
  state_->shell.tree = report.tree;
}

ReviewServer::~ReviewServer() { state_->server.close_socket(); }

std::string ReviewServer::url() const {
  const auto& options = state_->options;
  const bool everywhere = options.address == "0.0.0.0" || options.address == "::";
  auto host = !options.hosts.empty() ? options.hosts.front() : everywhere ? "localhost" : options.address;
  if (host.find(':') != std::string::npos) host = fmt::format("[{}]", host);
  return fmt::format("http://{}:{}/?token={}", host, port(), options.token);
}
int ReviewServer::port() const { return state_->options.port; }
void ReviewServer::run() { state_->front->run(); }
void ReviewServer::stop() { state_->front->stop(); }

}  // namespace procsim::curate

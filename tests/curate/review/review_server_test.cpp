#include "curate/review/review_server.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using Json = nlohmann::ordered_json;
using test::scored;
using ::testing::HasSubstr;
using ::testing::Not;

class Server : public ::testing::Test {
 protected:
  void SetUp() override {
    std::vector<ScoreRow> rows;
    for (int i = 0; i < 1000; ++i) rows.push_back(scored(i, i % 6, (i + 1) % 6, 0.99 - i * 0.0009));
    rows[1].path = "../secret.jpg";
    rows[2].path = "link/secret.jpg";
    rows[3].path = (folder_ / "secret.jpg").string();
    rows[4].path = "notes.txt";
    test::write_image(folder_ / "root/0/0.jpg", 1);
    test::write_image(folder_ / "secret.jpg", 2);
    test::write_image(folder_ / "outside/secret.jpg", 2);
    folder_.write("root/notes.txt", "not an image");
    std::filesystem::create_directory_symlink(folder_ / "outside", folder_ / "root/link");
    table_.emplace(test::bird_table(rows));
    images_.emplace(folder_ / "root");
    start({});
  }

  void start(ReviewOptions options) {
    stop();
    const auto ranking = table_->ranking();
    const auto report =
        make_report(*table_, ranking, families_, summarize(*table_, ranking, families_), {"", "d", "s"}, 50);
    session_.emplace(*table_, families_, Workspace::open_or_create(folder_.path()),
                     ReportSource{"", "d", "s"}, options, "secret");
    ServerOptions server;
    server.token = "right-token";
    server_.emplace(*session_, *table_, &*images_, report, options.read_only, server);
    thread_ = std::thread([this] { server_->run(); });
    httplib::Client ready("127.0.0.1", server_->port());
    for (int i = 0; i < 1000 && !ready.Get("/"); ++i) std::this_thread::yield();
  }

  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
    server_.reset();
    session_.reset();
  }
  void TearDown() override { stop(); }

  httplib::Result get(const std::string& path,
                      httplib::Headers headers = {{"X-Curate-Token", "right-token"}}) {
    return httplib::Client("127.0.0.1", server_->port()).Get(path, headers);
  }
  httplib::Result post(const std::string& body,
                       httplib::Headers headers = {{"X-Curate-Token", "right-token"}},
                       const char* type = "application/json") {
    return httplib::Client("127.0.0.1", server_->port()).Post("/api/decisions", headers, body, type);
  }
  std::size_t stored() { return Workspace::open(folder_.path()).decisions("d").size(); }

  test::TemporaryFolder folder_;
  std::optional<ScoreTable> table_;
  ClassFamilies families_{test::bird_taxonomy(), test::bird_classes()};
  std::optional<ImageStore> images_;
  std::optional<ReviewSession> session_;
  std::optional<ReviewServer> server_;
  std::thread thread_;
};

const char* const kKeep = R"({"reviewer":"ada","sample":0,"verdict":"keep"})";

TEST_F(Server, NeedsTheToken) {
  EXPECT_EQ(get("/", {})->status, 403);
  EXPECT_EQ(get("/?token=wrong-token", {})->status, 403);
  EXPECT_EQ(get("/api/next?reviewer=ada", {})->status, 403);
  EXPECT_EQ(get("/thumb/0", {})->status, 403);
  EXPECT_EQ(post(kKeep, {})->status, 403);
  EXPECT_EQ(stored(), 0U);
  EXPECT_EQ(get("/?token=right-token", {})->status, 200);
  EXPECT_THAT(server_->url(), HasSubstr("http://127.0.0.1:"));
}

TEST_F(Server, ListensOnLoopbackOnly) {
  EXPECT_TRUE(httplib::Client("127.0.0.1", server_->port()).Get("/"));
  // Linux answers to all of 127/8 where a server listens on every address.
  EXPECT_FALSE(httplib::Client("127.0.0.2", server_->port()).Get("/"));
}

TEST_F(Server, TakesNoPortThatIsInUse) {
  ServerOptions options;
  options.port = server_->port();
  EXPECT_THROW(ReviewServer(*session_, *table_, nullptr, Report{}, false, options), Error);
  options.port = 0;
  options.preferred_port = server_->port();
  ReviewServer other(*session_, *table_, nullptr, Report{}, false, options);
  EXPECT_NE(other.port(), server_->port());
}

TEST_F(Server, IdleConnectionsDoNotKeepOthersOut) {
  std::vector<int> idle;
  for (int i = 0; i < 150; ++i) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server_->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    idle.push_back(socket);
  }
  httplib::Client client("127.0.0.1", server_->port());
  client.set_read_timeout(60);
  const auto answer = client.Get("/api/next?reviewer=ada", {{"X-Curate-Token", "right-token"}});
  for (const int socket : idle) ::close(socket);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
}

TEST_F(Server, NamesAndPathsOfAnyKindStayText) {
  auto info = test::bird_info();
  info.classes[0].name = "<script>alert(1)</script>";
  ScoreTable table(info);
  auto row = scored(0, 0, 1, 0.9);
  row.path = "</script><img src=x>";
  table.append(row);
  table.finish();
  const auto ranking = table.ranking();
  const ClassFamilies none;
  const auto report = make_report(table, ranking, none, summarize(table, ranking, none), {"", "d", "s"}, 5);
  ServerOptions options;
  options.token = "right-token";
  ReviewServer server(*session_, table, nullptr, report, true, options);
  std::thread thread([&] { server.run(); });
  std::string page;
  for (int i = 0; i < 1000 && page.empty(); ++i)
    if (const auto answer = httplib::Client("127.0.0.1", server.port()).Get("/?token=right-token"))
      page = answer->body;
  server.stop();
  thread.join();
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x>")));
  EXPECT_THAT(page, HasSubstr("\\u003cscript\\u003ealert(1)"));
}

TEST_F(Server, AnswersOnlyToItsOwnNameAndPage) {
  const auto own = "127.0.0.1:" + std::to_string(server_->port());
  EXPECT_EQ(get("/", {{"X-Curate-Token", "right-token"}, {"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(get("/", {{"X-Curate-Token", "right-token"}, {"Host", "127.0.0.1:1"}})->status, 403);
  EXPECT_EQ(get("/", {{"X-Curate-Token", "right-token"}, {"Host", own}})->status, 200);
  EXPECT_EQ(post(kKeep, {{"X-Curate-Token", "right-token"}, {"Origin", "http://evil.example"}})->status, 403);
  EXPECT_EQ(post(kKeep, {{"X-Curate-Token", "right-token"}, {"Origin", "null"}})->status, 403);
  EXPECT_EQ(stored(), 0U);
  EXPECT_EQ(post(kKeep, {{"X-Curate-Token", "right-token"}, {"Origin", "http://" + own}})->status, 200);
}

TEST_F(Server, ThePageMayLoadNothingFromElsewhere) {
  const auto page = get("/?token=right-token", {});
  const auto policy = page->get_header_value("Content-Security-Policy");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page->get_header_value("Referrer-Policy"), "no-referrer");
}

TEST_F(Server, ServesImagesFromTheDataSetOnly) {
  const auto image = get("/thumb/0");
  EXPECT_EQ(image->status, 200);
  EXPECT_EQ(image->get_header_value("Content-Type"), "image/jpeg");
  EXPECT_EQ(image->body.substr(0, 2), "\xff\xd8");
  EXPECT_EQ(get("/image/0")->status, 200);
  for (const auto* path :
       {"/thumb/1", "/thumb/2", "/thumb/3", "/thumb/4", "/thumb/5", "/thumb/99999", "/image/-1",
        "/thumb/99999999999999999999", "/thumb/..%2f..%2fsecret.jpg", "/secret.jpg", "/../secret.jpg"})
    EXPECT_EQ(get(path)->status, 404) << path;
}

TEST_F(Server, BoundsWhatItReads) {
  EXPECT_EQ(post(std::string(70 << 10, ' '))->status, 413);
  EXPECT_EQ(post("{\"reviewer\":")->status, 400);
  EXPECT_EQ(post("[1,2]")->status, 400);
  EXPECT_EQ(post(std::string(30000, '['))->status, 400) << "deeply nested";
  EXPECT_EQ(post(std::string(30000, '[') + std::string(30000, ']'))->status, 400) << "and whole";
  const auto long_header =
      get("/", {{"X-Curate-Token", "right-token"}, {"X-Filler", std::string(100000, 'x')}});
  EXPECT_TRUE(!long_header || long_header->status >= 400);
  EXPECT_EQ(post(kKeep, {{"X-Curate-Token", "right-token"}}, "text/plain")->status, 415);
  EXPECT_EQ(get("/api/next")->status, 400) << "no reviewer";
  EXPECT_EQ(get("/api/next?reviewer=ada&given=x")->status, 400);
  EXPECT_EQ(get("/nothing")->status, 404);
  EXPECT_EQ(stored(), 0U);
}

// Without a token, and with one: what httplib itself would take without a bound.
TEST_F(Server, RefusesBodiesWithoutALengthAndCompressedOnes) {
  httplib::Client client("127.0.0.1", server_->port());
  const httplib::Headers token{{"X-Curate-Token", "right-token"}};
  const auto chunked = client.Post(
      "/api/decisions", token,
      [](std::size_t offset, httplib::DataSink& sink) {
        const std::string part(1000, 'x');
        sink.write(part.data(), part.size());
        if (offset > 200'000) sink.done();
        return true;
      },
      "application/json");
  EXPECT_TRUE(!chunked || chunked->status == 501);
  EXPECT_EQ(post(kKeep, {{"X-Curate-Token", "right-token"}, {"Content-Encoding", "gzip"}})->status, 415);
  EXPECT_EQ(stored(), 0U);
  EXPECT_EQ(post(kKeep)->status, 200);
}

TEST_F(Server, ReadOnlyShowsButTakesNothing) {
  ReviewOptions options;
  options.read_only = true;
  start(options);
  EXPECT_EQ(get("/?token=right-token", {})->status, 200);
  EXPECT_EQ(get("/api/next?reviewer=ada")->status, 200);
  EXPECT_EQ(post(kKeep)->status, 403);
}

TEST_F(Server, AThousandConcurrentDecisionsAreAllKept) {
  constexpr int kClients = 20, kEach = 50;
  std::atomic<int> accepted = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c)
    clients.emplace_back([&, c] {
      httplib::Client client("127.0.0.1", server_->port());
      client.set_read_timeout(60);
      client.set_keep_alive(c % 2 == 0);
      for (int i = 0; i < kEach; ++i) {
        const Json body{
            {"reviewer", "r" + std::to_string(c)}, {"sample", c * kEach + i}, {"verdict", "keep"}};
        const auto send = [&] {
          return client.Post("/api/decisions", {{"X-Curate-Token", "right-token"}}, body.dump(),
                             "application/json");
        };
        // A kept connection may be closed just as it is used: like the page, send what got no answer again.
        // What was stored and sent again would be one record too many below.
        auto answer = send();
        for (int more = 0; !answer && more < 5; ++more) answer = send();
        if (answer && answer->status == 200) ++accepted;
      }
    });
  for (auto& client : clients) client.join();
  EXPECT_EQ(accepted, kClients * kEach);
  const auto records = Workspace::open(folder_.path()).decisions("d");
  EXPECT_EQ(records.size(), static_cast<std::size_t>(kClients * kEach));
  EXPECT_FALSE(first_broken_link(records));
  const auto done = Json::parse(get("/api/next?reviewer=ada")->body);
  EXPECT_EQ(done["left"], 0);
  EXPECT_FALSE(done.contains("card"));
}

}  // namespace
}  // namespace procsim::curate

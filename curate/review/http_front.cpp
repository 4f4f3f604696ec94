#include "curate/review/http_front.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "data/base/error.hpp"

namespace procsim::curate {
namespace {

using Clock = std::chrono::steady_clock;

// A client that still sends when it is answered must be listened to, else the answer is lost: so much, so
// long.
constexpr std::size_t kPartingBytes = 1 << 20;
constexpr auto kPartingTime = std::chrono::seconds(2);

enum class Doing { kReading, kAnswering, kWriting, kParting };

struct Connection {
  int socket = -1;
  std::string address;
  RequestReader reader;
  Doing doing = Doing::kReading;
  Clock::time_point since;     // it began what it is doing
  Clock::time_point deadline;  // for it
  std::string answer;
  std::size_t sent = 0;
  bool closes = false;
  int requests = 0;
};

// It is the client's turn: such a connection may be closed for a new one.
bool is_waited_for(const Connection& connection) {
  return connection.doing == Doing::kReading || connection.doing == Doing::kParting;
}

// Whom connections are counted for: an IPv4 address, or the first half of an IPv6 one, which is one
// customer's network.
std::string address_of(const sockaddr_storage& peer) {
  const auto bytes_of = [](const auto& field, std::size_t first, std::size_t count) {
    return std::string(reinterpret_cast<const char*>(&field) + first, count);
  };
  if (peer.ss_family == AF_INET)
    return bytes_of(reinterpret_cast<const sockaddr_in&>(peer).sin_addr, 0, sizeof(in_addr));
  if (peer.ss_family != AF_INET6) return {};
  const auto& address = reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr;
  const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&address);
  return is_mapped ? bytes_of(address, 12, sizeof(in_addr)) : bytes_of(address, 0, 8);
}

struct Work {
  std::uint64_t connection = 0;
  std::string request;
  bool is_last = false;
};

struct Done {
  std::uint64_t connection = 0;
  HttpFront::Answer answer;
};

}  // namespace

struct HttpFront::State {
  int listening;
  FrontOptions options;
  Respond respond;
  int wake[2] = {-1, -1};
  std::atomic<bool> stopped{false};
  std::map<std::uint64_t, Connection> connections;  // touched by run() only
  std::uint64_t next_name = 1;

  std::mutex mutex;  // of the two lines below
  std::condition_variable waiting;
  std::deque<Work> work;
  std::vector<Done> done;

  State(int socket, FrontOptions wanted, Respond answer)
      : listening(socket), options(wanted), respond(std::move(answer)) {
    if (::pipe2(wake, O_NONBLOCK | O_CLOEXEC) != 0)
      throw Error("cannot make a pipe: too many files are open");
  }
  ~State() {
    for (auto& [name, connection] : connections) ::close(connection.socket);
    ::close(wake[0]);
    ::close(wake[1]);
  }

  void rouse() const {
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(wake[1], &byte, 1);  // full: it is awake already
  }
  void answer_requests();
  void loop();
  int milliseconds_left() const;
  void accept_one();
  bool has_room() const;
  bool close_longest_waited_for(const std::function<bool(const Connection&)>& may_go);
  void begin_reading(Connection& connection) const;
  bool read_more(std::uint64_t name, Connection& connection);
  bool go_on(std::uint64_t name, Connection& connection, RequestReader::State state);
  void begin_writing(Connection& connection, std::string bytes, bool closes) const;
  bool write_more(std::uint64_t name, Connection& connection);
  static bool read_parting(Connection& connection);
  void take_answers();
};

void HttpFront::State::answer_requests() {
  for (;;) {
    Work one;
    {
      std::unique_lock lock(mutex);
      waiting.wait(lock, [this] { return stopped || !work.empty(); });
      if (stopped) return;
      one = std::move(work.front());
      work.pop_front();
    }
    auto answer = respond(std::move(one.request), one.is_last);
    {
      const std::lock_guard lock(mutex);
      done.push_back({one.connection, std::move(answer)});
    }
    rouse();
  }
}

int HttpFront::State::milliseconds_left() const {
  auto first = Clock::now() + std::chrono::seconds(3600);
  for (const auto& [name, connection] : connections)
    if (connection.doing != Doing::kAnswering) first = std::min(first, connection.deadline);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left + 1, 0, 3'600'000));
}

bool HttpFront::State::has_room() const {
  return connections.size() < options.connections ||
         std::ranges::any_of(connections, [](const auto& one) { return is_waited_for(one.second); });
}

// The one that has kept us waiting longest for its request makes room for a new one. False: there is none.
bool HttpFront::State::close_longest_waited_for(const std::function<bool(const Connection&)>& may_go) {
  auto longest = connections.end();
  for (auto it = connections.begin(); it != connections.end(); ++it)
    if (is_waited_for(it->second) && may_go(it->second) &&
        (longest == connections.end() || it->second.since < longest->second.since))
      longest = it;
  if (longest == connections.end()) return false;
  ::close(longest->second.socket);
  connections.erase(longest);
  return true;
}

void HttpFront::State::accept_one() {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  const int socket =
      ::accept4(listening, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket < 0) return;
  const auto address = address_of(peer);
  const auto is_theirs = [&](const Connection& one) { return one.address == address; };
  const auto theirs =
      std::ranges::count_if(connections, [&](const auto& one) { return is_theirs(one.second); });
  if (static_cast<std::size_t>(theirs) >= options.of_address && !close_longest_waited_for(is_theirs)) {
    ::close(socket);
    return;
  }
  if (connections.size() >= options.connections)
    close_longest_waited_for([](const Connection&) { return true; });
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  Connection connection;
  connection.socket = socket;
  connection.address = address;
  connection.reader = RequestReader(options.limits);
  begin_reading(connection);
  connection.deadline = connection.since + std::chrono::seconds(options.request_seconds);
  connections.emplace(next_name++, std::move(connection));
}

void HttpFront::State::begin_reading(Connection& connection) const {
  connection.doing = Doing::kReading;
  connection.since = Clock::now();
  connection.deadline =
      connection.since +
      std::chrono::seconds(connection.reader.is_empty() ? options.idle_seconds : options.request_seconds);
}

// False: the connection is to be closed.
bool HttpFront::State::read_more(std::uint64_t name, Connection& connection) {
  char bytes[16 << 10];
  const auto count = ::recv(connection.socket, bytes, sizeof bytes, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  const bool is_first = connection.reader.is_empty();
  const auto state = connection.reader.add({bytes, static_cast<std::size_t>(count)});
  if (is_first) {
    const auto limit = Clock::now() + std::chrono::seconds(options.request_seconds);
    connection.deadline = connection.requests == 0 ? std::min(connection.deadline, limit) : limit;
  }
  return go_on(name, connection, state);
}

bool HttpFront::State::go_on(std::uint64_t name, Connection& connection, RequestReader::State state) {
  if (state == RequestReader::State::kIncomplete) return true;
  if (state == RequestReader::State::kRefused) {
    begin_writing(connection, connection.reader.refusal(), true);
    return write_more(name, connection);
  }
  connection.doing = Doing::kAnswering;
  const bool is_last = ++connection.requests >= options.requests;
  const std::lock_guard lock(mutex);
  work.push_back({name, connection.reader.take(), is_last});
  waiting.notify_one();
  return true;
}

void HttpFront::State::begin_writing(Connection& connection, std::string bytes, bool closes) const {
  connection.doing = Doing::kWriting;
  connection.since = Clock::now();
  connection.deadline =
      connection.since + std::chrono::seconds(options.request_seconds) +
      std::chrono::milliseconds(bytes.size() * 1000 / std::max<std::size_t>(options.slowest_read, 1));
  connection.answer = std::move(bytes);
  connection.sent = 0;
  connection.closes = closes;
}

bool HttpFront::State::write_more(std::uint64_t name, Connection& connection) {
  while (connection.sent < connection.answer.size()) {
    const auto count = ::send(connection.socket, connection.answer.data() + connection.sent,
                              connection.answer.size() - connection.sent, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    connection.sent += static_cast<std::size_t>(count);
  }
  connection.answer = {};
  if (connection.closes) {
    ::shutdown(connection.socket, SHUT_WR);
    connection.doing = Doing::kParting;
    connection.since = Clock::now();
    connection.deadline = connection.since + kPartingTime;
    connection.sent = 0;
    return true;
  }
  begin_reading(connection);
  return go_on(name, connection, connection.reader.next());
}

bool HttpFront::State::read_parting(Connection& connection) {
  char bytes[16 << 10];
  const auto count = ::recv(connection.socket, bytes, sizeof bytes, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  connection.sent += static_cast<std::size_t>(count);
  return count > 0 && connection.sent < kPartingBytes;
}

void HttpFront::State::take_answers() {
  char bytes[256];
  while (::read(wake[0], bytes, sizeof bytes) > 0) {
  }
  std::vector<Done> finished;
  {
    const std::lock_guard lock(mutex);
    finished.swap(done);
  }
  for (auto& one : finished) {
    const auto found = connections.find(one.connection);
    if (found == connections.end()) continue;
    begin_writing(found->second, std::move(one.answer.bytes), one.answer.close);
    if (!write_more(found->first, found->second)) {
      ::close(found->second.socket);
      connections.erase(found);
    }
  }
}

void HttpFront::State::loop() {
  std::vector<pollfd> polled;
  std::vector<std::uint64_t> names;
  while (!stopped) {
    polled = {{wake[0], POLLIN, 0}, {listening, static_cast<short>(has_room() ? POLLIN : 0), 0}};
    names.assign(2, 0);
    for (const auto& [name, connection] : connections) {
      if (connection.doing == Doing::kAnswering) continue;
      polled.push_back(
          {connection.socket, static_cast<short>(connection.doing == Doing::kWriting ? POLLOUT : POLLIN), 0});
      names.push_back(name);
    }
    if (::poll(polled.data(), polled.size(), milliseconds_left()) < 0 && errno != EINTR) return;
    if (polled[0].revents != 0) take_answers();
    const auto now = Clock::now();
    for (std::size_t i = 2; i < polled.size(); ++i) {
      const auto found = connections.find(names[i]);
      if (found == connections.end()) continue;
      auto& connection = found->second;
      bool stays = true;
      if (polled[i].revents != 0 && connection.doing == Doing::kReading)
        stays = read_more(found->first, connection);
      else if (polled[i].revents != 0 && connection.doing == Doing::kWriting)
        stays = write_more(found->first, connection);
      else if (polled[i].revents != 0)
        stays = read_parting(connection);
      if (stays && (connection.doing == Doing::kAnswering || now < connection.deadline)) continue;
      ::close(connection.socket);
      connections.erase(found);
    }
    if ((polled[1].revents & POLLIN) != 0) accept_one();
  }
}

HttpFront::HttpFront(int listening, FrontOptions options, Respond respond)
    : state_(std::make_unique<State>(listening, options, std::move(respond))) {
  ::fcntl(listening, F_SETFL, ::fcntl(listening, F_GETFL) | O_NONBLOCK);
  ::listen(listening, SOMAXCONN);
}

HttpFront::~HttpFront() = default;

void HttpFront::run() {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < state_->options.threads; ++i)
    threads.emplace_back([this] { state_->answer_requests(); });
  state_->loop();
  stop();
  for (auto& thread : threads) thread.join();
}

void HttpFront::stop() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopped = true;
  }
  state_->waiting.notify_all();
  state_->rouse();
}

}  // namespace procsim::curate

#include <algorithm>

#include <fmt/format.h>

#include "data/sets/fieldguide.hpp"

namespace procsim {
namespace {

// Every name has, in WordNet 3.0, no noun sense outside its family.
std::vector<FieldguideClass> list_classes() {
  struct Family {
    std::string name;
    std::vector<std::string> train;
    std::vector<std::string> test;
  };
  const std::vector<Family> families = {
      {"finch", {"chaffinch", "siskin", "purple finch"}, {"brambling", "pine siskin", "red siskin"}},
      {"New World warbler",
       {"yellow warbler", "Cape May warbler", "blackpoll"},
       {"northern parula", "Blackburnian warbler", "myrtle warbler"}},
      {"owl", {"barn owl", "tawny owl", "long-eared owl"}, {"little owl", "great grey owl", "barred owl"}},
      {"hawk",
       {"goshawk", "red-tailed hawk", "osprey"},
       {"red-shouldered hawk", "rough-legged hawk", "honey buzzard"}},
      {"duck", {"mallard", "canvasback", "bufflehead"}, {"pintail", "pochard", "ruddy duck"}},
      {"stork",
       {"white stork", "black-necked stork", "marabou stork"},
       {"black stork", "saddlebill", "adjutant bird"}},
      {"woodpecker",
       {"green woodpecker", "downy woodpecker", "redheaded woodpecker"},
       {"yellow-shafted flicker", "yellow-bellied sapsucker", "ivory-billed woodpecker"}},
      {"parrot", {"African grey", "budgerigar", "macaw"}, {"kea", "cockatiel", "sulphur-crested cockatoo"}},
  };
  std::vector<FieldguideClass> classes;
  for (const bool train : {true, false}) {
    for (const auto& family : families) {
      for (const auto& name : train ? family.train : family.test)
        classes.push_back({name, family.name, train});
    }
  }
  return classes;
}

}  // namespace

const std::vector<FieldguideClass>& fieldguide_classes() {
  static const auto classes = list_classes();
  return classes;
}

std::string fieldguide_image_path(int class_index, int image_index) {
  const auto& bird = fieldguide_classes().at(class_index);
  auto folder = bird.name;
  std::replace(folder.begin(), folder.end(), ' ', '_');
  return fmt::format("{}/{}/{:03}.jpg", bird.train ? "train" : "test", folder, image_index);
}

}  // namespace procsim

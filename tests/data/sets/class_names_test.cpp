#include "data/sets/class_names.hpp"

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

TEST(ClassNames, AreWrittenAsPeopleWriteThem) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"001.Black_footed_Albatross", "Black-footed Albatross"},
      {"013.Bobolink", "Bobolink"},
      {"038.Great_Crested_Flycatcher", "Great Crested Flycatcher"},
      {"050.Eared_Grebe", "Eared Grebe"},
      {"112.Great_Grey_Shrike", "Great Grey Shrike"},
      {"117.Clay_colored_Sparrow", "Clay-colored Sparrow"},
      {"160.Black_throated_Blue_Warbler", "Black-throated Blue Warbler"},
      {"163.Cape_May_Warbler", "Cape May Warbler"},
      {"181.Worm_eating_Warbler", "Worm-eating Warbler"},
      {"187.American_Three_toed_Woodpecker", "American Three-toed Woodpecker"},
      {"190.Red_cockaded_Woodpecker", "Red-cockaded Woodpecker"},
      {"AM General Hummer SUV 2000", "AM General Hummer SUV 2000"},
      {"Ram C/V Cargo Van Minivan 2012", "Ram C/V Cargo Van Minivan 2012"},
      {"n02085620-Chihuahua", "Chihuahua"},
      {"n02099601_golden_retriever", "golden retriever"},
      {"golden_retriever", "golden retriever"},
      {"red_tailed_hawk", "red-tailed hawk"},
      {"  two   words ", "two words"},
      {"12", "12"},
      {"3.5", "3.5"},  // a number is a name of its own
      {"n0208", "n0208"},
      {"007.", "007."},
      {"_", "_"},
      {"", ""},
      {"Käfer_grün", "Käfer grün"},
  };
  for (const auto& [published, name] : names) EXPECT_EQ(clean_class_name(published), name) << published;
}

// The names of the table, and one or more for most of the joined words, written down by hand.
TEST(ClassNames, CubNamesGetTheirHyphensAndApostrophesBack) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"Groove_billed_Ani", "Groove-billed Ani"},
      {"Brewer_Blackbird", "Brewer's Blackbird"},
      {"Red_winged_Blackbird", "Red-winged Blackbird"},
      {"Yellow_headed_Blackbird", "Yellow-headed Blackbird"},
      {"Yellow_breasted_Chat", "Yellow-breasted Chat"},
      {"Chuck_will_Widow", "Chuck-will's-widow"},
      {"Brandt_Cormorant", "Brandt's Cormorant"},
      {"Red_faced_Cormorant", "Red-faced Cormorant"},
      {"Black_billed_Cuckoo", "Black-billed Cuckoo"},
      {"Gray_crowned_Rosy_Finch", "Gray-crowned Rosy-Finch"},
      {"Olive_sided_Flycatcher", "Olive-sided Flycatcher"},
      {"Scissor_tailed_Flycatcher", "Scissor-tailed Flycatcher"},
      {"Yellow_bellied_Flycatcher", "Yellow-bellied Flycatcher"},
      {"Glaucous_winged_Gull", "Glaucous-winged Gull"},
      {"Heermann_Gull", "Heermann's Gull"},
      {"Slaty_backed_Gull", "Slaty-backed Gull"},
      {"Anna_Hummingbird", "Anna's Hummingbird"},
      {"Ruby_throated_Hummingbird", "Ruby-throated Hummingbird"},
      {"Dark_eyed_Junco", "Dark-eyed Junco"},
      {"Red_legged_Kittiwake", "Red-legged Kittiwake"},
      {"Clark_Nutcracker", "Clark's Nutcracker"},
      {"Scott_Oriole", "Scott's Oriole"},
      {"Western_Wood_Pewee", "Western Wood-Pewee"},
      {"Whip_poor_Will", "Whip-poor-will"},
      {"White_necked_Raven", "White-necked Raven"},
      {"Baird_Sparrow", "Baird's Sparrow"},
      {"Brewer_Sparrow", "Brewer's Sparrow"},
      {"Harris_Sparrow", "Harris's Sparrow"},
      {"Henslow_Sparrow", "Henslow's Sparrow"},
      {"Le_Conte_Sparrow", "Le Conte's Sparrow"},
      {"Lincoln_Sparrow", "Lincoln's Sparrow"},
      {"Nelson_Sharp_tailed_Sparrow", "Nelson's Sharp-tailed Sparrow"},
      {"White_crowned_Sparrow", "White-crowned Sparrow"},
      {"Artic_Tern", "Arctic Tern"},
      {"Forsters_Tern", "Forster's Tern"},
      {"Black_capped_Vireo", "Black-capped Vireo"},
      {"Blue_headed_Vireo", "Blue-headed Vireo"},
      {"Black_and_white_Warbler", "Black-and-white Warbler"},
      {"Chestnut_sided_Warbler", "Chestnut-sided Warbler"},
      {"Swainson_Warbler", "Swainson's Warbler"},
      {"Wilson_Warbler", "Wilson's Warbler"},
      {"Bewick_Wren", "Bewick's Wren"},
  };
  for (const auto& [published, name] : names) EXPECT_EQ(clean_class_name("123." + published), name);
}

TEST(ClassNames, RealCubNamesStayDistinctAndClean) {
  const auto path = test::shared_data("cub200/CUB_200_2011/classes.txt");
  if (!path) GTEST_SKIP() << "no ../shared/cub200";
  std::ifstream in(*path);
  std::set<std::string> names;
  std::string id, published;
  while (in >> id >> published) {
    const auto name = clean_class_name(published);
    EXPECT_EQ(name.find_first_of("_0123456789."), std::string::npos) << name;
    // A lower-case word between blanks would be a hyphen that was not put back.
    for (std::size_t at = name.find(' '); at != std::string::npos; at = name.find(' ', at + 1)) {
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(name[at + 1]))) << name;
    }
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(names.size(), 200u);
}

}  // namespace
}  // namespace procsim

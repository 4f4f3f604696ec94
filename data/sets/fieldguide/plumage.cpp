#include <stdexcept>
#include <string>

#include "data/sets/fieldguide/bird.hpp"

namespace procsim::fieldguide {
namespace {

using enum Field;

// Adult birds in the plumage that field guides show first (males, in spring), simplified. A species stays on
// a few lines, which the formatter would make twenty.
// clang-format off
std::vector<Plumage> finches() {
  return {
      {"chaffinch", 0xD08C74,
       {{kBelly, 0xE6CDBE}, {kVent, 0xF2ECE4}, {kBack, 0x8A5F45}, {kHead, 0xC98068}, {kCap, 0x7488A4},
        {kNape, 0x7488A4}, {kForehead, 0x2E2C30}, {kWing, 0x2F2A2A}, {kShoulder, 0xF4F2EC},
        {kSecondBar, 0xF0E6C8}, {kTail, 0x35302F}, {kTailEdge, 0xEFEDE8}, {kBeak, 0x8C9AAC},
        {kLegs, 0x8A6A5A}}},
      {"siskin", 0xD2CA40,
       {{kBelly, 0xF0ECD2}, {kBack, 0x87913E}, {kBackStreaks, 0x4F5628}, {kCap, 0x22231F}, {kBib, 0x22231F},
        {kCheek, 0xA8AC48}, {kFlankStreaks, 0x4A4A30}, {kWing, 0x2C2D28}, {kFirstBar, 0xE6D83A},
        {kSecondBar, 0xE6D83A}, {kTail, 0x2D2D28}, {kTailEdge, 0xE0D040}, {kBeak, 0xB9A58A},
        {kLegs, 0x6A5548}}},
      {"purple finch", 0xB84A5E,
       {{kBelly, 0xF2E0DC}, {kVent, 0xF6F0EC}, {kBack, 0x8C5450}, {kBackStreaks, 0x5A3A34},
        {kCrown, 0xA8324C}, {kCheek, 0x8E3E4A}, {kFlankStreaks, 0xA4606A}, {kWing, 0x6B4B42},
        {kFirstBar, 0xD99A94}, {kSecondBar, 0xD99A94}, {kTail, 0x6A4A42}, {kBeak, 0xA08A78},
        {kLegs, 0x7A6258}}},
      {"brambling", 0xE59242,
       {{kBelly, 0xF6F1EA}, {kVent, 0xF8F6F2}, {kBack, 0x2E2B2C}, {kHead, 0x29292C}, {kRump, 0xF4F2EE},
        {kFlankStreaks, 0x3A3434}, {kWing, 0x2A2828}, {kShoulder, 0xE5873A}, {kSecondBar, 0xF6E4C4},
        {kTail, 0x262424}, {kBeak, 0xE4BC58}, {kLegs, 0x8A6A5A}}},
      {"pine siskin", 0xDDD0B8,
       {{kBelly, 0xEDE6D8}, {kBack, 0x8D785C}, {kBackStreaks, 0x4F4030}, {kCrown, 0x94805F},
        {kCheek, 0xB59F7E}, {kBreastStreaks, 0x5B4A38}, {kFlankStreaks, 0x5B4A38}, {kWing, 0x3D352C},
        {kFirstBar, 0xE6DAB0}, {kSecondBar, 0xE0CC58}, {kWingEdge, 0xE0CC4A}, {kTail, 0x3D352C},
        {kTailEdge, 0xD8C850}, {kBeak, 0x8A7D70}, {kLegs, 0x6A5548}}},
      {"red siskin", 0xDC3A2C,
       {{kBelly, 0xEBC0B0}, {kVent, 0xF4E6E0}, {kBack, 0x8E3028}, {kHead, 0x1F1D1E}, {kBib, 0x1F1D1E},
        {kRump, 0xD8382C}, {kWing, 0x232020}, {kFirstBar, 0xE8604A}, {kSecondBar, 0xE8604A},
        {kTail, 0x232020}, {kBeak, 0x9A8E84}, {kLegs, 0x5A4A42}}},
  };
}

std::vector<Plumage> warblers() {
  return {
      {"yellow warbler", 0xF2D232,
       {{kBack, 0xB8AE3A}, {kBreastStreaks, 0xB0562C}, {kFlankStreaks, 0xB0562C}, {kWing, 0x8D8A38},
        {kFirstBar, 0xE8D94A}, {kSecondBar, 0xE8D94A}, {kWingTip, 0x5F5E34}, {kTail, 0x8A8636},
        {kBeak, 0x4A4640}, {kLegs, 0xB08858}}},
      {"Cape May warbler", 0xEFCF3C,
       {{kBack, 0x7D7F3E}, {kBackStreaks, 0x3A3C24}, {kCrown, 0x34342C}, {kCheek, 0xB8622C},
        {kEyeStripe, 0x34342C}, {kBrow, 0xEFCF3C}, {kBreastStreaks, 0x2E2C26}, {kFlankStreaks, 0x2E2C26},
        {kVent, 0xF4EFD8}, {kWing, 0x4A4A3C}, {kShoulder, 0xF2F2EA}, {kTail, 0x42423A}, {kBeak, 0x34322E},
        {kLegs, 0x4A443E}}},
      {"blackpoll", 0xF1F1EC,
       {{kBack, 0x8E908A}, {kBackStreaks, 0x2C2C2A}, {kCap, 0x1E1E1E}, {kNape, 0x55564F},
        {kMoustache, 0x26262A}, {kFlankStreaks, 0x2C2C2A}, {kBreastStreaks, 0x2C2C2A, 0.6f},
        {kWing, 0x4C4C48}, {kFirstBar, 0xF2F2EE}, {kSecondBar, 0xF2F2EE}, {kTail, 0x4A4A46},
        {kBeak, 0x5A4E40}, {kLegs, 0xE49638}}},
      {"northern parula", 0xF4F2EE,
       {{kHead, 0x6F8FB4}, {kBack, 0x6F8FB4}, {kMantle, 0x8D9C50}, {kThroat, 0xF2D444}, {kBreast, 0xF2D444},
        {kBreastBand, 0xA8552C}, {kWing, 0x5C7A9C}, {kFirstBar, 0xF4F4F2}, {kSecondBar, 0xF4F4F2},
        {kTail, 0x566E8C}, {kEyeRing, 0xF4F4F2}, {kBeak, 0x3A3A40}, {kLowerBeak, 0xE4BC4C},
        {kLegs, 0x8A7450}}},
      {"Blackburnian warbler", 0xF8E2B4,
       {{kBelly, 0xF6ECD4}, {kBack, 0x232222}, {kBackStreaks, 0xE8E4DC}, {kHead, 0xF48C1E},
        {kThroat, 0xF48C1E}, {kBreast, 0xF5A23C, 0.8f}, {kCrown, 0x232222}, {kNape, 0x232222},
        {kCheek, 0x232222}, {kBrow, 0xF48C1E}, {kFlankStreaks, 0x232222}, {kWing, 0x262524},
        {kShoulder, 0xF4F2EE}, {kTail, 0x262524}, {kBeak, 0x2E2A28}, {kLegs, 0x4A3E36}}},
      {"myrtle warbler", 0xF2F2F0,
       {{kHead, 0x71808F}, {kBack, 0x71808F}, {kBackStreaks, 0x2E3238}, {kThroat, 0xF4F4F2},
        {kCheek, 0x2A2E34}, {kCrown, 0xF0CC2C, 0.8f}, {kBreast, 0x2A2E34, 0.9f}, {kFlank, 0xF0CC2C},
        {kRump, 0xF0CC2C}, {kBrow, 0xF4F4F2}, {kWing, 0x4A4E55}, {kFirstBar, 0xF2F2F0},
        {kSecondBar, 0xF2F2F0}, {kTail, 0x3E4248}, {kBeak, 0x26262A}, {kLegs, 0x2E2E30}}},
  };
}

std::vector<Plumage> owls() {
  return {
      {"barn owl", 0xF6EAD4,
       {{kBreastSpots, 0x8A6B48, 0.7f}, {kHead, 0xD4A45E}, {kFace, 0xFCF8F0}, {kDiscRim, 0xA9713A},
        {kWing, 0xD19C56}, {kWingSpots, 0x6E665E}, {kTail, 0xD8AC6C}, {kTailBars, 0x8A6B48},
        {kEye, 0x1A1410}, {kBeak, 0xE8D0B0}, {kLegs, 0xE8DCC8}}},
      {"tawny owl", 0xBE9466,
       {{kBreastStreaks, 0x5A3A22}, {kBellyStreaks, 0x5A3A22}, {kHead, 0x85592F}, {kCrownSpots, 0xD8BC94},
        {kFace, 0xCBA67A}, {kDiscRim, 0x5E3C20}, {kWing, 0x7F552F}, {kWingSpots, 0xE4CFAC},
        {kTail, 0x8A6038}, {kTailBars, 0x5A3A22}, {kEye, 0x1C130E}, {kBeak, 0xC8B484}, {kLegs, 0xB89468}}},
      {"long-eared owl", 0xCF9F60,
       {{kBreastStreaks, 0x43301F}, {kBellyStreaks, 0x43301F}, {kHead, 0x7A5C3C}, {kFace, 0xD79C52},
        {kDiscRim, 0x33251A}, {kMask, 0xEDE2CE}, {kWing, 0x76583A}, {kWingBars, 0x43301F},
        {kTail, 0x8A6A44}, {kTailBars, 0x43301F}, {kEye, 0xF2821A}, {kBeak, 0x3A3430}, {kLegs, 0xC8A068}},
       0.75f, 0x43301F},
      {"little owl", 0xECE3D3,
       {{kBreastStreaks, 0x7D644A}, {kBellyStreaks, 0x7D644A}, {kHead, 0x7A634A}, {kCrownSpots, 0xF0E8DA},
        {kFace, 0xC4B49C}, {kBrow, 0xF6F0E6}, {kDiscRim, 0x8A745A}, {kWing, 0x7A634A},
        {kWingSpots, 0xF0E8DA}, {kTail, 0x846C50}, {kTailBars, 0xE0D2BC}, {kEye, 0xF4D62C},
        {kBeak, 0xD0C074}, {kLegs, 0xE4D8C4}}},
      {"great grey owl", 0xA6ABAB,
       {{kBreastStreaks, 0x565C5C}, {kBellyStreaks, 0x565C5C}, {kHead, 0x747A7A}, {kFace, 0xBCC0BE},
        {kDiscRings, 0x666C6C}, {kDiscRim, 0x565C5C}, {kMask, 0xF2F2F0}, {kWing, 0x6E7474},
        {kWingBars, 0x4A5050}, {kTail, 0x7A8080}, {kTailBars, 0x4A5050}, {kEye, 0xF2D834},
        {kBeak, 0xE0C848}, {kLegs, 0x9A9E9E}}},
      {"barred owl", 0xE8DAC6,
       {{kBreastBars, 0x7A593C}, {kBellyStreaks, 0x7A593C}, {kHead, 0x8A6C4E}, {kCrownSpots, 0xE0D0B8},
        {kFace, 0xCFC2B0}, {kDiscRings, 0x9A846A}, {kDiscRim, 0x6E5238}, {kWing, 0x7E6044},
        {kWingSpots, 0xEADFCC}, {kTail, 0x886A4C}, {kTailBars, 0xE0D0B8}, {kEye, 0x20160F},
        {kBeak, 0xE4BC40}, {kLegs, 0xD8C8B0}}},
  };
}

std::vector<Plumage> hawks() {
  return {
      {"goshawk", 0xE2E5E7,
       {{kBreastBars, 0x78828C}, {kBellyBars, 0x78828C}, {kBack, 0x52606E}, {kHead, 0x52606E},
        {kThroat, 0xE6E8EA}, {kCrown, 0x333C46}, {kEyeStripe, 0x333C46}, {kBrow, 0xF2F3F4},
        {kWing, 0x546270}, {kWingTip, 0x3E4852}, {kTail, 0x7A8590}, {kTailBars, 0x3A444E}, {kEye, 0xDC4420},
        {kBeak, 0x33363A}, {kBeakBase, 0xE0C440}, {kLegs, 0xE4C034}}},
      {"red-tailed hawk", 0xF2E6CE,
       {{kBellyBand, 0x70462A}, {kBellyStreaks, 0x70462A, 0.6f}, {kBack, 0x67432B}, {kHead, 0x84542F},
        {kThroat, 0xEADCC0}, {kWing, 0x67432B}, {kWingSpots, 0xC8AC84}, {kWingTip, 0x43301F},
        {kTail, 0xC8562A}, {kTailBand, 0x33241A}, {kEye, 0x4A2E1A}, {kBeak, 0x33302E},
        {kBeakBase, 0xD8C050}, {kLegs, 0xE0C040}}},
      {"osprey", 0xF6F5F1,
       {{kBack, 0x47382E}, {kHead, 0xF6F5F1}, {kEyeStripe, 0x3C2D22}, {kNape, 0x54463A},
        {kBreastBand, 0x8A7460, 0.6f}, {kWing, 0x47382E}, {kWingTip, 0x2E241D}, {kTail, 0xA4968A},
        {kTailBars, 0x47382E}, {kEye, 0xF2CC28}, {kBeak, 0x26262A}, {kLegs, 0xB4BCC0}}},
      {"red-shouldered hawk", 0xF0DCC0,
       {{kBreastBars, 0xC4662E}, {kBellyBars, 0xC4662E}, {kBreast, 0xCB7C46, 0.5f}, {kBack, 0x5E4632},
        {kHead, 0x8E6238}, {kThroat, 0xC89A6C}, {kWing, 0x3E342C}, {kShoulder, 0xB6522A},
        {kWingSpots, 0xECE4D8}, {kTail, 0x26221F}, {kTailBars, 0xEEEAE2}, {kEye, 0x4A2E1A},
        {kBeak, 0x33302E}, {kBeakBase, 0xE0C040}, {kLegs, 0xE4C034}}},
      {"rough-legged hawk", 0xE6D8BE,
       {{kBreastStreaks, 0x5E4632}, {kBelly, 0x34261C}, {kBellyBand, 0x34261C}, {kBack, 0x5C4836},
        {kHead, 0xEADFCA}, {kEyeStripe, 0x8A7256, 0.7f}, {kWing, 0x5C4836}, {kWingSpots, 0xD8C8AC},
        {kWingTip, 0x2E241D}, {kTail, 0xF0ECE4}, {kTailBand, 0x2A211B}, {kEye, 0x6A4424}, {kBeak, 0x33302E},
        {kBeakBase, 0xE4C840}, {kLegs, 0xDCCCAC}}},
      {"honey buzzard", 0xECE0CC,
       {{kBreastBars, 0x7A5334}, {kBellyBars, 0x7A5334}, {kBack, 0x5A4432}, {kHead, 0x8B939B},
        {kThroat, 0xE4DCD0}, {kWing, 0x5A4432}, {kWingTip, 0x3A2C20}, {kTail, 0xA68E74},
        {kTailBars, 0x42301F}, {kEye, 0xF6CA1C}, {kBeak, 0x3A3E44}, {kLegs, 0xE8C834}}},
  };
}

std::vector<Plumage> ducks() {
  return {
      {"mallard", 0xBDB9B1,
       {{kBreast, 0x6B3824}, {kBack, 0x8C8274}, {kHood, 0x1E7A4C}, {kCollar, 0xF6F6F2}, {kRump, 0x242426},
        {kVent, 0x242426}, {kWing, 0x968C80}, {kSpeculum, 0x2F55C0}, {kTail, 0xECEAE4}, {kBeak, 0xE4C232},
        {kEye, 0x1C1614}, {kLegs, 0xE88A2C}}},
      {"canvasback", 0xEFEDE8,
       {{kBreast, 0x1E1C1C}, {kHood, 0x86361F}, {kForehead, 0x4A2018}, {kRump, 0x262424}, {kVent, 0x262424},
        {kWing, 0xE4E1DA}, {kWingTip, 0x8E8A84}, {kTail, 0x4A4644}, {kBeak, 0x242426}, {kEye, 0xC8301C}}},
      {"bufflehead", 0xF6F6F4,
       {{kBack, 0x1E1E22}, {kHood, 0x2C2848}, {kHindHead, 0xF6F6F4}, {kWing, 0xF2F2F0},
        {kWingPatch, 0x26262A}, {kWingTip, 0x26262A}, {kRump, 0x8E9094}, {kTail, 0x85888C},
        {kBeak, 0x7E8CA0}, {kEye, 0x241C18}}},
      {"pintail", 0xACACAA,
       {{kBreast, 0xF6F4F0}, {kNeck, 0xF6F4F0}, {kHood, 0x5E3C26}, {kNeckStripe, 0xF6F4F0},
        {kBack, 0x8A8884}, {kRump, 0xE4D8B4}, {kVent, 0x242426}, {kWing, 0x8E8C86},
        {kWingStreaks, 0x2C2C2C}, {kSpeculum, 0x3C6A4A}, {kTail, 0x26262A}, {kBeak, 0x5D6C80},
        {kEye, 0x241A14}}},
      {"pochard", 0xBFC4C7,
       {{kBreast, 0x1F1D1D}, {kHood, 0xA24A24}, {kRump, 0x242224}, {kVent, 0x242224}, {kWing, 0xAEB4B8},
        {kWingTip, 0x7E8488}, {kTail, 0x4C4A4A}, {kBeak, 0x2E3034}, {kBeakMiddle, 0x93AEC4},
        {kEye, 0xD23A1C}}},
      {"ruddy duck", 0xAA4A24,
       {{kBelly, 0xC89A7A}, {kHead, 0xF6F5F2}, {kCap, 0x1E1A1A}, {kNape, 0x1E1A1A}, {kWing, 0x8A4024},
        {kWingTip, 0x5A3222}, {kTail, 0x36281F}, {kBeak, 0x4C9CE0}, {kEye, 0x1E1614}}},
  };
}

std::vector<Plumage> storks() {
  return {
      {"white stork", 0xF7F5F0,
       {{kWing, 0xF4F2EC}, {kWingTip, 0x1E1C1E}, {kSecondBar, 0x1E1C1E, 0.5f}, {kTail, 0xF2F0EA},
        {kMask, 0x3A3434}, {kBeak, 0xDA4028}, {kEye, 0x2A201C}, {kLegs, 0xDA4A30}}},
      {"black-necked stork", 0xF7F5F0,
       {{kHead, 0x1B3038}, {kNeck, 0x1B3038}, {kWing, 0xF2F0EA}, {kWingPatch, 0x1D2A30},
        {kWingTip, 0x1D2A30}, {kTail, 0x1D2A30}, {kBeak, 0x222226}, {kEye, 0xE8C030}, {kLegs, 0xE2583E}}},
      {"marabou stork", 0xF0EDE6,
       {{kBack, 0x49525E}, {kHead, 0xDA9280}, {kNeck, 0xDC9A86}, {kCollar, 0xF6F4F0}, {kWing, 0x49525E},
        {kWingEdge, 0xE8E8E4}, {kTail, 0x3E4650}, {kBeak, 0xBCA98A}, {kEye, 0x3A2620}, {kLegs, 0xCFCBC4}}},
      {"black stork", 0x23292D,
       {{kBelly, 0xF4F2EC}, {kVent, 0xF4F2EC}, {kHead, 0x22302E}, {kNeck, 0x24322F}, {kWing, 0x282C32},
        {kWingPatch, 0x33463E}, {kTail, 0x22262A}, {kMask, 0xC23A2A}, {kBeak, 0xD63C2A}, {kEye, 0x3A1A14},
        {kLegs, 0xD64430}}},
      {"saddlebill", 0xF7F5F0,
       {{kHead, 0x1C1E22}, {kNeck, 0x1C1E22}, {kWing, 0x1E2024}, {kShoulder, 0xF2F0EA},
        {kWingTip, 0xF4F2EC}, {kTail, 0x1E2024}, {kBeak, 0xD8382A}, {kBeakMiddle, 0x1E1C1E},
        {kBeakBase, 0xF0C828}, {kEye, 0xF0D030}, {kLegs, 0x3A3638}}},
      {"adjutant bird", 0xE6E4DE,
       {{kBack, 0x5E666C}, {kHead, 0xDE9C50}, {kNeck, 0xE2AE5C}, {kCollar, 0xF4F2EE}, {kWing, 0x596168},
        {kSecondBar, 0xB9BEC0}, {kWingPatch, 0xA8AEB2, 0.8f}, {kTail, 0x4A5258}, {kBeak, 0xC6B682},
        {kEye, 0xE8E2D4}, {kLegs, 0x8C8882}}},
  };
}

std::vector<Plumage> woodpeckers() {
  return {
      {"green woodpecker", 0xCDD3A6,
       {{kBack, 0x6F913A}, {kRump, 0xDCD03E}, {kHead, 0x9CAE6A}, {kCrown, 0xCC302A}, {kNape, 0xCC302A},
        {kMask, 0x26262A}, {kMoustache, 0xA82A28}, {kWing, 0x678730}, {kWingTip, 0x4E5640},
        {kTail, 0x4A5030}, {kBeak, 0x5D5D58}, {kEye, 0xF0F0EA}, {kLegs, 0x6A6E5A}}},
      {"downy woodpecker", 0xF5F3EE,
       {{kBack, 0x222224}, {kMantle, 0xF2F0EA}, {kCrown, 0x222224}, {kNape, 0xD02E2A},
        {kEyeStripe, 0x222224}, {kMoustache, 0x222224}, {kWing, 0x262628}, {kWingSpots, 0xF4F2EE},
        {kTail, 0x222224}, {kTailEdge, 0xF2F0EA}, {kBeak, 0x3A3A3E}, {kEye, 0x2A1A16}, {kLegs, 0x6A6E70}}},
      {"redheaded woodpecker", 0xF7F5F1,
       {{kBack, 0x20222A}, {kHead, 0xC6222A}, {kThroat, 0xC6222A}, {kNape, 0xC6222A}, {kWing, 0x22242C},
        {kWingTip, 0xF6F4F0}, {kRump, 0xF4F2EE}, {kTail, 0x20222A}, {kBeak, 0x9AA2A8}, {kEye, 0x3A2018},
        {kLegs, 0x6E7270}}},
      {"yellow-shafted flicker", 0xECDCC2,
       {{kBreastSpots, 0x2A2624}, {kBreastBand, 0x232122}, {kBack, 0x9C7E58}, {kBackBars, 0x3A3028},
        {kHead, 0xCC9E6E}, {kCrown, 0x9DA0A2}, {kNape, 0xD03028}, {kMoustache, 0x232122}, {kWing, 0x9A7A54},
        {kWingBars, 0x3A3028}, {kWingEdge, 0xF0CC34}, {kTail, 0x2A2622}, {kTailEdge, 0xE8C23A},
        {kBeak, 0x4A4C50}, {kEye, 0x2E1C16}, {kLegs, 0x767672}}},
      {"yellow-bellied sapsucker", 0xF2E4AC,
       {{kBack, 0x26262A}, {kBackBars, 0xECE8DC}, {kHead, 0xF4F2EC}, {kCrown, 0xCC2A2A},
        {kThroat, 0xCC2A2A}, {kEyeStripe, 0x232326}, {kBreastBand, 0x232326}, {kFlankStreaks, 0x4A463C},
        {kWing, 0x262628}, {kShoulder, 0xF4F2EC}, {kWingSpots, 0xECE8DC, 0.7f}, {kTail, 0x242426},
        {kBeak, 0x3A3A3E}, {kEye, 0x2A1A16}, {kLegs, 0x6A6E70}}},
      {"ivory-billed woodpecker", 0x1C1E26,
       {{kBack, 0x1C1E26}, {kNeckStripe, 0xF4F2EA}, {kNape, 0xCC2428, 0.8f}, {kWing, 0x1E2028},
        {kWingTip, 0xF5F3EB}, {kTail, 0x1A1C22}, {kBeak, 0xF3EAD0}, {kEye, 0xF2DC40}, {kLegs, 0x5A5E62}},
       1.1f, 0xCC2428},
  };
}

std::vector<Plumage> parrots() {
  return {
      {"African grey", 0xA2A7AC,
       {{kBreastBars, 0xC0C4C8, 0.8f}, {kBack, 0x8A9096}, {kFace, 0xEDEDEB}, {kWing, 0x7E858D},
        {kWingTip, 0x4A5058}, {kTail, 0xD42A2A}, {kBeak, 0x26262A}, {kEye, 0xEBDFA0}, {kLegs, 0x6A6E72}}},
      {"budgerigar", 0x7AC63E,
       {{kHood, 0xF3E24E}, {kBack, 0xE4DA54}, {kBackBars, 0x2E2E26}, {kNapeBars, 0x2E2E26},
        {kMoustache, 0x4A50C0}, {kWing, 0xE2D858}, {kWingBars, 0x2E2E26}, {kWingTip, 0x4A5A3A},
        {kTail, 0x2656B4}, {kBeak, 0xC4C08C}, {kBeakBase, 0x4A78D8}, {kEye, 0x1E1A1A}, {kLegs, 0x8E96A4}}},
      {"macaw", 0xDA2A20,
       {{kFace, 0xF3EDE4}, {kRump, 0x4C8ED8}, {kWing, 0xDA2E22}, {kWingPatch, 0xF4C82C},
        {kWingTip, 0x2860C8}, {kTail, 0xD42A22}, {kTailTip, 0x2860C8}, {kBeak, 0xEEE3CC},
        {kLowerBeak, 0x26262A}, {kEye, 0xF0E6A0}, {kLegs, 0x4A4648}}},
      {"kea", 0x75803C,
       {{kBreastBars, 0x4A5228}, {kBellyBars, 0x4A5228}, {kBack, 0x6A7638}, {kBackBars, 0x434C24},
        {kHead, 0x7E8648}, {kCheek, 0x6A6A40}, {kRump, 0xC8642C}, {kWing, 0x66743A}, {kWingBars, 0x3E4824},
        {kWingTip, 0x3C6C84}, {kTail, 0x4C7060}, {kTailBand, 0x2A2E24}, {kBeak, 0x55534E}, {kEye, 0x33261A},
        {kLegs, 0x74706A}}},
      {"cockatiel", 0x93969C,
       {{kBack, 0x84878D}, {kHead, 0xF4DF5C}, {kNape, 0x93969C}, {kCheek, 0xEA7428}, {kWing, 0x787B82},
        {kShoulder, 0xF2F2EE}, {kWingEdge, 0xF2F2EE}, {kTail, 0x6C6F76}, {kBeak, 0x8A8A88},
        {kEye, 0x2A1C18}, {kLegs, 0x8E8E8C}}, 1.25f, 0xF0D84C},
      {"sulphur-crested cockatoo", 0xF8F7F2,
       {{kCheek, 0xF4E9A0, 0.7f}, {kWing, 0xF2F1EC}, {kWingEdge, 0xF4E9A0, 0.6f}, {kTail, 0xF3F0E0},
        {kBeak, 0x2A2A2E}, {kEye, 0x1E1A1A}, {kLegs, 0x4A4A4E}}, 1.45f, 0xF6D51E},
  };
}
// clang-format on

std::vector<Plumage> list_plumages() {
  std::vector<Plumage> all;
  for (const auto& family :
       {finches(), warblers(), owls(), hawks(), ducks(), storks(), woodpeckers(), parrots()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace

const Plumage& plumage_of(std::string_view species) {
  static const auto all = list_plumages();
  for (const auto& plumage : all) {
    if (plumage.species == species) return plumage;
  }
  throw std::out_of_range("no plumage of " + std::string(species));
}

Plumage drab(Plumage plumage, const Anatomy& anatomy, float amount) {
  const auto toned = [&](std::uint32_t hex, std::uint32_t target, float k) {
    std::uint32_t mixed = 0;
    for (const int shift : {16, 8, 0}) {
      const auto channel = [&](std::uint32_t value) { return static_cast<float>((value >> shift) & 255); };
      mixed |= static_cast<std::uint32_t>(mix(channel(hex), channel(target), k)) << shift;
    }
    return mixed;
  };
  const auto is_below = [](Field field) {
    return (field >= kThroat && field <= kBib) || (field >= kBreast && field <= kVent);
  };
  plumage.base = toned(plumage.base, anatomy.drab_below, amount);
  plumage.crest_hex = toned(plumage.crest_hex, anatomy.drab_above, amount);
  for (auto& patch : plumage.patches) {
    // Beak, legs and eye keep more of their colour.
    const float k = patch.field >= kBeak ? 0.4f * amount : amount;
    patch.hex = toned(patch.hex, is_below(patch.field) ? anatomy.drab_below : anatomy.drab_above, k);
  }
  return plumage;
}

Rgb field_colour(const Plumage& plumage, Field field, std::uint32_t fallback) {
  for (const auto& patch : plumage.patches) {
    if (patch.field == field) return fieldguide::from_hex(patch.hex);
  }
  return fieldguide::from_hex(fallback);
}

}  // namespace procsim::fieldguide

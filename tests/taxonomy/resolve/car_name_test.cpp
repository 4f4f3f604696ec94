#include "taxonomy/resolve/car_name.hpp"

#include <gtest/gtest.h>

namespace procsim::taxonomy {
namespace {

void expect_car(std::string_view name, std::string_view make, std::string_view model, std::string_view type,
                std::string_view year) {
  const auto car = parse_car_name(name);
  EXPECT_EQ(car.make, make) << name;
  EXPECT_EQ(car.model, model) << name;
  EXPECT_EQ(car.type_word, type) << name;
  EXPECT_EQ(car.year, year) << name;
}

TEST(CarName, IsMakeModelTypeYear) {
  expect_car("Audi A5 Coupe 2012", "Audi", "A5", "Coupe", "2012");
  expect_car("BMW 3 Series Wagon 2012", "BMW", "3 Series", "Wagon", "2012");
  expect_car("Volvo 240 Sedan 1993", "Volvo", "240", "Sedan", "1993");
  expect_car("Tesla Model S Sedan 2012", "Tesla", "Model S", "Sedan", "2012");
  expect_car("smart fortwo Convertible 2012", "smart", "fortwo", "Convertible", "2012");
}

TEST(CarName, KnowsMakesOfTwoWords) {
  expect_car("Aston Martin V8 Vantage Convertible 2012", "Aston Martin", "V8 Vantage", "Convertible", "2012");
  expect_car("AM General Hummer SUV 2000", "AM General", "Hummer", "SUV", "2000");
  expect_car("Land Rover Range Rover SUV 2012", "Land Rover", "Range Rover", "SUV", "2012");
  expect_car("Rolls-Royce Ghost Sedan 2012", "Rolls-Royce", "Ghost", "Sedan", "2012");
}

TEST(CarName, LeavesBodyAndDriveVariantsOutOfTheModel) {
  expect_car("Chevrolet Silverado 1500 Hybrid Crew Cab 2012", "Chevrolet", "Silverado 1500", "Cab", "2012");
  expect_car("Chevrolet Express Cargo Van 2007", "Chevrolet", "Express", "Van", "2007");
  expect_car("Ford Ranger SuperCab 2011", "Ford", "Ranger", "SuperCab", "2011");
  expect_car("Bentley Continental Supersports Conv. Convertible 2012", "Bentley", "Continental Supersports",
             "Convertible", "2012");
}

TEST(CarName, TakesTheLastTypeWord) {
  expect_car("Ram C/V Cargo Van Minivan 2012", "Ram", "C/V", "Minivan", "2012");
  expect_car("Ford E-Series Wagon Van 2012", "Ford", "E-Series", "Van", "2012");
  expect_car("Rolls-Royce Phantom Drophead Coupe Convertible 2012", "Rolls-Royce", "Phantom Drophead",
             "Convertible", "2012");
  expect_car("Infiniti G Coupe IPL 2012", "Infiniti", "G IPL", "Coupe", "2012");
}

TEST(CarName, WithoutATypeOrYearHasNone) {
  expect_car("Chevrolet HHR SS 2010", "Chevrolet", "HHR SS", "", "2010");
  expect_car("Ford GT", "Ford", "GT", "", "");
  expect_car("", "", "", "", "");
  expect_car("2012", "", "", "", "2012");
}

TEST(CarType, ACabIsAPickupAndNoTaxi) {
  EXPECT_EQ(car_type("Cab")->below, "pickup%1:06:00::");
  EXPECT_EQ(car_type("Cab")->sense, "car%1:06:00::");
  EXPECT_EQ(car_type("Van")->below, "van%1:06:00::");
  EXPECT_EQ(car_type("Minivan")->below, "");
  EXPECT_FALSE(car_type("Rocket"));
}

}  // namespace
}  // namespace procsim::taxonomy

#pragma once

#include <optional>
#include <span>

namespace procsim::train {

struct GaussianMixtureOptions {
  int iterations = 10;
  double tolerance = 1e-2;       // stop when the mean log-likelihood rises by less
  double variance_floor = 5e-4;  // added to every variance, in units of the min-max scaled losses
};

// Two Gaussians fitted by expectation-maximisation to min-max scaled losses, started from Otsu's split (the
// optimal 2-means). `low` is the component of the smaller mean.
struct GaussianMixture {
  struct Component {
    double weight = 0, mean = 0, variance = 0;
  };
  Component low, high;
};

// Of scaled losses (in [0, 1]). Empty where Otsu finds no split.
std::optional<GaussianMixture> fit_gaussian_mixture(std::span<const double> scaled_losses,
                                                    const GaussianMixtureOptions& options = {});

// How surely a scaled loss belongs to the component of the smaller mean, in [0, 1].
double posterior_of_low(const GaussianMixture& mixture, double scaled_loss);

// The loss at which the posterior of the high component passes 0.5 between the two means; where it does not
// cross there, the crossing nearest to them, else the midpoint of the means. Empty where there is nothing to
// split.
std::optional<double> gaussian_mixture_threshold(std::span<const double> losses,
                                                 const GaussianMixtureOptions& options = {});

}  // namespace procsim::train

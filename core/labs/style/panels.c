/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `style`, in words.  */
#include "core/labs/style/tables.h"

#include <math.h>

#include "core/lab/kit/panels.h"

static const SlTrace channel_traces[] = {
  [T_BEFORE]
  = { "before", "at the start", "", "Of the picture that the run began with.", SL_REFERENCE, NULL },
  [T_AFTER] = { "now", "now", "", "Of the picture as it is.", SL_MEASURED, NULL },
  [T_SAME] = { "same", "as the style", "", "Where both are the same.", SL_TARGET, NULL },
  { 0 },
};

/* clang-format off */
const SlPanel sl_style_panels[N_PANELS] = {
  [V_PICTURE] = { .id = "picture", .title = "The picture",
    .group = SL_SHOWS_WORK,
    .kind = SL_IMAGE, .probe_seconds = 0.4,
    .help = "The picture so far, and the two pictures it comes from: the content gives the places, "
            "the style gives the distribution of features.",
    .source = "Li et al. 2017, §4",
    SL_TRACES ({ "picture", "picture", "",
      "The picture as it forms, the content and the style." }) },
  [V_TOTAL] = { .id = "total", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", .logarithmic = true },
    .help = "The total loss, and the parts of it that come from content and style.",
    .formula = "L = α L_content + β Σ w_l L_l", .source = "Li et al. 2017, §3",
    SL_TRACES (
      [T_TOTAL] = { "total", "total", "", "The total loss: content, style and smoothness." },
      [T_CONTENT] = { "content", "content", "", "α times the content loss." },
      [T_STYLE] = { "style", "style", "", "β times the style losses." }) },
  [V_LOSSES] = { .id = "losses", .title = "All comparisons",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "loss", .logarithmic = true },
    .help = "All losses on the same features, whichever is used. Losses that fall together with "
            "the one that is used measure the same difference. The Gaussian one has a plot of its "
            "own.",
    .source = "Li et al. 2017, §3",
    SL_TRACES (
      [T_LOSS_GRAM] = { "gram", "Gram", "", "Σ w ‖G/M − A/M_S‖² / 4N²." },
      [T_LOSS_LINEAR] = { "linear", "linear", "", "Σ w ‖μ_F − μ_S‖²." },
      [T_LOSS_POLY] = { "poly", "polynomial", "", "Σ w (‖G/M − A/M_S‖² + 2c ‖μ_F − μ_S‖²)." },
      [T_LOSS_MOMENTS] = { "moments", "means and deviations", "",
        "Σ w Σ [(μ_F − μ_S)² + (σ_F − σ_S)²] / N." },
      [T_LOSS_CONTENT] = { "content", "content", "", "½ ‖F − P‖²." }) },
  [V_MMD] = { .id = "mmd", .title = "Distance by kernel",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "MMD²", .logarithmic = true },
    .help = "The squared maximum mean discrepancy from the style's features with each kernel, "
            "weighted over the levels.",
    .formula = "MMD² = E k (f, f′) + E k (s, s′) − 2 E k (f, s)", .source = "Li et al. 2017, §3.1",
    SL_TRACES (
      [T_LINEAR] = { "linear", "linear", "", "k = xᵀy: the distance of the means, squared." },
      [T_POLY0] = { "poly0", "(xᵀy)²", "", "4N² times the Gram loss." },
      [T_POLY] = { "poly", "(xᵀy + c)²", "", "With the constant that is set." }) },
  [V_GAUSSIAN] = { .id = "gaussian", .title = "Gaussian distance",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "MMD²" },
    .help = "The same with a Gaussian kernel, mean of the levels. An estimate from random pairs is "
            "unbiased and therefore below 0 about as often as above once the two are alike; on a "
            "logarithmic axis half of it would be missing, so this one is linear.",
    .formula = "k = exp (−‖x − y‖² / 2σ²)", .source = "Li et al. 2017, §3.2",
    SL_TRACES (
      [T_PAIRS] = { "pairs", "random pairs", "",
        "The unbiased estimate in linear time, which the updates follow: as often too small as too "
        "large, so below 0 now and then." },
      [T_BIASED] = { "biased", "all pairs", "",
        "The biased estimate over all pairs of a sample of positions: never below 0, and above it "
        "also for the style itself.", SL_REFERENCE }) },
  [V_LEVELS] = { .id = "levels", .title = "Loss by level",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "loss", .logarithmic = true },
    .help = "The comparison in use, level by level of the network, from fine to coarse. Estimates "
            "of the Gaussian one that are below 0 are left out.",
    SL_TRACES ({ "loss", "loss", "", "Of the first comparison at this level, without its weight.",
      SL_MEASURED, "levels" }) },
  [V_RATIO] = { .id = "ratio", .title = "Gradient of the style",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "style ÷ content", "×", .logarithmic = true }, .needs = "goal=both",
    .help = "Norm of the style's gradient relative to that of the content. It begins at γ for a "
            "picture of noise and tends to 1, where the two are in balance.",
    .formula = "‖β ∂L_style/∂x‖ / ‖α ∂L_content/∂x‖", .source = "Li et al. 2017, §4.2",
    SL_TRACES (
      [T_RATIO] = { "ratio", "style ÷ content", "×",
        "Norms of the two gradients of the picture as it is." },
      [T_ASKED] = { "asked", "γ", "×", "Its value on a picture of noise.", SL_TARGET }) },
  [V_CHANGE] = { .id = "change", .title = "Relative change",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "change", "%", .logarithmic = true, .least = 0, .most = HUGE_VAL },
    .help = "How much the loss changes from one update to the next. The paper stops below 0.5 %, "
            "or after 1000 updates.",
    .source = "Li et al. 2017, §4",
    SL_TRACES (
      [T_CHANGE] = { "change", "relative change", "%",
        "Of the total loss, from one update to the next." },
      [T_STOP] = { "stop", "where the paper stops", "%", "Or after 1000 updates.",
        SL_PUBLISHED }) },
  [V_MEANS] = { .id = "means", .title = "Means of channels",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "mean in the style" }, .y = { "mean in the picture" }, .probe_seconds = 1,
    .traces = channel_traces,
    .help = "Each dot is a channel of the level shown: its mean in the style against that in the "
            "picture. On the line they are the same.",
    .source = "Li et al. 2017, §3.2" },
  [V_DEVIATIONS] = { .id = "deviations", .title = "Deviations of channels",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "deviation in the style" }, .y = { "deviation in the picture" }, .probe_seconds = 1,
    .traces = channel_traces,
    .help = "The same for standard deviations. Comparing by means alone leaves these free.",
    .source = "Li et al. 2017, §3.2" },
  [V_IDENTITY] = { .id = "identity", .title = "Gram is MMD²",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "level", .whole = true },
    .y = { "MMD²", .logarithmic = true }, .probe_seconds = 2,
    .help = "The Gram loss and the squared MMD with k = (xᵀy)², computed separately from the same "
            "sample of positions: the two are one number.",
    .formula = "‖G − A‖² / M² = MMD² with k = (xᵀy)²,  L_gram = MMD² / 4N²",
    .source = "Li et al. 2017, §3.1",
    SL_TRACES (
      [T_GRAM] = { "gram", "4N² Gram loss", "", "‖G − A‖² / M² by two products of matrices.",
        SL_THEORY },
      [T_DIRECT] = { "mmd", "MMD² by pairs", "", "With k = (xᵀy)² over all pairs, biased." }) },
  [V_COST] = { .id = "cost", .title = "Cost of a comparison",
    .group = SL_SHOWS_COST,
    .kind = SL_BARS,
    .y = { "cost", "% of Gram", .lo = 0, .hi = 100 }, .probe_seconds = 5,
    .help = "Loss and gradient at all levels, counted and timed, relative to Gram. Matrices of N × "
            "N take N times the work of comparing each channel alone.",
    .formula = "Gram and polynomial O (M N²);  linear, Gaussian, means and deviations O (M N)",
    .source = "Li et al. 2017, §3; timed here",
    /* In the order of SlStyleMethod. */
    .categories = SL_NAMES ("Gram", "linear", "polynomial", "Gaussian", "means, deviations"),
    SL_TRACES (
      [T_COUNTED] = { "counted", "counted", "% of Gram", "Multiplications of loss and gradient.",
        SL_THEORY },
      [T_TIMED] = { "timed", "timed", "% of Gram", "Measured time on one thread." }) },
  [V_WORK] = { .id = "work", .title = "Work of an update",
    .group = SL_SHOWS_COST,
    .kind = SL_SERIES,
    .y = { "multiplications", "million", .logarithmic = true },
    .help = "Multiplications so far per update: the network, forward and backward, and the "
            "comparisons.",
    SL_TRACES (
      [T_NETWORK] = { "network", "network", "million", "Forward and backward passes." },
      [T_LOSSES] = { "losses", "comparisons", "million", "Losses and their gradients." }) },
};
/* clang-format on */

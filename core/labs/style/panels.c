/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `style`, in words.  */
#include "core/labs/style/tables.h"

#include <math.h>

#include "core/lab/kit/panels.h"

static const SlTrace channel_traces[] = {
  [T_BEFORE] = { "before", "at the start", "", "", SL_REFERENCE, NULL },
  [T_AFTER] = { "now", "now", "", "", SL_MEASURED, NULL },
  [T_SAME] = { "same", "as the style", "", "", SL_TARGET, NULL },
  { 0 },
};

/* clang-format off */
const SlPanel sl_style_panels[N_PANELS] = {
  [V_ALIVE] = { .id = "alive", .title = "The picture as it forms", .group = SL_SHOWS_WORK, .kind = SL_ALIVE,
    .probe_seconds = 0.2,
    .help = "Content and style, and the picture that is made of both. Pixels glow where the loss "
            "still pulls most; three times the mean is the brightest.",
    .formula = "glow: ‖∂L/∂x‖ of each pixel", .source = "Li et al. 2017, §4" },
  [V_PICTURE] = { .id = "picture", .title = "The picture",
    .group = SL_SHOWS_WORK,
    .kind = SL_IMAGE, .probe_seconds = 0.4,
    .help = "The picture so far, the content and the style.",
    .source = "Li et al. 2017, §4",
    SL_TRACES ({ "picture", "picture", "",
      "" }) },
  [V_TOTAL] = { .id = "total", .title = "Loss", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "loss", .logarithmic = true },
    .help = "The total loss and its parts from content and style.",
    .formula = "L = α L_content + β Σ w_l L_l", .source = "Li et al. 2017, §3",
    SL_TRACES (
      [T_TOTAL] = { "total", "total", "", "With smoothness." },
      [T_CONTENT] = { "content", "content", "", "" },
      [T_STYLE] = { "style", "style", "", "" }) },
  [V_LOSSES] = { .id = "losses", .title = "All comparisons",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "loss", .logarithmic = true },
    .help = "All losses, whichever is used.",
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
    .help = "Squared maximum mean discrepancy (MMD²) from the style with each kernel, weighted "
            "over the levels.",
    .formula = "MMD² = E k (f, f′) + E k (s, s′) − 2 E k (f, s)", .source = "Li et al. 2017, §3.1",
    SL_TRACES (
      [T_LINEAR] = { "linear", "linear", "", "" },
      [T_POLY0] = { "poly0", "(xᵀy)²", "", "4N² times the Gram loss." },
      [T_POLY] = { "poly", "(xᵀy + c)²", "", "" }) },
  [V_GAUSSIAN] = { .id = "gaussian", .title = "Gaussian distance",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "MMD²" },
    .help = "With a Gaussian kernel, mean of the levels. The unbiased estimate is below 0 about "
            "as often as above once the two are alike.",
    .formula = "k = exp (−‖x − y‖² / 2σ²)", .source = "Li et al. 2017, §3.2",
    SL_TRACES (
      [T_PAIRS] = { "pairs", "random pairs", "",
        "Unbiased, in linear time; the updates follow it." },
      [T_BIASED] = { "biased", "all pairs", "",
        "Biased: never below 0, and above it even for the style itself.", SL_REFERENCE }) },
  [V_LEVELS] = { .id = "levels", .title = "Loss by level",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "loss", .logarithmic = true },
    .help = "The comparison in use at each level, from fine to coarse.",
    SL_TRACES ({ "loss", "loss", "", "Without its weight.",
      SL_MEASURED, "levels" }) },
  [V_RATIO] = { .id = "ratio", .title = "Gradient of the style",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "style ÷ content", "×", .logarithmic = true }, .needs = "goal=both",
    .help = "Norm of the style's gradient relative to the content's. It begins at γ on noise and "
            "tends to 1.",
    .formula = "‖β ∂L_style/∂x‖ / ‖α ∂L_content/∂x‖", .source = "Li et al. 2017, §4.2",
    SL_TRACES (
      [T_RATIO] = { "ratio", "style ÷ content", "×",
        "" },
      [T_ASKED] = { "asked", "γ", "×", "Its value on noise.", SL_TARGET }) },
  [V_CHANGE] = { .id = "change", .title = "Relative change",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_SERIES,
    .y = { "change", "%", .logarithmic = true, .least = 0, .most = HUGE_VAL },
    .help = "Change of the total loss in an update. The paper stops below 0.5 %, or after 1000 "
            "updates.",
    .source = "Li et al. 2017, §4",
    SL_TRACES (
      [T_CHANGE] = { "change", "relative change", "%",
        "" },
      [T_STOP] = { "stop", "where the paper stops", "%", "",
        SL_PUBLISHED }) },
  [V_MEANS] = { .id = "means", .title = "Means of channels",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "mean in the style" }, .y = { "mean in the picture" }, .probe_seconds = 1,
    .traces = channel_traces,
    .help = "Each dot is a channel of the level shown: its mean in the style and in the picture.",
    .source = "Li et al. 2017, §3.2" },
  [V_DEVIATIONS] = { .id = "deviations", .title = "Deviations of channels",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "deviation in the style" }, .y = { "deviation in the picture" }, .probe_seconds = 1,
    .traces = channel_traces,
    .help = "The same for standard deviations. A comparison of means alone leaves them free.",
    .source = "Li et al. 2017, §3.2" },
  [V_IDENTITY] = { .id = "identity", .title = "Gram is MMD²",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "level", .whole = true },
    .y = { "MMD²", .logarithmic = true }, .probe_seconds = 2,
    .help = "Gram loss and squared MMD with k = (xᵀy)², computed separately: the two are one "
            "number.",
    .formula = "‖G − A‖² / M² = MMD² with k = (xᵀy)²,  L_gram = MMD² / 4N²",
    .source = "Li et al. 2017, §3.1",
    SL_TRACES (
      [T_GRAM] = { "gram", "4N² Gram loss", "", "",
        SL_THEORY },
      [T_DIRECT] = { "mmd", "MMD² by pairs", "", "Over all pairs, biased." }) },
  [V_COST] = { .id = "cost", .title = "Cost of a comparison",
    .group = SL_SHOWS_COST,
    .kind = SL_BARS,
    .y = { "cost", "% of Gram", .lo = 0, .hi = 100 }, .probe_seconds = 5,
    .help = "Loss and gradient at all levels relative to Gram. Matrices of N × N take N times "
            "the work of comparing each channel alone.",
    .formula = "Gram and polynomial O (M N²);  linear, Gaussian, means and deviations O (M N)",
    .source = "Li et al. 2017, §3; timed here",
    /* In the order of SlStyleMethod. */
    .categories = SL_NAMES ("Gram", "linear", "polynomial", "Gaussian", "means, deviations"),
    SL_TRACES (
      [T_COUNTED] = { "counted", "counted", "% of Gram", "",
        SL_THEORY },
      [T_TIMED] = { "timed", "timed", "% of Gram", "On one thread." }) },
  [V_WORK] = { .id = "work", .title = "Work of an update",
    .group = SL_SHOWS_COST,
    .kind = SL_SERIES,
    .y = { "multiplications", "million", .logarithmic = true },
    .help = "Multiplications per update so far.",
    SL_TRACES (
      [T_NETWORK] = { "network", "network", "million", "" },
      [T_LOSSES] = { "losses", "comparisons", "million", "" }) },
};
/* clang-format on */

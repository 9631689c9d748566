/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `style`, in words.  */
#include "core/labs/style/tables.h"

#include "core/lab/kit/panels.h"

static const SlTrace picture_traces[] = {
  { "picture", "picture", "", "The picture as it forms, the content and the style.", SL_MEASURED,
    NULL },
};

static const SlTrace total_traces[] = {
  [T_TOTAL]
  = { "total", "total", "", "The total loss: content, style and smoothness.", SL_MEASURED, NULL },
  [T_CONTENT] = { "content", "content", "", "α times the content loss.", SL_MEASURED, NULL },
  [T_STYLE] = { "style", "style", "", "β times the style losses.", SL_MEASURED, NULL },
};

static const SlTrace loss_traces[] = {
  [T_LOSS_GRAM] = { "gram", "Gram", "", "Σ w ‖G/M − A/M_S‖² / 4N².", SL_MEASURED, NULL },
  [T_LOSS_LINEAR] = { "linear", "linear", "", "Σ w ‖μ_F − μ_S‖².", SL_MEASURED, NULL },
  [T_LOSS_POLY]
  = { "poly", "polynomial", "", "Σ w (‖G/M − A/M_S‖² + 2c ‖μ_F − μ_S‖²).", SL_MEASURED, NULL },
  [T_LOSS_MOMENTS] = { "moments", "means and deviations", "",
                       "Σ w Σ [(μ_F − μ_S)² + (σ_F − σ_S)²] / N.", SL_MEASURED, NULL },
  [T_LOSS_CONTENT] = { "content", "content", "", "½ ‖F − P‖².", SL_MEASURED, NULL },
};

static const SlTrace mmd_traces[] = {
  [T_LINEAR]
  = { "linear", "linear", "", "k = xᵀy: the distance of the means, squared.", SL_MEASURED, NULL },
  [T_POLY0] = { "poly0", "(xᵀy)²", "", "4N² times the Gram loss.", SL_MEASURED, NULL },
  [T_POLY] = { "poly", "(xᵀy + c)²", "", "With the constant that is set.", SL_MEASURED, NULL },
};

static const SlTrace gaussian_traces[] = {
  [T_PAIRS] = { "pairs", "random pairs", "",
                "The unbiased estimate in linear time, which the "
                "updates follow: as often too small as too large, so below 0 now and then.",
                SL_MEASURED, NULL },
  [T_BIASED] = { "biased", "all pairs", "",
                 "The biased estimate over all pairs of a sample of "
                 "positions: never below 0, and above it also for the style itself.",
                 SL_REFERENCE, NULL },
};

static const SlTrace level_traces[] = {
  { "loss", "loss", "", "Of the first comparison at this level, without its weight.", SL_MEASURED,
    "levels" },
};

static const SlTrace ratio_traces[] = {
  [T_RATIO] = { "ratio", "style ÷ content", "×",
                "Norms of the two gradients of the picture as it "
                "is.",
                SL_MEASURED, NULL },
  [T_ASKED] = { "asked", "γ", "×", "What it is at a picture of noise.", SL_TARGET, NULL },
};

static const SlTrace change_traces[] = {
  [T_CHANGE] = { "change", "relative change", "%",
                 "Of the total loss, from one update to the "
                 "next.",
                 SL_MEASURED, NULL },
  [T_STOP] = { "stop", "where the paper stops", "%", "Or after 1000 updates.", SL_PUBLISHED, NULL },
};

static const SlTrace channel_traces[] = {
  [T_BEFORE]
  = { "before", "at the start", "", "Of the picture that the run began with.", SL_REFERENCE, NULL },
  [T_AFTER] = { "now", "now", "", "Of the picture as it is.", SL_MEASURED, NULL },
  [T_SAME] = { "same", "as the style", "", "Where both are the same.", SL_TARGET, NULL },
};

static const SlTrace identity_traces[] = {
  [T_GRAM]
  = { "gram", "4N² Gram loss", "", "‖G − A‖² / M² by two products of matrices.", SL_THEORY, NULL },
  [T_DIRECT]
  = { "mmd", "MMD² by pairs", "", "With k = (xᵀy)² over all pairs, biased.", SL_MEASURED, NULL },
};

static const SlTrace cost_traces[] = {
  [T_COUNTED]
  = { "counted", "counted", "% of Gram", "Multiplications of loss and gradient.", SL_THEORY, NULL },
  [T_TIMED]
  = { "timed", "timed", "% of Gram", "Measured time on this machine.", SL_MEASURED, NULL },
};
/* In the order of SlStyleMethod. */
static const char *const cost_categories[]
  = { "Gram", "linear", "polynomial", "Gaussian", "means, deviations", NULL };

static const SlTrace work_traces[] = {
  [T_NETWORK]
  = { "network", "network", "million", "Forward and backward passes.", SL_MEASURED, NULL },
  [T_LOSSES]
  = { "losses", "comparisons", "million", "Losses and their gradients.", SL_MEASURED, NULL },
};

#define UPDATES SL_AXIS_UPDATES
#define NOTHING                                                                                    \
  {                                                                                                \
    .label = "", .unit = ""                                                                        \
  }
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

/* clang-format off */
const SlPanel sl_style_panels[N_PANELS] = {
  [V_PICTURE] = {
    .id = "picture", .title = "The picture",
    .help = "The picture so far, and the two pictures it comes from: the content gives the "
            "places, the style gives the distribution of features.",
    .source = "Li et al. 2017, §4", .kind = SL_IMAGE, .x = NOTHING, .y = NOTHING,
    TRACES (picture_traces), .probe_seconds = 0.4 },
  [V_TOTAL] = {
    .id = "total", .title = "Loss",
    .help = "The total loss, and the parts of it that come from content and style.",
    .formula = "L = α L_content + β Σ w_l L_l",
    .source = "Li et al. 2017, §2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "loss", .unit = "", .logarithmic = true }, TRACES (total_traces) },
  [V_LOSSES] = {
    .id = "losses", .title = "Every comparison",
    .help = "All losses on the same features, whichever is used. Losses that fall together with "
            "the one that is used measure the same difference. The Gaussian one has a plot of its "
            "own.",
    .source = "Li et al. 2017, §3", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "loss", .unit = "", .logarithmic = true }, TRACES (loss_traces) },
  [V_MMD] = {
    .id = "mmd", .title = "Distance by kernel",
    .help = "The squared maximum mean discrepancy from the style's features with each kernel, "
            "weighted over the levels.",
    .formula = "MMD² = E k (f, f′) + E k (s, s′) − 2 E k (f, s)",
    .source = "Li et al. 2017, §3.1", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "MMD²", .unit = "", .logarithmic = true }, TRACES (mmd_traces) },
  [V_GAUSSIAN] = {
    .id = "gaussian", .title = "Gaussian distance",
    .help = "The same with a Gaussian kernel, mean of the levels. An estimate from random pairs is "
            "unbiased and therefore below 0 about as often as above once the two are alike; on a "
            "logarithmic axis half of it would be missing, so this one is linear.",
    .formula = "k = exp (−‖x − y‖² / 2σ²)",
    .source = "Li et al. 2017, §3.2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "MMD²", .unit = "" }, TRACES (gaussian_traces) },
  [V_LEVELS] = {
    .id = "levels", .title = "Loss by level",
    .help = "The comparison in use, level by level of the network, from fine to coarse. Estimates "
            "of the Gaussian one that are below 0 are left out.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "loss", .unit = "", .logarithmic = true }, TRACES (level_traces) },
  [V_RATIO] = {
    .id = "ratio", .title = "Pull of the style",
    .help = "How hard the style pulls at the picture compared with the content. It begins at γ "
            "for a picture of noise and tends to 1, where the two are in balance.",
    .formula = "‖β ∂L_style/∂x‖ / ‖α ∂L_content/∂x‖",
    .source = "Li et al. 2017, §4.2", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "style ÷ content", .unit = "×", .logarithmic = true },
    .needs = "goal=both", TRACES (ratio_traces) },
  [V_CHANGE] = {
    .id = "change", .title = "Relative change",
    .help = "How much the loss changes from one update to the next. The paper stops below 0.5 %, "
            "or after 1000 updates.",
    .source = "Li et al. 2017, §4.1", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "change", .unit = "%", .logarithmic = true }, TRACES (change_traces) },
  [V_MEANS] = {
    .id = "means", .title = "Means of channels",
    .help = "Each dot is a channel of the level shown: its mean in the style against that in the "
            "picture. On the line they are the same.",
    .source = "Li et al. 2017, §3.3", .kind = SL_PROFILE,
    .x = { .label = "mean in the style", .unit = "" },
    .y = { .label = "mean in the picture", .unit = "" }, TRACES (channel_traces),
    .probe_seconds = 1 },
  [V_DEVIATIONS] = {
    .id = "deviations", .title = "Deviations of channels",
    .help = "The same for standard deviations. Comparing by means alone leaves these free.",
    .source = "Li et al. 2017, §3.3", .kind = SL_PROFILE,
    .x = { .label = "deviation in the style", .unit = "" },
    .y = { .label = "deviation in the picture", .unit = "" }, TRACES (channel_traces),
    .probe_seconds = 1 },
  [V_IDENTITY] = {
    .id = "identity", .title = "Gram is MMD²",
    .help = "The Gram loss and the squared MMD with k = (xᵀy)², computed separately from the same "
            "sample of positions: the two are one number.",
    .formula = "‖G − A‖² / M² = MMD² with k = (xᵀy)²,  L_gram = MMD² / 4N²",
    .source = "Li et al. 2017, §3.1", .kind = SL_PROFILE, .x = { .label = "level", .unit = "" },
    .y = { .label = "MMD²", .unit = "", .logarithmic = true }, TRACES (identity_traces),
    .probe_seconds = 2 },
  [V_COST] = {
    .id = "cost", .title = "Cost of a comparison",
    .help = "Loss and gradient at all levels, counted and timed, relative to Gram. Matrices of N "
            "× N take N times the work of comparing each channel alone.",
    .formula = "Gram and polynomial O (M N²);  linear, Gaussian, means and deviations O (M N)",
    .source = "Li et al. 2017, §3; timed here", .kind = SL_BARS, .x = NOTHING,
    .y = { .label = "cost", .unit = "% of Gram", .lo = 0, .hi = 100 }, TRACES (cost_traces),
    .categories = cost_categories, .probe_seconds = 5 },
  [V_WORK] = {
    .id = "work", .title = "Work of an update",
    .help = "Multiplications so far per update: the network, forward and backward, and the "
            "comparisons.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "multiplications", .unit = "million", .logarithmic = true },
    TRACES (work_traces) },
};
/* clang-format on */

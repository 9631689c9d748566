/* SPDX-License-Identifier: MIT
 *
 * The knobs, trials and readings of the lab `style`, in words.  */
#include "core/labs/style/tables.h"

#include "core/lab/kit/params.h"
#include "core/labs/style/math/features.h"
#include "core/labs/style/math/style.h"

#define GROUP_STYLE "Style"
#define GROUP_PICTURE "Picture"
#define GROUP_NETWORK "Network"
#define PAPER "Li et al. 2017"

/* clang-format off */
const SlParam sl_style_params[N_PARAMS] = {
  [P_METHOD] = { .id = "method", .title = "Comparison", .group = GROUP_STYLE, .kind = SL_CHOICE,
    .fallback = SL_STYLE_GRAM,
    .help = "How feature distributions are compared. Each way gives another style.",
    .formula = "MMD² = E k (f, f′) + E k (s, s′) − 2 E k (f, s);  Gram is MMD² / 4N² with k = "
               "(xᵀy)²",
    .source = PAPER ", §3",
    /* In the order of SlStyleMethod. */
    SL_CHOICES ({ "gram", "Gram" }, { "linear", "Linear" }, { "poly", "Polynomial" },
      { "gaussian", "Gaussian" }, { "moments", "Means and deviations" }) },
  [P_SECOND] = { .id = "second", .title = "Second comparison", .group = GROUP_STYLE,
    .kind = SL_CHOICE, .fallback = SECOND_NONE,
    .help = "Mixed with the first; both are scaled to gradients of the same norm.",
    .source = PAPER ", §4.2",
    SL_CHOICES ({ "none", "None" }, { "gram", "Gram" }, { "linear", "Linear" },
      { "poly", "Polynomial" }, { "gaussian", "Gaussian" },
      { "moments", "Means and deviations" }) },
  [P_FUSION] = { .id = "fusion", .title = "Share of the first", .group = GROUP_STYLE,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.1, .fallback = 0.5, .needs = "second>none",
    .help = "Weight of the first comparison; the second has the other share.",
    .formula = "w L₁ + (1 − w) L₂", .source = PAPER ", §4.2" },
  [P_C] = { .id = "c", .title = "Constant c", .group = GROUP_STYLE, .kind = SL_REAL, .lo = 0,
    .hi = 100, .step = 0.1, .fallback = 1,
    .help = "At 0 the kernel is Gram's, at 1 the means count about as much as the products, from "
            "10 on it is nearly linear.",
    .formula = "k = (xᵀy + c)²: adds 2c ‖μ_F − μ_S‖²;  the unit E ‖s‖² is ours",
    .source = PAPER ", §3.2" },
  [P_GAMMA] = { .id = "gamma", .title = "Strength γ", .group = GROUP_STYLE, .kind = SL_REAL,
    .lo = 0.01, .hi = 1000, .step = 1, .fallback = 5, .logarithmic = true,
    .help = "Style against content: at 1 both gradients have the same norm on noise. The paper "
            "uses 0.1 to 10 and does not name the picture.",
    .formula = "β = γ β′,  β′ = ‖∂L_content/∂x‖ / ‖∂L_style/∂x‖ at noise (reading)",
    .source = PAPER ", §4.2" },
  [P_WEIGHTS] = { .id = "weights", .title = "Weight of each level", .group = GROUP_STYLE,
    .kind = SL_LIST, .lo = 0, .hi = 100, .step = 1, .list = "1", .each = "levels", .one = "level",
    .help = "From fine to coarse; 0 leaves a level out.",
    .formula = "Σ w_l L_l", .source = PAPER ", §4" },
  [P_EQUAL] = { .id = "equal-levels", .title = "Equal levels", .group = GROUP_STYLE,
    .kind = SL_BOOLEAN, .fallback = 1,
    .help = "Gives every level the same gradient norm on noise. Otherwise the third level of VGG "
            "counts a thousand times the first, and colours and strokes are lost.",
    .formula = "w_l L_l / ‖∂L_l/∂x‖ at noise (ours)" },
  [P_GOAL] = { .id = "goal", .title = "Pictures to match", .group = GROUP_PICTURE, .kind = SL_CHOICE,
    .fallback = GOAL_BOTH,
    .help = "The style alone gives a texture; the content alone shows what the network keeps.",
    .formula = "L = α L_content + β Σ w_l L_l,  α = 1", .source = PAPER ", §3",
    SL_CHOICES ({ "both", "Content and style" }, { "style", "Style alone" },
      { "content", "Content alone" }) },
  [P_SMOOTH] = { .id = "smoothness", .title = "Smoothness", .group = GROUP_PICTURE, .kind = SL_REAL,
    .lo = 0, .hi = 1, .step = 0.01, .fallback = 0,
    .help = "Weight of the differences of neighbouring pixels.",
    .formula = "½ Σ (x_i − x_j)² over neighbours (ours)" },
  [P_OPTIMISER] = { .id = "optimiser", .title = "Optimiser", .group = GROUP_PICTURE,
    .kind = SL_CHOICE, .fallback = OPTIMISER_LBFGS, .effect = SL_RESTART,
    .help = "L-BFGS reaches a much lower loss in as many updates; Adam moves every pixel by "
            "about the same length.",
    SL_CHOICES ({ "lbfgs", "L-BFGS" }, { "adam", "Adam" }) },
  [P_RATE] = { .id = "learning-rate", .title = "Step size", .group = GROUP_PICTURE, .kind = SL_REAL,
    .lo = 1e-4, .hi = 0.5, .step = 0.01, .fallback = 0.02, .logarithmic = true,
    .help = "How far a colour (0 to 1) moves in one update of Adam or in the first of L-BFGS." },
  [P_START] = { .id = "start", .title = "First picture", .group = GROUP_PICTURE, .kind = SL_CHOICE,
    .fallback = START_NOISE, .effect = SL_RESTART,
    .help = "Noise contains no hint; the content has its arrangement from the start.",
    .source = PAPER ", §4: noise",
    SL_CHOICES ({ "noise", "Noise" }, { "content", "Content" }, { "style", "Style" }) },
  [P_NOISE] = { .id = "noise", .title = "Noise", .group = GROUP_PICTURE, .kind = SL_REAL,
    .lo = 0.01, .hi = 1, .step = 0.01, .fallback = 0.2, .effect = SL_RESTART,
    .help = "Standard deviation around grey.",
    .formula = "x = 0.5 + noise · N (0, 1) (convention)" },
  [P_STOP] = { .id = "stop", .title = "Stop as published", .group = GROUP_PICTURE,
    .kind = SL_BOOLEAN, .fallback = 0,
    .help = "Ends the run once the loss changes by less than 0.5 % in an update, or after 1000 "
            "updates.",
    .source = PAPER ", §4" },
  [P_LEVELS] = { .id = "levels", .title = "Levels", .group = GROUP_NETWORK, .kind = SL_LIST,
    .lo = 1, .hi = MOST_LEVELS, .step = 1, .effect = SL_RESTART, .list = "1-2-3-4-5",
    .one = "level",
    .help = "Resolutions whose features are compared, from 1, the finest.",
    .formula = "relu1_1, relu2_1, relu3_1, relu4_1, relu5_1 of VGG", .source = PAPER ", §4" },
  [P_TAPS] = { .id = "taps", .title = "Layer of a level", .group = GROUP_NETWORK, .kind = SL_CHOICE,
    .fallback = TAPS_FIRST, .effect = SL_RESTART,
    .help = "The first layer, as published, or the last, which has seen more of the picture and "
            "costs more.",
    .source = PAPER ", §4",
    SL_CHOICES ({ "first", "First of its level" }, { "last", "Last of its level" }) },
  [P_CONTENT_LEVEL] = { .id = "content-level", .title = "Level of the content",
    .group = GROUP_NETWORK, .kind = SL_INTEGER, .lo = 0, .hi = MOST_LEVELS, .step = 1,
    .fallback = 0, .effect = SL_RESTART,
    .help = "Where the content is compared; at most the deepest level. 0 is 4 as published, and "
            "1 for random filters.",
    .formula = "½ ‖F − P‖² at the second layer of the level: relu4_2 of VGG",
    .source = PAPER ", §4" },
  [P_SCALES] = { .id = "scales", .title = "Scales", .group = GROUP_NETWORK, .kind = SL_INTEGER,
    .lo = 1, .hi = SL_FEATURE_SCALES, .step = 1, .fallback = 5, .effect = SL_RESTART,
    .help = "Sizes of the picture that random filters see, each half of the one before." },
  [P_FILTERS] = { .id = "filters", .title = "Random filters", .group = GROUP_NETWORK,
    .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 1, .effect = SL_RESTART,
    .help = "Seed of the random filters, apart from the run's seed." },
  [P_BUDGET] = { .id = "budget", .title = "Memory", .unit = "MiB", .group = GROUP_NETWORK,
    .kind = SL_INTEGER, .lo = 1, .hi = 65536, .step = 1, .fallback = 2048, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "Memory for activations, features and picture. Larger pictures are refused." },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = { .id = "evaluate-every", .title = "Evaluate every", .unit = "updates",
    .group = SL_GROUP_VIEW, .view = true, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 20,
    .logarithmic = true,
    .help = "Updates between two measurements of gradients and of distances over all pairs." },
  [P_SAMPLE] = { .id = "positions", .title = "Sample of positions", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 2, .hi = 512, .step = 1, .fallback = 128, .logarithmic = true,
    .help = "Positions that are compared pair by pair." },
  [P_SHOWN] = { .id = "shown", .title = "Level shown", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_INTEGER, .lo = 1, .hi = MOST_LEVELS, .step = 1, .fallback = 1,
    .help = "The listed level in the plots of means and deviations." },
};
/* clang-format on */

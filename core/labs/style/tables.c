/* SPDX-License-Identifier: MIT
 *
 * The knobs, trials and readings of the lab `style`, in words.  */
#include "core/labs/style/tables.h"

#include "core/lab/kit/params.h"
#include "core/nn/style/features.h"
#include "core/nn/style/style.h"

#define GROUP_STYLE "Style"
#define GROUP_PICTURE "Picture"
#define GROUP_NETWORK "Network"
#define PAPER "Li et al. 2017"

/* In the order of SlStyleMethod. */
static const SlChoice methods[] = {
  { "gram", "Gram" },
  { "linear", "Linear" },
  { "poly", "Polynomial" },
  { "gaussian", "Gaussian" },
  { "moments", "Means and deviations" },
  { 0 },
};

static const SlChoice seconds[] = {
  { "none", "None" },
  { "gram", "Gram" },
  { "linear", "Linear" },
  { "poly", "Polynomial" },
  { "gaussian", "Gaussian" },
  { "moments", "Means and deviations" },
  { 0 },
};

static const SlChoice goals[] = {
  { "both", "Content and style" },
  { "style", "Style alone" },
  { "content", "Content alone" },
  { 0 },
};

static const SlChoice optimisers[] = { { "lbfgs", "L-BFGS" }, { "adam", "Adam" }, { 0 } };

static const SlChoice starts[]
  = { { "noise", "Noise" }, { "content", "Content" }, { "style", "Style" }, { 0 } };

static const SlChoice taps[]
  = { { "first", "First of its level" }, { "last", "Last of its level" }, { 0 } };

/* clang-format off */
const SlParam sl_style_params[N_PARAMS] = {
  [P_METHOD] = {
    .id = "method", .title = "Comparison", .unit = "", .group = GROUP_STYLE,
    .help = "How the distributions of two pictures' features are compared: by a kernel, or by "
            "their means and deviations. Each gives another style of the same picture.",
    .formula = "MMD² = E k (f, f′) + E k (s, s′) − 2 E k (f, s);  Gram is MMD² / 4N² with "
               "k = (xᵀy)²",
    .source = PAPER ", §3", .kind = SL_CHOICE, .fallback = SL_STYLE_GRAM, .effect = SL_LIVE,
    .choices = methods },
  [P_SECOND] = {
    .id = "second", .title = "Second comparison", .unit = "", .group = GROUP_STYLE,
    .help = "A second comparison that is mixed with the first. Both are scaled to gradients of "
            "the same norm before.",
    .source = PAPER ", §4.3", .kind = SL_CHOICE, .fallback = SECOND_NONE, .effect = SL_LIVE,
    .choices = seconds },
  [P_FUSION] = {
    .id = "fusion", .title = "Share of the first", .unit = "", .group = GROUP_STYLE,
    .help = "Weight of the first comparison; the second has the rest. The paper goes from 0.9 to "
            "0.1.",
    .formula = "w L₁ + (1 − w) L₂",
    .source = PAPER ", §4.3", .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.1, .fallback = 0.5,
    .effect = SL_LIVE, .needs = "second>none" },
  [P_C] = {
    .id = "c", .title = "Constant c", .unit = "", .group = GROUP_STYLE,
    .help = "Of the polynomial kernel, in units of the mean squared length of the style's samples: "
            "at 0 it is Gram's, at 1 the means count about as much as the products, and from 10 on "
            "it is nearly the linear one.",
    .formula = "k = (xᵀy + c)²: adds 2c ‖μ_F − μ_S‖²;  the unit E ‖s‖² is ours",
    .source = PAPER ", §3.2", .kind = SL_REAL, .lo = 0, .hi = 100, .step = 0.1, .fallback = 1,
    .effect = SL_LIVE },
  [P_GAMMA] = {
    .id = "gamma", .title = "Strength γ", .unit = "", .group = GROUP_STYLE,
    .help = "Weight of style against content: at 1 both pull equally hard on a picture of noise. "
            "The paper does not say at which picture it makes them equal; its values go from 0.1 "
            "to 10.",
    .formula = "β = γ β′,  β′ = ‖∂L_content/∂x‖ / ‖∂L_style/∂x‖ at noise (reading)",
    .source = PAPER ", §4.2", .kind = SL_REAL, .lo = 0.01, .hi = 1000, .step = 1, .fallback = 5,
    .logarithmic = true, .effect = SL_LIVE },
  [P_WEIGHTS] = {
    .id = "weights", .title = "Weight of each level", .unit = "", .group = GROUP_STYLE,
    .help = "How much each level of the network counts, from fine to coarse; 0 leaves one out. "
            "Fine levels have colours and strokes, coarse ones shapes.",
    .formula = "Σ w_l L_l", .source = PAPER ", §4.1", .kind = SL_LIST, .lo = 0, .hi = 100,
    .step = 1, .effect = SL_LIVE, .list = "1", .each = "levels", .one = "level" },
  [P_EQUAL] = {
    .id = "equal-levels", .title = "Equal levels", .unit = "", .group = GROUP_STYLE,
    .help = "Scales every level to the same pull on noise before its weight counts. Gradients "
            "grow with depth: the third level of VGG pulls a thousand times as hard as the first, "
            "whose colours and strokes are then lost. Off: as printed.",
    .formula = "w_l L_l / ‖∂L_l/∂x‖ at noise (ours)",
    .source = "", .kind = SL_BOOLEAN, .fallback = 1, .effect = SL_LIVE },
  [P_GOAL] = {
    .id = "goal", .title = "Match", .unit = "", .group = GROUP_PICTURE,
    .help = "Which of the two other pictures count. The style alone gives a texture, the content "
            "alone shows what the network keeps.",
    .formula = "L = α L_content + β Σ w_l L_l,  α = 1",
    .source = PAPER ", §2", .kind = SL_CHOICE, .fallback = GOAL_BOTH, .effect = SL_LIVE,
    .choices = goals },
  [P_SMOOTH] = {
    .id = "smoothness", .title = "Smoothness", .unit = "", .group = GROUP_PICTURE,
    .help = "How hard neighbouring pixels are pulled together, as a share of the content's pull on "
            "noise. A little takes away specks; much of it blurs.",
    .formula = "½ Σ (x_i − x_j)² over neighbours (ours)",
    .source = "", .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.01, .fallback = 0,
    .effect = SL_LIVE },
  [P_OPTIMISER] = {
    .id = "optimiser", .title = "Optimiser", .unit = "", .group = GROUP_PICTURE,
    .help = "L-BFGS estimates the curvature of the loss and searches along a line for a lower "
            "one; it gets much farther in as many updates. Adam moves every pixel by about the "
            "same length. With the Gaussian comparison, whose pairs are drawn anew for each "
            "update, L-BFGS needs one more pass back through the network and takes half as long "
            "again.",
    .source = "", .kind = SL_CHOICE, .fallback = OPTIMISER_LBFGS, .effect = SL_RESTART,
    .choices = optimisers },
  [P_RATE] = {
    .id = "learning-rate", .title = "Step size", .unit = "", .group = GROUP_PICTURE,
    .help = "How far a colour moves in one update of Adam, or in the first one of L-BFGS; colours "
            "go from 0 to 1. Large steps are quick and rough.",
    .source = "", .kind = SL_REAL, .lo = 1e-4, .hi = 0.5, .step = 0.01, .fallback = 0.02,
    .logarithmic = true, .effect = SL_LIVE },
  [P_START] = {
    .id = "start", .title = "Begin with", .unit = "", .group = GROUP_PICTURE,
    .help = "The picture before the first update. Noise contains no hint; the content has its "
            "places from the start.",
    .source = PAPER ", §4.1: noise", .kind = SL_CHOICE, .fallback = START_NOISE,
    .effect = SL_RESTART, .choices = starts },
  [P_NOISE] = {
    .id = "noise", .title = "Noise", .unit = "", .group = GROUP_PICTURE,
    .help = "Standard deviation of the noise around grey, which the picture begins with and at "
            "which pulls are made equal. The paper names none.",
    .formula = "x = 0.5 + noise · N (0, 1) (convention)",
    .source = "", .kind = SL_REAL, .lo = 0.01, .hi = 1, .step = 0.01, .fallback = 0.2,
    .effect = SL_RESTART },
  [P_LEVELS] = {
    .id = "levels", .title = "Levels", .unit = "", .group = GROUP_NETWORK,
    .help = "Resolutions of the network whose features are compared, from 1, the finest, joined by "
            "dashes. Those that the network lacks are left out.",
    .formula = "relu1_1, relu2_1, relu3_1, relu4_1, relu5_1 of VGG",
    .source = PAPER ", §4.1", .kind = SL_LIST, .lo = 1, .hi = MOST_LEVELS, .step = 1,
    .effect = SL_RESTART, .list = "1-2-3-4-5", .one = "level" },
  [P_TAPS] = {
    .id = "taps", .title = "Layer of a level", .unit = "", .group = GROUP_NETWORK,
    .help = "Which layer stands for a level: the first, as published, or the last, which has seen "
            "more of the picture and costs more.",
    .source = PAPER ", §4.1", .kind = SL_CHOICE, .fallback = TAPS_FIRST, .effect = SL_RESTART,
    .choices = taps },
  [P_CONTENT_LEVEL] = {
    .id = "content-level", .title = "Level of the content", .unit = "", .group = GROUP_NETWORK,
    .help = "Where the content is compared, place by place; the deepest one there is if the "
            "network lacks it. 0 is 4 as published, and 1 for random filters.",
    .formula = "½ ‖F − P‖² at the second layer of the level: relu4_2 of VGG",
    .source = PAPER ", §4.1", .kind = SL_INTEGER, .lo = 0, .hi = MOST_LEVELS, .step = 1,
    .fallback = 0, .effect = SL_RESTART },
  [P_SCALES] = {
    .id = "scales", .title = "Scales", .unit = "", .group = GROUP_NETWORK,
    .help = "Of the network of random filters, which is used when no file of weights is opened: "
            "how many sizes of the picture it looks at, each half of the one before.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = SL_FEATURE_SCALES, .step = 1, .fallback = 5,
    .effect = SL_RESTART },
  [P_FILTERS] = {
    .id = "filters", .title = "Set of filters", .unit = "", .group = GROUP_NETWORK,
    .help = "Which random filters, without a file of weights. It is no part of the run's seed: "
            "other noise, same network.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 1,
    .effect = SL_RESTART },
  [P_BUDGET] = {
    .id = "budget", .title = "Memory", .unit = "MiB", .group = GROUP_NETWORK,
    .help = "Memory for the run: activations of the network, features of the style, the picture. "
            "Larger pictures are refused, and the message says which size fits.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 65536, .step = 1, .fallback = 2048,
    .logarithmic = true, .effect = SL_RESTART },
  [P_REPORT] = SL_PARAM_REPORT,
  [P_EVALUATE] = {
    .id = "evaluate-every", .title = "Evaluate every", .unit = "updates",
    .group = SL_GROUP_MEASURING,
    .help = "Updates between two measurements of what takes longer: the pull of style and content, "
            "and distances over all pairs of a sample.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 20,
    .logarithmic = true, .effect = SL_LIVE },
  [P_SAMPLE] = {
    .id = "positions", .title = "Sample of positions", .unit = "", .group = SL_GROUP_MEASURING,
    .help = "Positions of each picture whose features are compared pair by pair, for distances and "
            "for the identity. The work grows with its square.",
    .source = "", .kind = SL_INTEGER, .lo = 2, .hi = 512, .step = 1, .fallback = 128,
    .logarithmic = true, .effect = SL_LIVE },
  [P_SHOWN] = {
    .id = "shown", .title = "Level shown", .unit = "", .group = SL_GROUP_MEASURING,
    .help = "Which of the listed levels the plots of means and deviations are about.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = MOST_LEVELS, .step = 1, .fallback = 1,
    .effect = SL_LIVE },
};
/* clang-format on */

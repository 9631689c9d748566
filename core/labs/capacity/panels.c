/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity`, in words.  */
#include <math.h>

#include "core/lab/kit/panels.h"
#include "core/labs/capacity/tables.h"

#define AFTER "after Donier 2019, "

/* clang-format off */
const SlPanel sl_capacity_panels[N_PANELS] = {
  [V_WATERFALL] = { .id = "waterfall", .title = "Waterfall",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP,
    .drags = "position", .x = { "position from the middle", "pixels" },
    .y = { "reverse layer time t", .lo = 0, .hi = 1 }, .z = { "capacity", .logarithmic = true },
    .probe_seconds = 0.1,
    .help = "Capacity of one output on its way from the output, on top, to the input. At a = ½ it "
            "spreads as the root of the depth; at 0 it leaves its position, at 1 it stays.",
    .formula = "κ_{m+1}(x) = Σ_y P (y, x) κ_m (y)", .source = AFTER "§4.1",
    SL_TRACES (
      [T_CELLS] = { "capacity", "capacity", "",
        "Effective parameters spent at a position, this many layers down.", SL_THEORY },
      [T_SIGMA] = { "sigma", "mean ± standard deviation", "",
        "By the layers' cumulants: a parabola, whatever the shape.", SL_THEORY }) },
  [V_PROFILE] = { .id = "profile", .title = "At the input",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .drags = "position",
    .x = { "position from the middle", "pixels" }, .y = { "capacity", "parameters" },
    .probe_seconds = 0.1,
    .help = "The capacity that one output spends on each input: exactly, for infinitely many "
            "layers, as a Gaussian, and as random networks have it. Networks trained in other labs "
            "cannot be read here: they are not residual and have no positions.",
    .formula = "limit: e^(t A) κ₀;  Gaussian: exp (−x² ÷ 4 D) ÷ √(4 π D), D = ½ Σ k² q_k  "
               "(convention)",
    .source = AFTER "§4.1; networks ours",
    SL_TRACES (
      [T_EXACT] = { "exact", "L layers", "", "The layer rule, step by step.", SL_THEORY },
      [T_LIMIT] = { "limit", "limit L → ∞", "",
        "Infinitely many layers on the same lattice, at the same effective rates.", SL_REFERENCE },
      [T_GAUSSIAN] = { "gaussian", "Gaussian", "", "Of the same mean and variance.", SL_REFERENCE },
      [T_POOR_GAUSSIAN] = { "poor-gaussian", "Gaussian (not valid here)", "",
        "Of the same mean and variance; too few moves for this shape.", SL_TARGET },
      [T_DOTS] = { "networks", "random networks", "",
        "Mean squared gradient over the networks so far, ± 2 standard errors." }) },
  [V_SPREAD] = { .id = "spread", .title = "Spread against depth",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .drags = "layers", .x = { "layers L", .logarithmic = true, .whole = true },
    .y = { "standard deviation", "pixels", .logarithmic = true }, .probe_seconds = 0.1,
    .help = "Width of the field at the input for networks of different depth. With unscaled "
            "weights it grows as the root of the depth; at a = ½ depth does not widen the field "
            "any more, but larger rates, wider kernels and dilation do.",
    .formula = "standard deviation at the input ∝ L^(½ − a);  √(2 D) at a = ½",
    .source = AFTER "§4.1; the slider is ours",
    SL_TRACES (
      [T_FAN_NONE] = { "none", "a = 0", "pixels", "Grows as the root of L.", SL_THEORY },
      [T_FAN_HALF] = { "half", "a = ½", "pixels", "Tends to √(2D).", SL_THEORY },
      [T_FAN_ONE] = { "one", "a = 1", "pixels", "Falls as 1/√L.", SL_THEORY },
      [T_FAN_SET] = { "set", "a as set", "pixels", "At the slider's exponent.", SL_TARGET },
      [T_FAN_DOTS] = { "networks", "random networks", "pixels",
        "About each network's own centroid, ± 2 standard errors." }) },
  [V_SKIP] = { .id = "skip-share", .title = "Skip path and gradients",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .drags = "exponent", .x = { "exponent a" },
    .y = { "mean cosine", .lo = -0.1, .hi = 1.1, .least = -1, .most = 1 },
    .probe_seconds = 0.1,
    .help = "The share of capacity that never left the skip path, and how similar the gradients at "
            "unrelated inputs are, as the cosine between them. With the irregular sine both are the "
            "same number: shattered capacity is shattered gradients.",
    .formula = "F = (1 + s (q₀ + Q))^(−L), s = L^(−2a)",
    SL_TRACES (
      [T_SKIP_SHARE] = { "share", "skip path F", "",
        "Capacity that never left the skip path: with the irregular sine, the cosine of unrelated "
        "inputs.", SL_THEORY },
      [T_FIELD] = { "correlation", "gradient correlation", "",
        "Mean field, a quarter of the circle apart.", SL_REFERENCE },
      [T_FIELD_DOTS] = { "networks", "random networks", "",
        "Mean cosine of the gradients, ± 2 standard errors." }) },
  [V_WHERE] = { .id = "where", .title = "Where the capacity goes",
    .group = SL_SHOWS_WORK,
    .kind = SL_BARS,
    .stacked = true,
    .y = { "share of capacity", "%", .lo = 0, .hi = 100, .least = 0, .most = HUGE_VAL },
    .categories = SL_NAMES ("theory", "random networks"), .probe_seconds = 0.1,
    .help = "Capacity is conserved: it is at the input, at side inputs, in biases, or lost over "
            "the boundary. Biases that are not scaled down with depth take nearly everything. A "
            "single network has a little more or less than 100 %; the mean of many networks has "
            "100 %, with tied weights far more if their steps are alike.",
    .formula = "input + side inputs + biases + edge = 1;  e^(−λ − b) at the input, λ to b beside "
               "it",
    .source = AFTER "§4.4, §4.5",
    SL_TRACES (
      [T_INPUT] = { "input", "input", "%", "Capacity that reaches the input below the last layer." },
      [T_SIDES] = { "sides", "side inputs", "%",
        "What all layers' side inputs got; read as time, the memory of earlier inputs." },
      [T_BIASES] = { "biases", "biases", "%", "What all layers' biases got." },
      [T_EDGES] = { "edge", "edge", "%", "Capacity lost over the boundary." }) },
  [V_MEMORY] = { .id = "memory", .title = "Memory", .group = SL_SHOWS_WORK, .kind = SL_PROFILE,
    .x = { "steps ago", .whole = true },
    .y = { "T × share" }, .probe_seconds = 0.1,
    .help = "Depth read as time: the capacity that a recurrent network that is to remember T = L "
            "steps spends on the input of so many steps ago, times T. For a memory of T steps the "
            "weights shrink as 1/√T.",
    .formula = "(λ ÷ T) (1 − λ ÷ T)^m for m steps ago;  times T → λ e^(−λ τ), τ = m ÷ T",
    .source = AFTER "§4.9",
    SL_TRACES (
      [T_LAG_EXACT] = { "exact", "T steps", "", "The layer rule.", SL_THEORY },
      [T_LAG_LIMIT] = { "limit", "limit λ e^(-λτ)", "", "For infinitely many steps.",
        SL_REFERENCE },
      [T_LAG_DOTS] = { "networks", "random networks", "",
        "Mean ± 2 standard errors; with the same weights at every step if they are tied." }) },
  [V_TRACE] = { .id = "trace", .title = "Gradient around the circle",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "angle", "°" }, .y = { "gradient" }, .probe_seconds = 0.5,
    .help = "Derivative of the output along a circle of inputs, of one random network per "
            "exponent: noise at a = 0, rough at ½, smooth at 1.",
    SL_TRACES (
      [T_AT_NONE] = { "none", "a = 0", "", "Nearly white noise." },
      [T_AT_HALF] = { "half", "a = ½", "", "Rough, but with structure." },
      [T_AT_ONE] = { "one", "a = 1", "", "Smooth." }) },
  [V_COSINES] = { .id = "cosines", .title = "Similarity of gradients",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_HEATMAP,
    .x = { "angle", "°", .lo = 0, .hi = 360 }, .y = { "angle", "°", .lo = 0, .hi = 360 },
    .z = { "cosine", .lo = -1, .hi = 1 }, .centre = 0, .probe_seconds = 0.5,
    .help = "Cosine between the gradients at each two of 64 inputs on the circle. A bright "
            "diagonal and nothing beside it is a shattered gradient.",
    SL_TRACES ({ "cosine", "cosine", "", "Of the gradients at two inputs." }) },
  [V_ANGLE] = { .id = "angle", .title = "Correlation against angle",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "angle between the inputs", "°" },
    .y = { "mean cosine", .lo = -0.1, .hi = 1.1, .least = -1, .most = 1 },
    .probe_seconds = 0.2,
    .help = "How similar the gradients at two inputs are, by the angle between the inputs. A "
            "linear network never shatters; the irregular sine falls to the share of the skip "
            "path.",
    SL_TRACES (
      [T_ANGLE_THEORY] = { "theory", "mean field", "", "For networks far wider than deep.",
        SL_THEORY },
      [T_ANGLE_DOTS] = { "networks", "random networks", "", "Mean ± 2 standard errors." },
      [T_ANGLE_BARE] = { "bare", "without skip path", "",
        "A feed-forward rectifier network as deep.", SL_REFERENCE },
      [T_ANGLE_FLOOR] = { "floor", "skip path F", "",
        "Where the irregular sine levels off: the capacity of the skip path.", SL_REFERENCE }) },
  [V_SKIPS] = { .id = "skips", .title = "Skip connections to the output",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .drags = "position", .x = { "position from the middle", "pixels" },
    .y = { "capacity", "parameters" }, .probe_seconds = 0.1,
    .help = "When the output reads every layer, the averaged field has half the variance and a "
            "spike that has not moved. What layers' own capacity would add is only illustrated: it "
            "is not defined in the paper.",
    .formula = "κ_m = Pᵀ κ_{m−1} + source;  ÷ (L + 1);  variance D t, half of 2 D t",
    .source = AFTER "§4.2, §4.3",
    SL_TRACES (
      [T_SINGLE] = { "single", "output only", "", "Without skip connections to the output.",
        SL_THEORY },
      [T_AVERAGE] = { "average", "all layers to the output", "",
        "Every layer is read by the output; divided by their number.", SL_THEORY },
      [T_AVERAGE_LIMIT] = { "limit", "limit L → ∞", "", "The mean over all times on the lattice.",
        SL_REFERENCE },
      [T_AVERAGE_SMOOTH] = { "smooth", "continuum", "",
        "The closed form, which has no unmoved spike.", SL_TARGET },
      [T_CUMULATED] = { "cumulated", "cumulative (illustrative)", "",
        "With an even capacity of each layer's own, divided by their number.", SL_REFERENCE },
      [T_AVERAGE_DOTS] = { "networks", "all layers, random networks", "",
        "Mean squared gradient of an output that reads every layer, ± 2 standard errors." }) },
  [V_TRANSFER] = { .id = "transfer", .title = "Depth transfer",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "layers L", .logarithmic = true, .whole = true }, .y = { "loss", .logarithmic = true },
    .probe_seconds = 0.5,
    .help = "Loss of small networks that are trained at growing depth with the settings that were "
            "right at 8 layers. Near the limits it depends on the seed whether a network leaves a "
            "plateau, and this is one toy task: evidence for the conjecture, not proof.",
    SL_TRACES (
      [T_AT_NONE] = { "none", "a = 0", "", "The same weights' scale at every depth." },
      [T_AT_HALF] = { "half", "a = ½", "", "Scaled by the root of the depth." },
      [T_AT_ONE] = { "one", "a = 1", "", "Scaled by the depth." }) },
  [V_LEAKED] = { .id = "leaked", .title = "Where side inputs are read",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .drags = "position", .x = { "position from the middle", "pixels" },
    .y = { "capacity", "parameters" }, .probe_seconds = 0.1,
    .help = "Positions of the side inputs that the output spends capacity on: in the end a "
            "two-sided exponential of scale √(D/λ).",
    .formula = "(r ÷ 4) [e^(−r |x|) erfc (A − B) − e^(r |x|) erfc (A + B)], r = √(λ ÷ D), A = |x| "
               "÷ √(4 D t), B = √(λ t)  (ours)",
    .source = AFTER "§4.4; the profile is ours",
    SL_TRACES (
      [T_LEAKED] = { "exact", "L layers", "", "What the side inputs of all layers got.",
        SL_THEORY },
      [T_LEAKED_LIMIT] = { "limit", "limit L → ∞", "", "On the same lattice.", SL_REFERENCE },
      [T_LEAKED_SMOOTH] = { "smooth", "continuum", "", "The closed form.", SL_TARGET }) },
  [V_CHANNELS] = { .id = "channels-share", .title = "Channels",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "layers below the output", .whole = true },
    .y = { "share of the capacity", .lo = 0, .hi = 1 }, .probe_seconds = 0.1,
    .help = "All capacity begins in one channel and mixes into the others. Their sum spreads over "
            "positions as a single channel would.",
    .formula = "Σ over channels of κ obeys the equation of one channel, if all mix alike",
    .source = AFTER "§4.7",
    SL_TRACES (
      [T_OWN] = { "own", "own channel", "", "Capacity still in the channel of the probe.",
        SL_THEORY },
      [T_OTHER] = { "other", "each of the others", "", "What one of the other channels has.",
        SL_THEORY },
      [T_OWN_DOTS] = { "networks", "own, random networks", "", "Mean ± 2 standard errors." },
      [T_OWN_FLOOR] = { "floor", "even share", "", "1 ÷ channels.", SL_REFERENCE }) },
  [V_PLANE] = { .id = "plane", .title = "In two dimensions",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP,
    .x = { "x", "pixels", .lo = -32.5, .hi = 32.5 },
    .y = { "y", "pixels", .lo = -32.5, .hi = 32.5 }, .z = { "capacity", .logarithmic = true },
    .probe_seconds = 0.3,
    .help = "The field of one output of a network over images. Weights shrink with the taps there "
            "are more of, so that it is as wide along each axis as in one dimension.",
    .formula = "weights ∝ 1 ÷ √(L K^(d−1));  κ = (4 π D t)^(−d ÷ 2) exp (−|x|² ÷ 4 D t)",
    .source = AFTER "§4.8",
    SL_TRACES ({ "capacity", "capacity", "",
      "Effective parameters spent at a position of the plane.", SL_THEORY }) },
  [V_AXIS] = { .id = "axis", .title = "Along one axis of images",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "position from the middle", "pixels" }, .y = { "capacity", "parameters" },
    .probe_seconds = 0.3,
    .help = "The field over images, added up across the other axis: by theory, in random networks "
            "(switch on Networks over images), and beside it those in one and in three dimensions, as wide.",
    .formula = "weights ∝ 1 ÷ √(L K^(d−1))",
    .source = AFTER "§4.8; networks ours",
    SL_TRACES (
      [T_AXIS] = { "exact", "over images", "", "The layer rule on a torus, summed over one axis.",
        SL_THEORY },
      [T_AXIS_LINE] = { "line", "in one dimension", "", "The same taps on a ring.",
        SL_REFERENCE },
      [T_AXIS_CUBE] = { "cube", "over volumes", "",
        "The layer rule in three dimensions, summed over two axes.", SL_REFERENCE },
      [T_AXIS_DOTS] = { "networks", "random networks", "",
        "Mean squared gradient, ± 2 standard errors." }) },
  [V_TOY] = { .id = "linear", .title = "Linear model",
    .group = SL_SHOWS_WORK,
    .kind = SL_BARS, .x = { "input" },
    .y = { "capacity", "parameters", .lo = 0, .hi = 1 }, .probe_seconds = 0.1,
    .help = "What each input gets of the parameters of a linear model. A single weight on the "
            "middle input spends part of its capacity on the neighbours as soon as they are "
            "correlated.",
    .formula = "κᵢ = Kᵢᵢ;  Σ κᵢ = rank J, J = ∂w ÷ ∂θ  (K: convention)",
    .source = AFTER "eq. 1; the metric is our choice",
    SL_TRACES ({ "capacity", "capacity", "", "Effective parameters spent on the input.",
      SL_THEORY }) },
  [V_WIDTH] = { .id = "width-of", .title = "Each network",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "distance", "pixels" },
    .help = "Width and centroid of single networks. With few channels a network's field moves as a "
            "whole, which its own width does not show.",
    SL_TRACES (
      [T_WIDTH] = { "width", "width", "pixels",
        "Standard deviation about the network's own centroid." },
      [T_WANDER] = { "wander", "wander", "pixels",
        "How far that centroid is from the output position." },
      [T_WIDTH_THEORY] = { "theory", "theory", "pixels", "For the mean over networks.",
        SL_THEORY }) },
  [V_LOSS] = { .id = "loss", .title = "Training", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "mean squared error", .logarithmic = true },
    .help = "Loss of the small network of the depth transfer that is being trained. Each new one "
            "starts at the top.",
    SL_TRACES (
      [T_LOSS] = { "loss", "loss", "", "Mean squared error of the network in training." },
      [T_BASELINE] = { "baseline", "constant answer 0", "", "Loss of the constant answer 0.",
        SL_REFERENCE }) },
};
/* clang-format on */

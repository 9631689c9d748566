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
    .help = "Capacity of one output on its way from the output, on top, to the input. At a = ½ "
            "it spreads as the root of the depth; at 0 it leaves its position, at 1 it stays.",
    .formula = "κ_{m+1}(x) = Σ_y P (y, x) κ_m (y)", .source = AFTER "§4.1",
    SL_TRACES (
      [T_CELLS] = { "capacity", "capacity", "",
        "", SL_THEORY },
      [T_SIGMA] = { "sigma", "mean ± standard deviation", "",
        "From the layers' cumulants: a parabola, whatever the shape.", SL_THEORY }) },
  [V_PROFILE] = { .id = "profile", .title = "At the input",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE, .drags = "position",
    .x = { "position from the middle", "pixels" }, .y = { "capacity", "parameters" },
    .probe_seconds = 0.1,
    .help = "Capacity that one output spends on each input: in theory, for infinitely many "
            "layers, as a Gaussian, and in random networks. Few moves leave a spike in place of "
            "the Gaussian.",
    .formula = "limit: e^(t A) κ₀;  Gaussian: exp (−x² ÷ 4 D) ÷ √(4 π D), D = ½ Σ k² q_k  "
               "(convention)",
    .source = AFTER "§4.1; networks ours",
    SL_TRACES (
      [T_EXACT] = { "exact", "L layers", "", "", SL_THEORY },
      [T_LIMIT] = { "limit", "limit L → ∞", "",
        "On the same lattice, at the same effective rates.", SL_REFERENCE },
      [T_GAUSSIAN] = { "gaussian", "Gaussian", "", "", SL_REFERENCE },
      [T_POOR_GAUSSIAN] = { "poor-gaussian", "Gaussian (not valid here)", "",
        "Too few moves for this shape.", SL_TARGET },
      [T_DOTS] = { "networks", "random networks", "",
        "Mean squared gradient ± 2 standard errors." }) },
  [V_SPREAD] = { .id = "spread", .title = "Spread against depth",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .drags = "layers", .x = { "layers L", .logarithmic = true, .whole = true },
    .y = { "standard deviation", "pixels", .logarithmic = true }, .probe_seconds = 0.1,
    .help = "Width of the field at the input by depth. Unscaled weights widen it as the root of "
            "the depth; at a = ½ depth does not, but larger rates, wider kernels and dilation "
            "do.",
    .formula = "standard deviation at the input ∝ L^(½ − a);  √(2 D) at a = ½",
    .source = AFTER "§4.1; the slider is ours",
    SL_TRACES (
      [T_FAN_NONE] = { "none", "a = 0", "pixels", "Grows as the root of L.", SL_THEORY },
      [T_FAN_HALF] = { "half", "a = ½", "pixels", "Tends to √(2D).", SL_THEORY },
      [T_FAN_ONE] = { "one", "a = 1", "pixels", "Falls as 1/√L.", SL_THEORY },
      [T_FAN_SET] = { "set", "a as set", "pixels", "", SL_TARGET },
      [T_FAN_DOTS] = { "networks", "random networks", "pixels",
        "About each network's own centroid, ± 2 standard errors." }) },
  [V_SKIP] = { .id = "skip-share", .title = "Skip path and gradients",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .drags = "exponent", .x = { "exponent a" },
    .y = { "mean cosine", .lo = -0.1, .hi = 1.1, .least = -1, .most = 1 },
    .probe_seconds = 0.1,
    .help = "Share of capacity that never left the skip path, and cosine between the gradients "
            "at unrelated inputs. With the irregular sine both are the same: shattered capacity "
            "is shattered gradients.",
    .formula = "F = (1 + s (q₀ + Q))^(−L), s = L^(−2a)",
    SL_TRACES (
      [T_SKIP_SHARE] = { "share", "skip path F", "",
        "", SL_THEORY },
      [T_FIELD] = { "correlation", "gradient correlation", "",
        "Mean field, a quarter of the circle apart.", SL_REFERENCE },
      [T_FIELD_DOTS] = { "networks", "random networks", "",
        "± 2 standard errors." }) },
  [V_WHERE] = { .id = "where", .title = "Where the capacity goes",
    .group = SL_SHOWS_WORK,
    .kind = SL_BARS,
    .stacked = true,
    .y = { "share of capacity", "%", .lo = 0, .hi = 100, .least = 0, .most = HUGE_VAL },
    .categories = SL_NAMES ("theory", "random networks"), .probe_seconds = 0.1,
    .help = "Capacity is conserved: it is at the input, at side inputs, in biases, or lost over "
            "the boundary. Unscaled biases take nearly everything. Single networks deviate from "
            "100 %; their mean does not, unless tied steps are alike.",
    .formula = "input + side inputs + biases + edge = 1;  e^(−λ − b) at the input, λ to b beside "
               "it",
    .source = AFTER "§4.4, §4.5",
    SL_TRACES (
      [T_INPUT] = { "input", "input", "%", "" },
      [T_SIDES] = { "sides", "side inputs", "%",
        "Read as time, the memory of earlier inputs." },
      [T_BIASES] = { "biases", "biases", "%", "" },
      [T_EDGES] = { "edge", "edge", "%", "" }) },
  [V_MEMORY] = { .id = "memory", .title = "Memory", .group = SL_SHOWS_WORK, .kind = SL_PROFILE,
    .x = { "steps ago", .whole = true },
    .y = { "T × share" }, .probe_seconds = 0.1,
    .help = "Depth read as time: capacity that a recurrent network spends on the input of so "
            "many steps ago, times T. A memory of T steps needs weights that shrink as 1/√T.",
    .formula = "(λ ÷ T) (1 − λ ÷ T)^m for m steps ago;  times T → λ e^(−λ τ), τ = m ÷ T",
    .source = AFTER "§4.9",
    SL_TRACES (
      [T_LAG_EXACT] = { "exact", "T steps", "", "", SL_THEORY },
      [T_LAG_LIMIT] = { "limit", "limit λ e^(-λτ)", "", "For infinitely many steps.",
        SL_REFERENCE },
      [T_LAG_DOTS] = { "networks", "random networks", "",
        "" }) },
  [V_TRACE] = { .id = "trace", .title = "Gradient around the circle",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "angle", "°" }, .y = { "gradient" }, .probe_seconds = 0.5,
    .help = "Derivative of the output along a circle of inputs, one random network per exponent: "
            "noise at a = 0, rough at ½, smooth at 1.",
    SL_TRACES (
      [T_AT_NONE] = { "none", "a = 0", "", "" },
      [T_AT_HALF] = { "half", "a = ½", "", "" },
      [T_AT_ONE] = { "one", "a = 1", "", "" }) },
  [V_COSINES] = { .id = "cosines", .title = "Similarity of gradients",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_HEATMAP,
    .x = { "angle", "°", .lo = 0, .hi = 360 }, .y = { "angle", "°", .lo = 0, .hi = 360 },
    .z = { "cosine", .lo = -1, .hi = 1 }, .centre = 0, .probe_seconds = 0.5,
    .help = "Cosine between the gradients at any two of 64 inputs on the circle. A bright "
            "diagonal alone is a shattered gradient.",
    SL_TRACES ({ "cosine", "cosine", "", "" }) },
  [V_ANGLE] = { .id = "angle", .title = "Correlation against angle",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "angle between the inputs", "°" },
    .y = { "mean cosine", .lo = -0.1, .hi = 1.1, .least = -1, .most = 1 },
    .probe_seconds = 0.2,
    .help = "Similarity of the gradients at two inputs by the angle between them. A linear "
            "network never shatters; the irregular sine falls to the share of the skip path.",
    SL_TRACES (
      [T_ANGLE_THEORY] = { "theory", "mean field", "", "For networks far wider than deep.",
        SL_THEORY },
      [T_ANGLE_DOTS] = { "networks", "random networks", "", "" },
      [T_ANGLE_BARE] = { "bare", "without skip path", "",
        "A feed-forward rectifier network of the same depth.", SL_REFERENCE },
      [T_ANGLE_FLOOR] = { "floor", "skip path F", "",
        "Where the irregular sine levels off.", SL_REFERENCE }) },
  [V_SKIPS] = { .id = "skips", .title = "Skip connections to the output",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .drags = "position", .x = { "position from the middle", "pixels" },
    .y = { "capacity", "parameters" }, .probe_seconds = 0.1,
    .help = "If the output reads every layer, the averaged field has half the variance and a "
            "spike that has not moved. The layers' own capacity is only an illustration: the "
            "paper does not define it.",
    .formula = "κ_m = Pᵀ κ_{m−1} + source;  ÷ (L + 1);  variance D t, half of 2 D t",
    .source = AFTER "§4.2, §4.3",
    SL_TRACES (
      [T_SINGLE] = { "single", "output only", "", "",
        SL_THEORY },
      [T_AVERAGE] = { "average", "all layers to the output", "",
        "Divided by their number.", SL_THEORY },
      [T_AVERAGE_LIMIT] = { "limit", "limit L → ∞", "", "Mean over all times on the lattice.",
        SL_REFERENCE },
      [T_AVERAGE_SMOOTH] = { "smooth", "continuum", "",
        "Without the unmoved spike.", SL_TARGET },
      [T_CUMULATED] = { "cumulated", "cumulative (illustrative)", "",
        "With an even capacity of each layer, divided by their number.", SL_REFERENCE },
      [T_AVERAGE_DOTS] = { "networks", "all layers, random networks", "",
        "" }) },
  [V_TRANSFER] = { .id = "transfer", .title = "Depth transfer",
    .group = SL_SHOWS_QUALITY,
    .kind = SL_PROFILE,
    .x = { "layers L", .logarithmic = true, .whole = true }, .y = { "loss", .logarithmic = true },
    .probe_seconds = 0.5,
    .help = "Loss of small networks that are trained at growing depth with the settings that "
            "were right at 8 layers. Near the limits the seed decides: this toy task is evidence "
            "for the conjecture, not proof.",
    SL_TRACES (
      [T_AT_NONE] = { "none", "a = 0", "", "" },
      [T_AT_HALF] = { "half", "a = ½", "", "" },
      [T_AT_ONE] = { "one", "a = 1", "", "" }) },
  [V_LEAKED] = { .id = "leaked", .title = "Where side inputs are read",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .drags = "position", .x = { "position from the middle", "pixels" },
    .y = { "capacity", "parameters" }, .probe_seconds = 0.1,
    .help = "Positions of the side inputs that the output spends capacity on: for many layers a "
            "two-sided exponential of scale √(D/λ).",
    .formula = "(r ÷ 4) [e^(−r |x|) erfc (A − B) − e^(r |x|) erfc (A + B)], r = √(λ ÷ D), A = |x| "
               "÷ √(4 D t), B = √(λ t)  (ours)",
    .source = AFTER "§4.4; the profile is ours",
    SL_TRACES (
      [T_LEAKED] = { "exact", "L layers", "", "",
        SL_THEORY },
      [T_LEAKED_LIMIT] = { "limit", "limit L → ∞", "", "", SL_REFERENCE },
      [T_LEAKED_SMOOTH] = { "smooth", "continuum", "", "", SL_TARGET }) },
  [V_CHANNELS] = { .id = "channels-share", .title = "Channels",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "layers below the output", .whole = true },
    .y = { "share of the capacity", .lo = 0, .hi = 1 }, .probe_seconds = 0.1,
    .help = "All capacity begins in one channel and mixes into the others. Their sum spreads as "
            "a single channel would.",
    .formula = "Σ over channels of κ obeys the equation of one channel, if all mix alike",
    .source = AFTER "§4.7",
    SL_TRACES (
      [T_OWN] = { "own", "own channel", "", "",
        SL_THEORY },
      [T_OTHER] = { "other", "each of the others", "", "",
        SL_THEORY },
      [T_OWN_DOTS] = { "networks", "own, random networks", "", "" },
      [T_OWN_FLOOR] = { "floor", "even share", "", "", SL_REFERENCE }) },
  [V_PLANE] = { .id = "plane", .title = "In two dimensions",
    .group = SL_SHOWS_WORK,
    .kind = SL_HEATMAP,
    .x = { "x", "pixels", .lo = -32.5, .hi = 32.5 },
    .y = { "y", "pixels", .lo = -32.5, .hi = 32.5 }, .z = { "capacity", .logarithmic = true },
    .probe_seconds = 0.3,
    .help = "Field of one output of a network over images. Weights shrink with the larger number "
            "of taps, so the field is as wide along each axis as in one dimension.",
    .formula = "weights ∝ 1 ÷ √(L K^(d−1));  κ = (4 π D t)^(−d ÷ 2) exp (−|x|² ÷ 4 D t)",
    .source = AFTER "§4.8",
    SL_TRACES ({ "capacity", "capacity", "",
      "", SL_THEORY }) },
  [V_AXIS] = { .id = "axis", .title = "Along one axis of images",
    .group = SL_SHOWS_WORK,
    .kind = SL_PROFILE,
    .x = { "position from the middle", "pixels" }, .y = { "capacity", "parameters" },
    .probe_seconds = 0.3,
    .help = "The field over images, summed across the other axis: in theory and in random "
            "networks (switch on Networks over images). In one and three dimensions it is as "
            "wide.",
    .formula = "weights ∝ 1 ÷ √(L K^(d−1))",
    .source = AFTER "§4.8; networks ours",
    SL_TRACES (
      [T_AXIS] = { "exact", "over images", "", "On a torus.",
        SL_THEORY },
      [T_AXIS_LINE] = { "line", "in one dimension", "", "On a ring.",
        SL_REFERENCE },
      [T_AXIS_CUBE] = { "cube", "over volumes", "",
        "In three dimensions, summed over two axes.", SL_REFERENCE },
      [T_AXIS_DOTS] = { "networks", "random networks", "",
        "" }) },
  [V_TOY] = { .id = "linear", .title = "Linear model",
    .group = SL_SHOWS_WORK,
    .kind = SL_BARS, .x = { "input" },
    .y = { "capacity", "parameters", .lo = 0, .hi = 1 }, .probe_seconds = 0.1,
    .help = "Parameters of a linear model that each input gets. A single weight on the middle "
            "input spends capacity on its neighbours as soon as they are correlated.",
    .formula = "κᵢ = Kᵢᵢ;  Σ κᵢ = rank J, J = ∂w ÷ ∂θ  (K: convention)",
    .source = AFTER "eq. 1; the metric is our choice",
    SL_TRACES ({ "capacity", "capacity", "", "",
      SL_THEORY }) },
  [V_WIDTH] = { .id = "width-of", .title = "Each network",
    .group = SL_SHOWS_WORK,
    .kind = SL_SERIES,
    .y = { "distance", "pixels" },
    .help = "Width and centroid of single networks. With few channels a network's field moves as "
            "a whole, which its width does not show.",
    SL_TRACES (
      [T_WIDTH] = { "width", "width", "pixels",
        "Standard deviation about the network's own centroid." },
      [T_WANDER] = { "wander", "wander", "pixels",
        "Distance of that centroid from the output position." },
      [T_WIDTH_THEORY] = { "theory", "theory", "pixels", "",
        SL_THEORY }) },
  [V_LOSS] = { .id = "loss", .title = "Training", .group = SL_SHOWS_QUALITY, .kind = SL_SERIES,
    .y = { "mean squared error", .logarithmic = true },
    .help = "Loss of the small network that is being trained for the depth transfer. Each new "
            "one starts at the top.",
    SL_TRACES (
      [T_LOSS] = { "loss", "loss", "", "" },
      [T_BASELINE] = { "baseline", "constant answer 0", "", "",
        SL_REFERENCE }) },
};
/* clang-format on */

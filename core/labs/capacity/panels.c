/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity`, in words.  */
#include "core/lab/kit/panels.h"
#include "core/labs/capacity/tables.h"

static const SlTrace waterfall_traces[] = {
  [T_CELLS]
  = { "capacity", "capacity", "",
      "Effective parameters spent at a position, this many layers down.", SL_THEORY, NULL },
  [T_SIGMA] = { "sigma", "mean ± standard deviation", "",
                "By the layers' cumulants: a parabola, whatever the shape.", SL_THEORY, NULL },
};

static const SlTrace profile_traces[] = {
  [T_EXACT] = { "exact", "this many layers", "", "The layer rule, step by step.", SL_THEORY, NULL },
  [T_LIMIT] = { "limit", "limit L → ∞", "",
                "Infinitely many layers on the same lattice, at the same effective rates.",
                SL_REFERENCE, NULL },
  [T_GAUSSIAN]
  = { "gaussian", "Gaussian", "", "Of the same mean and variance.", SL_REFERENCE, NULL },
  [T_POOR_GAUSSIAN]
  = { "poor-gaussian", "Gaussian (not to be trusted)", "",
      "Of the same mean and variance; too few moves for this shape.", SL_TARGET, NULL },
  [T_DOTS]
  = { "networks", "random networks", "",
      "Mean squared gradient over the networks so far, ± 2 standard errors.", SL_MEASURED, NULL },
};

static const SlTrace spread_traces[] = {
  [T_FAN_NONE] = { "none", "a = 0", "pixels", "Grows as the root of L.", SL_THEORY, NULL },
  [T_FAN_HALF] = { "half", "a = ½", "pixels", "Tends to √(2D).", SL_THEORY, NULL },
  [T_FAN_ONE] = { "one", "a = 1", "pixels", "Falls as 1/√L.", SL_THEORY, NULL },
  [T_FAN_SET] = { "set", "a as set", "pixels", "At the slider's exponent.", SL_TARGET, NULL },
  [T_FAN_DOTS] = { "networks", "random networks", "pixels",
                   "About each network's own centroid, ± 2 standard errors.", SL_MEASURED, NULL },
};

static const SlTrace skip_traces[] = {
  [T_SKIP_SHARE]
  = { "share", "skip path F", "", "Capacity that never left the skip path.", SL_THEORY, NULL },
  [T_FIELD] = { "correlation", "gradient correlation", "",
                "Mean field, a quarter of the circle apart.", SL_REFERENCE, NULL },
  [T_FIELD_DOTS] = { "networks", "random networks", "",
                     "Mean cosine of the gradients, ± 2 standard errors.", SL_MEASURED, NULL },
};

static const SlTrace where_traces[] = {
  [T_INPUT] = { "input", "input", "%", "What arrives below the last layer.", SL_MEASURED, NULL },
  [T_SIDES] = { "sides", "side inputs", "%",
                "What all layers' side inputs got; read as time, the memory of earlier inputs.",
                SL_MEASURED, NULL },
  [T_BIASES] = { "biases", "biases", "%", "What all layers' biases got.", SL_MEASURED, NULL },
  [T_EDGES] = { "edge", "edge", "%", "What left over the boundary.", SL_MEASURED, NULL },
};
static const char *const where_categories[] = { "theory", "random networks", NULL };

static const SlTrace memory_traces[] = {
  [T_LAG_EXACT] = { "exact", "this many steps", "", "The layer rule.", SL_THEORY, NULL },
  [T_LAG_LIMIT]
  = { "limit", "limit λ e^(-λτ)", "", "For infinitely many steps.", SL_REFERENCE, NULL },
  [T_LAG_DOTS]
  = { "networks", "random networks", "", "Mean ± 2 standard errors.", SL_MEASURED, NULL },
};

static const SlTrace trace_traces[] = {
  [T_AT_NONE] = { "none", "a = 0", "", "Nearly white noise.", SL_MEASURED, NULL },
  [T_AT_HALF] = { "half", "a = ½", "", "Rough, but with structure.", SL_MEASURED, NULL },
  [T_AT_ONE] = { "one", "a = 1", "", "Smooth.", SL_MEASURED, NULL },
};

static const SlTrace cosines_traces[] = {
  { "cosine", "cosine", "", "Of the gradients at two inputs.", SL_MEASURED, NULL },
};

static const SlTrace angle_traces[] = {
  [T_ANGLE_THEORY]
  = { "theory", "mean field", "", "For networks far wider than deep.", SL_THEORY, NULL },
  [T_ANGLE_DOTS]
  = { "networks", "random networks", "", "Mean ± 2 standard errors.", SL_MEASURED, NULL },
  [T_ANGLE_BARE] = { "bare", "without skip path", "", "A feed-forward rectifier network as deep.",
                     SL_REFERENCE, NULL },
  [T_ANGLE_FLOOR]
  = { "floor", "skip path F", "",
      "Where the irregular sine levels off: the capacity of the skip path.", SL_REFERENCE, NULL },
};

static const SlTrace skips_traces[] = {
  [T_SINGLE]
  = { "single", "output only", "", "Without skip connections to the output.", SL_THEORY, NULL },
  [T_AVERAGE] = { "average", "all layers to the output", "",
                  "Every layer is read by the output; divided by their number.", SL_THEORY, NULL },
  [T_AVERAGE_LIMIT]
  = { "limit", "limit L → ∞", "", "The mean over all times on the lattice.", SL_REFERENCE, NULL },
  [T_AVERAGE_SMOOTH]
  = { "smooth", "continuum", "", "The closed form, which has no unmoved spike.", SL_TARGET, NULL },
  [T_CUMULATED]
  = { "cumulated", "cumulated (illustrative)", "",
      "With an even capacity of each layer's own, divided by their number.", SL_REFERENCE, NULL },
};

static const SlTrace transfer_traces[] = {
  [T_AT_NONE]
  = { "none", "a = 0", "", "The same weights' scale at every depth.", SL_MEASURED, NULL },
  [T_AT_HALF] = { "half", "a = ½", "", "Scaled by the root of the depth.", SL_MEASURED, NULL },
  [T_AT_ONE] = { "one", "a = 1", "", "Scaled by the depth.", SL_MEASURED, NULL },
};

static const SlTrace depths_traces[] = {
  [T_DEPTH_STD]
  = { "std", "standard deviation", "pixels", "Sum of the layers' cumulants.", SL_THEORY, NULL },
  [T_DEPTH_MEAN] = { "drift", "drift", "pixels", "Distance of the mean from the output position.",
                     SL_THEORY, NULL },
  [T_DEPTH_DOTS] = { "networks", "random networks", "pixels",
                     "About each network's own centroid, ± 2 standard errors.", SL_MEASURED, NULL },
};

static const SlTrace leaked_traces[] = {
  [T_LEAKED]
  = { "exact", "this many layers", "", "What the side inputs of all layers got.", SL_THEORY, NULL },
  [T_LEAKED_LIMIT] = { "limit", "limit L → ∞", "", "On the same lattice.", SL_REFERENCE, NULL },
  [T_LEAKED_SMOOTH] = { "smooth", "continuum", "", "The closed form.", SL_TARGET, NULL },
};

static const SlTrace channels_traces[] = {
  [T_OWN]
  = { "own", "own channel", "", "Capacity still in the channel of the probe.", SL_THEORY, NULL },
  [T_OTHER]
  = { "other", "each of the others", "", "What one of the other channels has.", SL_THEORY, NULL },
  [T_OWN_DOTS]
  = { "networks", "own, random networks", "", "Mean ± 2 standard errors.", SL_MEASURED, NULL },
  [T_OWN_FLOOR] = { "floor", "even share", "", "1 ÷ channels.", SL_REFERENCE, NULL },
};

static const SlTrace plane_traces[] = {
  { "capacity", "capacity", "", "Effective parameters spent at a position of the plane.", SL_THEORY,
    NULL },
};

static const SlTrace toy_traces[] = {
  { "capacity", "capacity", "", "Effective parameters spent on the input.", SL_THEORY, NULL },
};

static const SlTrace width_traces[] = {
  [T_WIDTH] = { "width", "width", "pixels", "Standard deviation about the network's own centroid.",
                SL_MEASURED, NULL },
  [T_WANDER] = { "wander", "wander", "pixels", "How far that centroid is from the output position.",
                 SL_MEASURED, NULL },
  [T_WIDTH_THEORY]
  = { "theory", "theory", "pixels", "For the mean over networks.", SL_THEORY, NULL },
};

static const SlTrace gain_traces[] = {
  [T_GAIN] = { "gain", "gain", "decades", "Squared gradient at the input ÷ at the output.",
               SL_MEASURED, NULL },
  [T_GAIN_THEORY] = { "theory", "theory", "decades", "L log₁₀ Z.", SL_THEORY, NULL },
};

static const SlTrace loss_traces[] = {
  [T_LOSS]
  = { "loss", "loss", "", "Mean squared error of the network in training.", SL_MEASURED, NULL },
  [T_BASELINE]
  = { "baseline", "nothing learned", "", "Loss of the constant answer 0.", SL_REFERENCE, NULL },
};

#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of
#define POSITIONS                                                                                  \
  {                                                                                                \
    .label = "position from the middle", .unit = "pixels"                                          \
  }
#define CAPACITY                                                                                   \
  {                                                                                                \
    .label = "capacity", .unit = "parameters"                                                      \
  }
#define AFTER "after Donier 2019, "

/* clang-format off */
const SlPanel sl_capacity_panels[N_PANELS] = {
  [V_WATERFALL] = {
    .id = "waterfall", .title = "Waterfall",
    .help = "Capacity of one output on its way from the output, on top, to the input. At a = ½ it "
            "spreads as the root of the depth; at 0 it leaves its position, at 1 it stays.",
    .formula = "κ_{m+1}(x) = Σ_y P (y, x) κ_m (y)",
    .source = AFTER "§4.1", .kind = SL_HEATMAP, .drags = "position", .x = POSITIONS,
    .y = { .label = "reverse layer time t", .unit = "", .lo = 0, .hi = 1 },
    .z = { .label = "capacity", .unit = "", .logarithmic = true }, TRACES (waterfall_traces),
    .probe_seconds = 0.1 },
  [V_PROFILE] = {
    .id = "profile", .title = "At the input",
    .help = "The capacity that one output spends on each input: exactly, for infinitely many "
            "layers, as a Gaussian, and as random networks have it. Networks trained in other labs "
            "cannot be read here: they are not residual and have no positions.",
    .formula = "limit: e^(t A) κ₀;  Gaussian: exp (−x² ÷ 4 D) ÷ √(4 π D), D = ½ Σ k² q_k  "
               "(convention)",
    .source = AFTER "§4.1; networks ours", .kind = SL_PROFILE, .drags = "position", .x = POSITIONS,
    .y = CAPACITY,
    TRACES (profile_traces), .probe_seconds = 0.1 },
  [V_SPREAD] = {
    .id = "spread", .title = "Spread against depth",
    .help = "Width of the field at the input for networks of different depth. With unscaled "
            "weights it grows as the root of the depth; at a = ½ depth does not widen the field "
            "any more, but larger rates, wider kernels and dilation do.",
    .formula = "standard deviation at the input ∝ L^(½ − a);  √(2 D) at a = ½",
    .source = AFTER "§4.1; the slider is ours", .kind = SL_PROFILE, .drags = "layers",
    .x = { .label = "layers L", .unit = "", .logarithmic = true },
    .y = { .label = "standard deviation", .unit = "pixels", .logarithmic = true },
    TRACES (spread_traces), .probe_seconds = 0.1 },
  [V_SKIP] = {
    .id = "skip-share", .title = "Skip path and gradients",
    .help = "The share of capacity that never left the skip path, and how alike gradients at "
            "unrelated inputs are. With the irregular sine both are the same number: shattered "
            "capacity is shattered gradients.",
    .formula = "F = (1 + s (q₀ + Q))^(−L), s = L^(−2a)",
    .source = "", .kind = SL_PROFILE, .drags = "exponent",
    .x = { .label = "exponent a", .unit = "" },
    .y = { .label = "share; cosine", .unit = "", .lo = -0.1, .hi = 1.1 }, TRACES (skip_traces),
    .probe_seconds = 0.1 },
  [V_WHERE] = {
    .id = "where", .title = "Where did the capacity go?",
    .help = "All capacity is somewhere: at the input, at side inputs, in biases, or lost over the "
            "edge. Biases that are not scaled down with depth take nearly everything. A single "
            "network has a little more or less than 100 %; the mean of many networks has 100 %.",
    .formula = "input + side inputs + biases + edge = 1;  e^(−λ − b) at the input, λ to b beside "
               "it",
    .source = AFTER "§4.4, §4.5", .kind = SL_BARS, .stacked = true,
    .x = { .label = "", .unit = "" },
    .y = { .label = "share of capacity", .unit = "%", .lo = 0, .hi = 100 },
    TRACES (where_traces), .categories = where_categories, .probe_seconds = 0.1 },
  [V_MEMORY] = {
    .id = "memory", .title = "Memory",
    .help = "Depth read as time: the capacity that a recurrent network that is to remember T = L "
            "steps spends on the input of so many steps ago, times T. For a memory of T steps the "
            "weights shrink as 1/√T.",
    .formula = "(λ ÷ T) (1 − λ ÷ T)^m for m steps ago;  times T → λ e^(−λ τ), τ = m ÷ T",
    .source = AFTER "§4.9", .kind = SL_PROFILE, .x = { .label = "steps ago", .unit = "" },
    .y = { .label = "T × share", .unit = "" }, TRACES (memory_traces), .probe_seconds = 0.1 },
  [V_TRACE] = {
    .id = "trace", .title = "Gradient around the circle",
    .help = "Derivative of the output along a circle of inputs, of one random network per "
            "exponent: noise at a = 0, rough at ½, smooth at 1.",
    .source = "", .kind = SL_PROFILE, .x = { .label = "angle", .unit = "°" },
    .y = { .label = "gradient", .unit = "" }, TRACES (trace_traces), .probe_seconds = 0.5 },
  [V_COSINES] = {
    .id = "cosines", .title = "Likeness of gradients",
    .help = "Cosine between the gradients at each two of 64 inputs on the circle. A bright "
            "diagonal and nothing beside it is a shattered gradient.",
    .source = "", .kind = SL_HEATMAP,
    .x = { .label = "angle", .unit = "°", .lo = 0, .hi = 360 },
    .y = { .label = "angle", .unit = "°", .lo = 0, .hi = 360 },
    .z = { .label = "cosine", .unit = "", .lo = -1, .hi = 1 }, .centre = 0,
    TRACES (cosines_traces), .probe_seconds = 0.5 },
  [V_ANGLE] = {
    .id = "angle", .title = "Correlation against angle",
    .help = "How alike gradients at two inputs are, by the angle between the inputs. A linear "
            "network never shatters; the irregular sine falls to the share of the skip path.",
    .source = "", .kind = SL_PROFILE, .x = { .label = "angle between the inputs", .unit = "°" },
    .y = { .label = "mean cosine", .unit = "", .lo = -0.1, .hi = 1.1 }, TRACES (angle_traces),
    .probe_seconds = 0.2 },
  [V_SKIPS] = {
    .id = "skips", .title = "Skip connections to the output",
    .help = "When the output reads every layer, the averaged field has half the variance and a "
            "spike that has not moved. What layers' own capacity would add is only illustrated: it "
            "is not defined in the paper.",
    .formula = "κ_m = Pᵀ κ_{m−1} + source;  ÷ (L + 1);  variance D t, half of 2 D t",
    .source = AFTER "§4.2, §4.3", .kind = SL_PROFILE, .drags = "position", .x = POSITIONS,
    .y = CAPACITY,
    TRACES (skips_traces), .probe_seconds = 0.1 },
  [V_TRANSFER] = {
    .id = "transfer", .title = "Depth transfer",
    .help = "Loss of small networks that are trained at growing depth with the settings that were "
            "right at 8 layers. Near the limits it is a matter of chance whether a network leaves "
            "a plateau, and this is one toy task: evidence for the conjecture, not proof.",
    .source = "", .kind = SL_PROFILE,
    .x = { .label = "layers L", .unit = "", .logarithmic = true },
    .y = { .label = "loss", .unit = "", .logarithmic = true }, TRACES (transfer_traces),
    .probe_seconds = 0.5 },
  [V_DEPTHS] = {
    .id = "depths", .title = "Spread on the way down",
    .help = "Within one network the spread grows as the root of the layers passed, whatever the "
            "exponent. Taps to one side add a drift that grows as the layers themselves.",
    .formula = "variance of m layers: m Σ k² p_k;  drift: m Σ k p_k  (drift: ours)",
    .source = AFTER "§4.1", .kind = SL_PROFILE,
    .x = { .label = "layers below the output", .unit = "", .logarithmic = true },
    .y = { .label = "distance", .unit = "pixels", .logarithmic = true }, TRACES (depths_traces),
    .probe_seconds = 0.1 },
  [V_LEAKED] = {
    .id = "leaked", .title = "Where side inputs are read",
    .help = "Positions of the side inputs that the output spends capacity on: in the end a "
            "two-sided exponential of scale √(D/λ).",
    .formula = "(r ÷ 4) [e^(−r |x|) erfc (A − B) − e^(r |x|) erfc (A + B)], r = √(λ ÷ D), A = "
               "|x| ÷ √(4 D t), B = √(λ t)  (ours)",
    .source = AFTER "§4.4; the profile is ours", .kind = SL_PROFILE, .drags = "position",
    .x = POSITIONS, .y = CAPACITY,
    TRACES (leaked_traces), .probe_seconds = 0.1 },
  [V_CHANNELS] = {
    .id = "channels-share", .title = "Channels",
    .help = "All capacity begins in one channel and mixes into the others. Their sum spreads over "
            "positions as a single channel would.",
    .formula = "Σ over channels of κ obeys the equation of one channel, if all mix alike",
    .source = AFTER "§4.7", .kind = SL_PROFILE,
    .x = { .label = "layers below the output", .unit = "" },
    .y = { .label = "share of the capacity", .unit = "", .lo = 0, .hi = 1 },
    TRACES (channels_traces), .probe_seconds = 0.1 },
  [V_PLANE] = {
    .id = "plane", .title = "In two dimensions",
    .help = "The field of one output of a network over images. Weights shrink with the taps there "
            "are more of, so that it is as wide along each axis as in one dimension.",
    .formula = "weights ∝ 1 ÷ √(L K^(d−1));  κ = (4 π D t)^(−d ÷ 2) exp (−|x|² ÷ 4 D t)",
    .source = AFTER "§4.8", .kind = SL_HEATMAP,
    .x = { .label = "x", .unit = "pixels", .lo = -32.5, .hi = 32.5 },
    .y = { .label = "y", .unit = "pixels", .lo = -32.5, .hi = 32.5 },
    .z = { .label = "capacity", .unit = "", .logarithmic = true }, TRACES (plane_traces),
    .probe_seconds = 0.3 },
  [V_TOY] = {
    .id = "linear", .title = "Linear model",
    .help = "What each input gets of the parameters of a linear model. A single weight on the "
            "middle input spends part of its capacity on the neighbours as soon as they are "
            "correlated.",
    .formula = "κᵢ = Kᵢᵢ;  Σ κᵢ = rank J, J = ∂w ÷ ∂θ  (K: convention)",
    .source = AFTER "eq. 1; the metric is our choice", .kind = SL_BARS,
    .x = { .label = "input", .unit = "" },
    .y = { .label = "capacity", .unit = "parameters", .lo = 0, .hi = 1 }, TRACES (toy_traces),
    .probe_seconds = 0.1 },
  [V_WIDTH] = {
    .id = "width-of", .title = "Each network",
    .help = "Width and centroid of single networks. With few channels a network's field moves as "
            "a whole, which its own width does not show.",
    .source = "", .kind = SL_SERIES, .x = SL_AXIS_UPDATES,
    .y = { .label = "distance", .unit = "pixels" }, TRACES (width_traces) },
  [V_GAIN] = {
    .id = "gain", .title = "Gain",
    .help = "By how many powers of ten the squared gradient grows on its way through a network "
            "that is not normalised: hardly any at a = 1, dozens at 0.",
    .formula = "log₁₀ gain = L log₁₀ (1 + B), B = β² g E[φ′²]  (ours)",
    .source = "", .kind = SL_SERIES, .x = SL_AXIS_UPDATES,
    .y = { .label = "gain", .unit = "decades" }, TRACES (gain_traces) },
  [V_LOSS] = {
    .id = "loss", .title = "Training",
    .help = "Loss of the small network of the depth transfer that is being trained. Each new one "
            "starts at the top.",
    .source = "", .kind = SL_SERIES, .x = SL_AXIS_UPDATES,
    .y = { .label = "mean squared error", .unit = "", .logarithmic = true }, TRACES (loss_traces) },
};
/* clang-format on */

/* SPDX-License-Identifier: MIT
 *
 * The knobs and trials of the lab `capacity`, in words.  What the paper says in prose is attributed
 * to it; constants, extensions and finite-size facts are ours, and called so.  */
#include "core/labs/capacity/tables.h"

#include "core/lab/kit/params.h"
#include "core/nn/capacity/capacity.h"
#include "core/nn/capacity/shatter.h"

#define GROUP_DEPTH "Depth"
#define GROUP_LAYER "One layer"
#define GROUP_LOSSES "Where capacity can go"
#define GROUP_NETWORKS "Random networks"
#define GROUP_TRAINED "Depth transfer"
#define GROUP_LINEAR "Linear model"

static const SlChoice kernels[] = {
  { "around", "To both sides" },
  { "with-centre", "To both sides and in place" },
  { "causal", "To one side" },
  { 0 },
};

static const SlChoice dilations[] = {
  { "none", "None" },
  { "smooth", "Smooth growth from 1 to R" },
  { "blocks", "Blocks of 1, 2, 4 … R" },
  { 0 },
};

static const SlChoice bias_scales[] = {
  { "weights", "As the weights, L^-a" },
  { "unscaled", "Not at all" },
  { "twice", "Twice as the weights, L^-2a" },
  { 0 },
};

/* In the order of SlCapacityEdge. */
static const SlChoice edges[] = {
  { "periodic", "Periodic" },
  { "reflecting", "Reflecting" },
  { "absorbing", "Absorbing (zeros)" },
  { "renormalised", "Absent taps get nothing" },
  { 0 },
};

static const SlChoice rules[] = {
  { "squared", "Squared shares" },
  { "markov", "P = I + A/L" },
  { 0 },
};

/* In the order of SlShatter. */
static const SlChoice activations[] = {
  { "linear", "Linear" },
  { "rectifier", "Rectifier" },
  { "sine", "Irregular sine" },
  { "tanh", "tanh" },
  { 0 },
};

static const SlChoice toys[] = {
  { "tied", "Mirrored weights" },
  { "one", "Only the middle weight" },
  { "product", "First = second × third" },
  { "free", "All free" },
  { 0 },
};

/* In the order of SlLinearMetric. */
static const SlChoice metrics[] = {
  { "weights", "Constraints on the weights" },
  { "whitened", "After whitening" },
  { 0 },
};

/* clang-format off */
const SlParam sl_capacity_params[N_PARAMS] = {
  [P_EXPONENT] = {
    .id = "exponent", .title = "Exponent a", .unit = "", .group = GROUP_DEPTH,
    .help = "Residual weights shrink as L to the power -a. At 0 capacity is shattered, at ½ it "
            "diffuses, at 1 it stays in place: move the slider to see all three.",
    .formula = "w_k = √q_k · L^(−a)",
    .source = "Donier 2019, §4.1, has a = ½; the slider is ours", .kind = SL_REAL, .lo = 0,
    .hi = 1.5, .step = 0.05, .fallback = 0.5, .effect = SL_LIVE },
  [P_LAYERS] = {
    .id = "layers", .title = "Layers L", .unit = "", .group = GROUP_DEPTH,
    .help = "Residual layers between output and input. At a = ½ more of them change nothing any "
            "more, which is the purpose of that exponent.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = MOST_LAYERS, .step = 1, .fallback = 32,
    .logarithmic = true, .effect = SL_LIVE },
  [P_RATE] = {
    .id = "rate", .title = "Moving rate Q", .unit = "", .group = GROUP_LAYER,
    .help = "Sum of the squared tap weights without their scale: the expected number of moves of "
            "capacity at a = ½. Few moves leave a spike, many a Gaussian.",
    .formula = "Q = Σ_{k≠0} q_k;  D = ½ Σ k² q_k  (convention);  variance 2 D at a = ½",
    .source = "", .kind = SL_REAL, .lo = 0.01, .hi = 64, .step = 0.1, .fallback = 2,
    .logarithmic = true, .effect = SL_LIVE },
  [P_KERNEL] = {
    .id = "kernel", .title = "Taps", .unit = "", .group = GROUP_LAYER,
    .help = "Which neighbours a position reads, all with the same rate. Taps on one side only "
            "make capacity drift.",
    .formula = "D = ½ Σ k² q_k;  drift v = Σ k q_k  (ours)",
    .source = "", .kind = SL_CHOICE, .fallback = KERNEL_AROUND, .effect = SL_LIVE,
    .choices = kernels },
  [P_RADIUS] = {
    .id = "radius", .title = "Radius", .unit = "positions", .group = GROUP_LAYER,
    .help = "How far the taps reach. The rate is spread evenly over them, so a wider kernel "
            "diffuses faster with the same number of moves.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 8, .step = 1, .fallback = 3,
    .effect = SL_LIVE, .headline = SL_HEADLINE_ACTIVE },
  [P_DILATION] = {
    .id = "dilation", .title = "Dilation", .unit = "", .group = GROUP_LAYER,
    .help = "Distance between taps, largest at the output. Networks in practice have blocks that "
            "double; the continuum formula assumes smooth growth, which gives less.",
    .formula = "d = R^(1 − t), t from 0 at the output to 1 at the input;  D (t) = D d²  "
               "(convention)",
    .source = "Donier 2019, §4.6 (smooth growth)", .kind = SL_CHOICE, .fallback = DILATION_NONE,
    .effect = SL_LIVE, .choices = dilations },
  [P_REACH] = {
    .id = "reach", .title = "Largest dilation R", .unit = "positions", .group = GROUP_LAYER,
    .help = "Dilation of the layer at the output. The width of the field is then nearly R, "
            "divided by the root of log R. Layers round it to whole positions, the limit does "
            "not.",
    .formula = "D_eff = D (R² − 1) ÷ (2 ln R);  field ≈ R √(2 D ÷ ln R)",
    .source = "Donier 2019, §4.6", .kind = SL_REAL, .lo = 1, .hi = 64, .step = 1, .fallback = 8,
    .logarithmic = true, .effect = SL_LIVE },
  [P_LEAK] = {
    .id = "leak", .title = "Side inputs λ", .unit = "", .group = GROUP_LOSSES,
    .help = "Rate at which capacity goes to inputs that every layer gets; if depth is read as "
            "time, these are the inputs of a recurrent network. A share of e to the power -λ is "
            "left for the input.",
    .formula = "σ_z² = λ ÷ L;  e^(−λ) reaches the input at a = ½",
    .source = "Donier 2019, §4.4 and §4.9", .kind = SL_REAL, .lo = 0, .hi = 16, .step = 0.1,
    .fallback = 0.1, .effect = SL_LIVE },
  [P_BIAS] = {
    .id = "bias", .title = "Biases b", .unit = "", .group = GROUP_LOSSES,
    .help = "Rate at which capacity goes to the biases. If they are scaled as the weights are, "
            "biases and side inputs share what is lost as b to λ.",
    .formula = "σ_b² = b ÷ L",
    .source = "Donier 2019, §4.5", .kind = SL_REAL, .lo = 0, .hi = 16, .step = 0.1, .fallback = 0,
    .effect = SL_LIVE },
  [P_BIAS_SCALE] = {
    .id = "bias-scale", .title = "Biases scale", .unit = "", .group = GROUP_LOSSES,
    .help = "How the biases shrink with depth. Unscaled biases take capacity from the input "
            "exponentially; scaled twice they do not matter any more.",
    .source = "Donier 2019, §4.5, asks for the weights' scale", .kind = SL_CHOICE,
    .fallback = BIAS_WITH_WEIGHTS, .effect = SL_LIVE, .choices = bias_scales },
  [P_EDGE] = {
    .id = "edge", .title = "Boundary", .unit = "", .group = GROUP_LOSSES,
    .help = "How a tap that would read outside is treated. Zero padding loses capacity there; the "
            "others keep it. The theory of the paper has no boundary.",
    .source = "", .kind = SL_CHOICE, .fallback = SL_EDGE_PERIODIC, .effect = SL_LIVE,
    .choices = edges },
  [P_POSITION] = {
    .id = "position", .title = "Output position", .unit = "positions from the middle",
    .group = GROUP_DEPTH,
    .help = "Which output is examined. Near the boundary its field is different.",
    .source = "", .kind = SL_INTEGER, .lo = -512, .hi = 512, .step = 1, .fallback = 0,
    .effect = SL_LIVE },
  [P_RULE] = {
    .id = "rule", .title = "Rule", .unit = "", .group = GROUP_LAYER,
    .help = "How theory turns weights into shares. Squared shares hold at every depth, as the "
            "networks do; P = I + A/L is the Markov step of the paper and needs small rates.",
    .formula = "squared shares: p_k = s q_k ÷ (1 + s (q₀ + Q + λ + b));  P = I + A ÷ L: p_k = s "
               "q_k;  s = L^(−2a)",
    .source = "P = I + A/L: Donier 2019, §4.1; squared shares: ours", .kind = SL_CHOICE,
    .fallback = SL_CAPACITY_SQUARED, .effect = SL_LIVE, .choices = rules },
  [P_ACTIVATION] = {
    .id = "activation", .title = "Activation", .unit = "", .group = GROUP_NETWORKS,
    .help = "The irregular sine represents the very irregular activations that the theory "
            "assumes. In a linear network capacity spreads as well, but gradients never shatter.",
    .formula = "φ (u) = (√2 ÷ ω) sin (ω u + ψ), ψ uniform for each channel  (ours)",
    .source = "", .kind = SL_CHOICE, .fallback = SL_SHATTER_SINE, .effect = SL_LIVE,
    .choices = activations },
  [P_OMEGA] = {
    .id = "omega", .title = "Irregularity ω", .unit = "", .group = GROUP_NETWORKS,
    .help = "Frequency of the sine. Near 0 it is linear; if it is large, neighbouring inputs have "
            "unrelated slopes.",
    .formula = "φ (u) = (√2 ÷ ω) sin (ω u + ψ)  (ours)",
    .source = "", .kind = SL_REAL, .lo = 0.05, .hi = 32, .step = 0.5, .fallback = 8,
    .logarithmic = true, .effect = SL_LIVE, .needs = "activation=sine" },
  [P_MIXING] = {
    .id = "mixing", .title = "Channel mixing", .unit = "", .group = GROUP_NETWORKS,
    .help = "At 1 a tap reads all channels alike, at 0 only its own. The sum over channels "
            "spreads the same way for every value.",
    .source = "Donier 2019, §4.7 (the sum over channels); the slider is ours", .kind = SL_REAL,
    .lo = 0, .hi = 1, .step = 0.05, .fallback = 1, .effect = SL_LIVE },
  [P_CHANNELS] = {
    .id = "channels", .title = "Channels", .unit = "", .group = GROUP_NETWORKS,
    .help = "Channels of each random network. With few of them single networks deviate from the "
            "theory; their mean does not.",
    .formula = "weights ∝ 1 ÷ √(L C)",
    .source = "Donier 2019, §4.7: weights shrink as their root", .kind = SL_INTEGER, .lo = 1,
    .hi = 32, .step = 1, .fallback = 16, .logarithmic = true, .effect = SL_RESTART },
  [P_POSITIONS] = {
    .id = "positions", .title = "Positions", .unit = "", .group = GROUP_NETWORKS,
    .help = "Length of the lattice. It should be at least eight standard deviations; otherwise "
            "capacity comes back from the other side.",
    .source = "", .kind = SL_INTEGER, .lo = 9, .hi = MOST_POSITIONS, .step = 2, .fallback = 65,
    .logarithmic = true, .effect = SL_RESTART },
  [P_GRADIENTS] = {
    .id = "gradients", .title = "Compare gradients", .unit = "", .group = GROUP_NETWORKS,
    .help = "Each update also adds a fully connected network and compares its gradients at 64 "
            "inputs on a circle. If it is off, updates are faster.",
    .source = "", .kind = SL_BOOLEAN, .fallback = 1, .effect = SL_LIVE },
  [P_WIDTH] = {
    .id = "width", .title = "Width of these", .unit = "units", .group = GROUP_NETWORKS,
    .help = "Units per layer of the networks whose gradients are compared. The theory holds for "
            "widths far larger than the depth.",
    .source = "", .kind = SL_INTEGER, .lo = 8, .hi = 512, .step = 1, .fallback = 256,
    .logarithmic = true, .effect = SL_RESTART },
  [P_TRAIN] = {
    .id = "train", .title = "Train at growing depth", .unit = "", .group = GROUP_TRAINED,
    .help = "Each update also trains a small network once: tuned at 8 layers, then only deeper. "
            "Which exponent still learns at 64?",
    .source = "", .kind = SL_BOOLEAN, .fallback = 1, .effect = SL_LIVE },
  [P_BALANCED] = {
    .id = "balanced", .title = "Remove the blow-up", .unit = "", .group = GROUP_TRAINED,
    .help = "Divides each layer by the root of 1 + β², so that gradients cannot explode. At a = 0 "
            "training fails nevertheless. A change begins this part anew.",
    .formula = "h′ = (h + β f (h)) ÷ √(1 + β²)",
    .source = "", .kind = SL_BOOLEAN, .fallback = 0, .effect = SL_LIVE },
  [P_STRENGTH] = {
    .id = "strength", .title = "Strength β at 8 layers", .unit = "", .group = GROUP_TRAINED,
    .help = "Scale of the residual weights at depth 8; at depth L it is times (L/8) to the -a. "
            "Weak layers do not reach as far as the task needs.",
    .formula = "β (L) = β (L ÷ 8)^(−a)",
    .source = "", .kind = SL_REAL, .lo = 0.1, .hi = 4, .step = 0.1, .fallback = 1,
    .logarithmic = true, .effect = SL_LIVE },
  [P_DISTANCE] = {
    .id = "distance", .title = "Distance of the task", .unit = "positions", .group = GROUP_TRAINED,
    .help = "The network has to multiply the two inputs at this distance to its left and right. "
            "Compare it with the standard deviation that theory gives.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 15, .step = 1, .fallback = 3,
    .effect = SL_LIVE },
  [P_UPDATES] = {
    .id = "transfer-updates", .title = "Updates per network", .unit = "updates",
    .group = GROUP_TRAINED,
    .help = "Training of each of the small networks; the mean loss of its last 20 updates "
            "counts.",
    .source = "", .kind = SL_INTEGER, .lo = 30, .hi = 5000, .step = 10, .fallback = 250,
    .logarithmic = true, .effect = SL_LIVE },
  [P_DEEPEST] = {
    .id = "deepest", .title = "Deepest", .unit = "layers", .group = GROUP_TRAINED,
    .help = "The depths are 8, 16, 32 and so on up to this. Twice as deep takes twice as long.",
    .source = "", .kind = SL_INTEGER, .lo = 8, .hi = 128, .step = 8, .fallback = 64,
    .logarithmic = true, .effect = SL_LIVE },
  [P_LEARNING_RATE] = {
    .id = "learning-rate", .title = "Learning rate", .unit = "", .group = GROUP_TRAINED,
    .help = "Learning rate of Adam, the same at every depth: the question is whether it has to be "
            "tuned again.",
    .source = "", .kind = SL_REAL, .lo = 1e-5, .hi = 0.1, .step = 1e-3, .fallback = 3e-3,
    .logarithmic = true, .effect = SL_LIVE },
  [P_TOY_MODEL] = {
    .id = "model", .title = "Weights", .unit = "", .group = GROUP_LINEAR,
    .help = "How the weights of a linear model depend on its parameters. Tied and multiplied "
            "ones spend capacity unevenly.",
    .source = "Donier 2019, eq. 1, for the idea; the models are ours", .kind = SL_CHOICE,
    .fallback = TOY_ONE, .effect = SL_LIVE, .choices = toys },
  [P_TOY_INPUTS] = {
    .id = "inputs", .title = "Inputs", .unit = "", .group = GROUP_LINEAR,
    .help = "Inputs of the linear model. Its total capacity is the number of parameters that "
            "count, however many inputs share it.",
    .source = "", .kind = SL_INTEGER, .lo = 3, .hi = 16, .step = 1, .fallback = 7,
    .effect = SL_LIVE },
  [P_TOY_CORRELATION] = {
    .id = "correlation", .title = "Correlation", .unit = "", .group = GROUP_LINEAR,
    .help = "Correlation of neighbouring inputs. A single weight then also spends capacity on its "
            "neighbours, because it models them as well.",
    .source = "", .kind = SL_REAL, .lo = 0, .hi = 0.95, .step = 0.05, .fallback = 0.5,
    .effect = SL_LIVE },
  [P_TOY_METRIC] = {
    .id = "metric", .title = "Metric", .unit = "", .group = GROUP_LINEAR,
    .help = "The projector that capacity is measured with; both fit what the paper says, and "
            "agree where inputs are uncorrelated.",
    .formula = "K_A projects on range (C J), K_B on range (C^½ J);  κᵢ = Kᵢᵢ  (convention)",
    .source = "", .kind = SL_CHOICE, .fallback = 0, .effect = SL_LIVE, .choices = metrics },
  [P_TOY_RIDGE] = {
    .id = "ridge", .title = "Ridge penalty ρ", .unit = "", .group = GROUP_LINEAR,
    .help = "Above 0 parameters count only in part, and the total is the usual effective "
            "degrees of freedom. It is measured after whitening.",
    .formula = "K = G (GᵀG + ρ I)⁻¹ Gᵀ, G = C^½ J  (ours)",
    .source = "", .kind = SL_REAL, .lo = 0, .hi = 10, .step = 0.1, .fallback = 0,
    .effect = SL_LIVE },
  [P_REPORT] = {
    .id = "report-every", .title = "Report every", .unit = "updates", .group = SL_GROUP_MEASURING,
    .help = "Updates between two points of the curves over updates. Each point is about the "
            "network of that update alone.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 1,
    .logarithmic = true, .effect = SL_LIVE },
};
/* clang-format on */

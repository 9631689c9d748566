/* SPDX-License-Identifier: MIT
 *
 * The knobs and trials of the lab `capacity`, in words.  What the paper says in prose is attributed
 * to it; constants, extensions and finite-size facts are ours, and called so.  */
#include "core/labs/capacity/tables.h"

#include "core/lab/kit/params.h"
#include "core/labs/capacity/math/capacity.h"
#include "core/labs/capacity/math/shatter.h"

#define GROUP_DEPTH "Depth"
#define GROUP_LAYER "One layer"
#define GROUP_LOSSES "Where capacity can go"
#define GROUP_NETWORKS "Random networks"
#define GROUP_TRAINED "Depth transfer"
#define GROUP_LINEAR "Linear model"

/* clang-format off */
const SlParam sl_capacity_params[N_PARAMS] = {
  [P_EXPONENT] = { .id = "exponent", .title = "Exponent a", .group = GROUP_DEPTH, .kind = SL_REAL,
    .lo = 0, .hi = 1.5, .step = 0.05, .fallback = 0.5,
    .help = "At a = 0 capacity is shattered, at ½ it diffuses, at 1 it stays in place.",
    .formula = "w_k = √q_k · L^(−a)",
    .source = "Donier 2019, §4.1, has a = ½; the slider is ours" },
  [P_LAYERS] = { .id = "layers", .title = "Layers L", .group = GROUP_DEPTH, .kind = SL_INTEGER,
    .lo = 1, .hi = MOST_LAYERS, .step = 1, .fallback = 32, .logarithmic = true,
    .help = "At a = ½ more layers change nothing: the purpose of that exponent." },
  [P_RATE] = { .id = "rate", .title = "Moving rate Q", .group = GROUP_LAYER, .kind = SL_REAL,
    .lo = 0.01, .hi = 64, .step = 0.1, .fallback = 2, .logarithmic = true,
    .help = "Expected number of moves of capacity at a = ½. Few moves leave a spike, many a "
            "Gaussian.",
    .formula = "Q = Σ_{k≠0} q_k;  D = ½ Σ k² q_k  (convention);  variance 2 D at a = ½" },
  [P_KERNEL] = { .id = "kernel", .title = "Taps", .group = GROUP_LAYER, .kind = SL_CHOICE,
    .fallback = KERNEL_AROUND,
    .help = "Neighbours that a position reads. One-sided taps make capacity drift.",
    .formula = "D = ½ Σ k² q_k;  drift v = Σ k q_k  (ours)",
    SL_CHOICES ({ "around", "To both sides" }, { "with-centre", "To both sides and in place" },
      { "causal", "To one side" }) },
  [P_RADIUS] = { .id = "radius", .title = "Radius", .unit = "positions", .group = GROUP_LAYER,
    .kind = SL_INTEGER, .lo = 1, .hi = 8, .step = 1, .fallback = 3, .headline = SL_HEADLINE_ACTIVE,
    .help = "How far the taps reach." },
  [P_DILATION] = { .id = "dilation", .title = "Dilation", .group = GROUP_LAYER, .kind = SL_CHOICE,
    .fallback = DILATION_NONE,
    .help = "Distance between taps, largest at the output. In practice it doubles in blocks; the "
            "continuum formula assumes smooth growth, which gives less.",
    .formula = "d = R^(1 − t), t from 0 at the output to 1 at the input;  D (t) = D d²  "
               "(convention)",
    .source = "Donier 2019, §4.6 (smooth growth)",
    SL_CHOICES ({ "none", "None" }, { "smooth", "Smooth growth from 1 to R" },
      { "blocks", "Blocks of 1, 2, 4 … R" }) },
  [P_REACH] = { .id = "reach", .title = "Largest dilation R", .unit = "positions",
    .group = GROUP_LAYER, .kind = SL_REAL, .lo = 1, .hi = 64, .step = 1, .fallback = 8,
    .logarithmic = true,
    .help = "Dilation of the layer at the output; layers round it to whole positions, the limit "
            "does not.",
    .formula = "D_eff = D (R² − 1) ÷ (2 ln R);  field ≈ R √(2 D ÷ ln R)",
    .source = "Donier 2019, §4.6" },
  [P_LEAK] = { .id = "leak", .title = "Side inputs λ", .group = GROUP_LOSSES, .kind = SL_REAL,
    .lo = 0, .hi = 16, .step = 0.1, .fallback = 0.1,
    .help = "Rate at which capacity goes to inputs of every layer. If depth is time, these are "
            "the inputs of a recurrent network.",
    .formula = "σ_z² = λ ÷ L;  e^(−λ) reaches the input at a = ½",
    .source = "Donier 2019, §4.4 and §4.9" },
  [P_LEAK_SCALE] = { .id = "side-scale", .title = "Side inputs scale", .group = GROUP_LOSSES,
    .kind = SL_CHOICE, .fallback = SCALE_WITH_WEIGHTS,
    .help = "Unscaled side inputs take all capacity: the memory is one or two steps long. In the "
            "recall task they shrink as 1/√T, not at all, or as 1/T.",
    .source = "Donier 2019, §4.4 and §4.9, asks for the weights' scale",
    SL_CHOICES ({ "weights", "As the weights, L^-a" }, { "unscaled", "Not at all" },
      { "twice", "Twice as the weights, L^-2a" }) },
  [P_BIAS] = { .id = "bias", .title = "Biases b", .group = GROUP_LOSSES, .kind = SL_REAL, .lo = 0,
    .hi = 16, .step = 0.1, .fallback = 0,
    .help = "Rate at which capacity goes to the biases.",
    .formula = "σ_b² = b ÷ L", .source = "Donier 2019, §4.5" },
  [P_BIAS_SCALE] = { .id = "bias-scale", .title = "Biases scale", .group = GROUP_LOSSES,
    .kind = SL_CHOICE, .fallback = SCALE_WITH_WEIGHTS,
    .help = "Unscaled biases take capacity from the input exponentially; twice scaled ones do "
            "not matter.",
    .source = "Donier 2019, §4.5, asks for the weights' scale",
    SL_CHOICES ({ "weights", "As the weights, L^-a" }, { "unscaled", "Not at all" },
      { "twice", "Twice as the weights, L^-2a" }) },
  [P_EDGE] = { .id = "edge", .title = "Boundary", .group = GROUP_LOSSES, .kind = SL_CHOICE,
    .fallback = SL_EDGE_PERIODIC,
    .help = "Zero padding loses capacity, the others keep it.",
    /* In the order of SlCapacityEdge. */
    SL_CHOICES ({ "periodic", "Periodic" }, { "reflecting", "Reflecting" },
      { "absorbing", "Absorbing (zeros)" }, { "renormalised", "Absent taps left out" }) },
  [P_POSITION] = { .id = "position", .title = "Output position",
    .unit = "positions from the middle", .group = SL_GROUP_VIEW, .view = true, .kind = SL_INTEGER, .lo = -512,
    .hi = 512, .step = 1, .fallback = 0,
    .help = "Near the boundary the field of an output is different." },
  [P_RULE] = { .id = "rule", .title = "Rule", .group = GROUP_LAYER, .kind = SL_CHOICE,
    .fallback = SL_CAPACITY_SQUARED,
    .help = "Squared shares hold at every depth, as the networks do; the paper's Markov step P = "
            "I + A/L needs small rates.",
    .formula = "squared shares: p_k = s q_k ÷ (1 + s (q₀ + Q + λ + b));  P = I + A ÷ L: p_k = s "
               "q_k;  s = L^(−2a)",
    .source = "P = I + A/L: Donier 2019, §4.1; squared shares: ours",
    SL_CHOICES ({ "squared", "Squared shares" }, { "markov", "P = I + A/L" }) },
  [P_ACTIVATION] = { .id = "activation", .title = "Activation", .group = GROUP_NETWORKS,
    .kind = SL_CHOICE, .fallback = SL_SHATTER_SINE,
    .help = "The theory assumes very irregular activations, as the sine. In a linear network "
            "gradients never shatter.",
    .formula = "φ (u) = (√2 ÷ ω) sin (ω u + ψ), ψ uniform for each channel  (ours)",
    /* In the order of SlShatter. */
    SL_CHOICES ({ "linear", "Linear" }, { "rectifier", "Rectifier" }, { "sine", "Irregular sine" },
      { "tanh", "tanh" }) },
  [P_OMEGA] = { .id = "omega", .title = "Irregularity ω", .group = GROUP_NETWORKS, .kind = SL_REAL,
    .lo = 0.05, .hi = 32, .step = 0.5, .fallback = 8, .logarithmic = true,
    .needs = "activation=sine",
    .help = "Near 0 the sine is linear; at large values neighbouring inputs have unrelated "
            "slopes." },
  [P_MIXING] = { .id = "mixing", .title = "Channel mixing", .group = GROUP_NETWORKS,
    .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.05, .fallback = 1,
    .help = "At 1 a tap reads all channels alike, at 0 only its own.",
    .source = "Donier 2019, §4.7 (the sum over channels); the slider is ours" },
  [P_CHANNELS] = { .id = "channels", .title = "Channels", .group = GROUP_NETWORKS,
    .kind = SL_INTEGER, .lo = 1, .hi = 32, .step = 1, .fallback = 16, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "With few channels single networks deviate from the theory; their mean does not.",
    .formula = "weights ∝ 1 ÷ √(L C)",
    .source = "Donier 2019, §4.7: weights shrink as their root" },
  [P_CHANNEL_SCALE] = { .id = "channel-scale", .title = "Scale with channels",
    .group = GROUP_NETWORKS, .kind = SL_CHOICE, .fallback = CHANNELS_SCALED,
    .help = "Unscaled weights act like rates C times as large: gradients explode, and capacity "
            "is shattered.",
    .formula = "weights ∝ 1 ÷ √(L C), or 1 ÷ √L: then q_k counts C times",
    .source = "Donier 2019, §4.7, asks for 1/√C",
    SL_CHOICES ({ "scaled", "As 1/√C" }, { "unscaled", "Not at all" }) },
  [P_POSITIONS] = { .id = "positions", .title = "Positions", .group = GROUP_NETWORKS,
    .kind = SL_INTEGER, .lo = 9, .hi = MOST_POSITIONS, .step = 2, .fallback = 65,
    .logarithmic = true, .effect = SL_RESTART,
    .help = "Length of the lattice. Below eight standard deviations capacity comes back from the "
            "other side." },
  [P_TIED] = { .id = "tied", .title = "Tied weights", .group = GROUP_NETWORKS, .kind = SL_BOOLEAN,
    .fallback = 0,
    .help = "As in a recurrent network, all layers share weights. The theory then holds only for "
            "a very irregular activation (ω of 32); otherwise gradients explode at 1/√L." },
  [P_ALL_LAYERS] = { .id = "all-layers", .title = "Output of all layers", .group = GROUP_NETWORKS,
    .kind = SL_BOOLEAN, .fallback = 1,
    .help = "Also examines an output that reads every layer.",
    .source = "Donier 2019, §4.2" },
  [P_IMAGES] = { .id = "images", .title = "Networks over images", .group = SL_GROUP_VIEW, .view = true,
    .kind = SL_BOOLEAN, .fallback = 0,
    .help = "Adds a two-dimensional random network in each update: 4 channels, 33 × 33 "
            "positions, at most 64 layers. Updates take several times as long.",
    .source = "Donier 2019, §4.8" },
  [P_GRADIENTS] = { .id = "gradients", .title = "Compare gradients", .group = GROUP_NETWORKS,
    .kind = SL_BOOLEAN, .fallback = 1,
    .help = "Adds a fully connected network in each update, with gradients at 64 inputs on a "
            "circle." },
  [P_WIDTH] = { .id = "width", .title = "Width", .unit = "units", .group = GROUP_NETWORKS,
    .kind = SL_INTEGER, .lo = 8, .hi = 512, .step = 1, .fallback = 128, .logarithmic = true,
    .effect = SL_RESTART,
    .help = "Units per layer of these networks." },
  [P_TRAIN] = { .id = "train", .title = "Train at growing depth", .group = GROUP_TRAINED,
    .kind = SL_BOOLEAN, .fallback = 1,
    .help = "Trains a small network once in each update: tuned at 8 layers, then only deeper." },
  [P_TASK] = { .id = "task", .title = "Task", .group = GROUP_TRAINED, .kind = SL_CHOICE,
    .fallback = TASK_PRODUCT,
    .help = "A deep network multiplies two inputs. A recurrent one recalls its first input, "
            "moved by the distance.",
    .source = "Donier 2019, §4.9: local recurrence \"ought to be tried\"; the tasks are ours",
    SL_CHOICES ({ "product", "Product of two inputs (deep)" },
      { "recall", "Recall of the first input (recurrent)" }) },
  [P_BALANCED] = { .id = "balanced", .title = "Remove the blow-up", .group = GROUP_TRAINED,
    .kind = SL_BOOLEAN, .fallback = 0,
    .help = "Divides each layer so that gradients cannot explode. At a = 0 training fails "
            "nevertheless.",
    .formula = "h′ = (h + β f (h)) ÷ √(1 + β²)" },
  [P_STRENGTH] = { .id = "strength", .title = "Strength β at 8 layers", .group = GROUP_TRAINED,
    .kind = SL_REAL, .lo = 0.1, .hi = 4, .step = 0.1, .fallback = 1, .logarithmic = true,
    .help = "Scale of the residual weights. Weak layers do not reach far enough for the task.",
    .formula = "β (L) = β (L ÷ 8)^(−a)" },
  [P_DISTANCE] = { .id = "distance", .title = "Distance of the task", .unit = "positions",
    .group = GROUP_TRAINED, .kind = SL_INTEGER, .lo = 1, .hi = 15, .step = 1, .fallback = 3,
    .help = "Distance to the inputs that the network multiplies, left and right, or recalls, "
            "left." },
  [P_UPDATES] = { .id = "transfer-updates", .title = "Updates per network", .unit = "updates",
    .group = GROUP_TRAINED, .kind = SL_INTEGER, .lo = 30, .hi = 5000, .step = 10, .fallback = 250,
    .logarithmic = true,
    .help = "The mean loss of the last 20 updates counts." },
  [P_DEEPEST] = { .id = "deepest", .title = "Deepest", .unit = "layers", .group = GROUP_TRAINED,
    .kind = SL_INTEGER, .lo = 8, .hi = 128, .step = 8, .fallback = 64, .logarithmic = true,
    .help = "Depths are 8, 16, 32 and so on." },
  [P_LEARNING_RATE] = { .id = "learning-rate", .title = "Learning rate", .group = GROUP_TRAINED,
    .kind = SL_REAL, .lo = 1e-5, .hi = 0.1, .step = 1e-3, .fallback = 3e-3, .logarithmic = true,
    .help = "Learning rate of Adam, the same at every depth." },
  [P_TOY_MODEL] = { .id = "model", .title = "Weights", .group = GROUP_LINEAR, .kind = SL_CHOICE,
    .fallback = TOY_ONE,
    .help = "Tied and multiplied weights spend capacity unevenly.",
    .source = "Donier 2019, eq. 1, for the idea; the models are ours",
    SL_CHOICES ({ "tied", "Mirrored weights" }, { "one", "Only the middle weight" },
      { "product", "First = second × third" }, { "free", "All free" }) },
  [P_TOY_INPUTS] = { .id = "inputs", .title = "Inputs", .group = GROUP_LINEAR, .kind = SL_INTEGER,
    .lo = 3, .hi = 16, .step = 1, .fallback = 7,
    .help = "Total capacity is the number of independent parameters, however many inputs share "
            "it." },
  [P_TOY_CORRELATION] = { .id = "correlation", .title = "Correlation", .group = GROUP_LINEAR,
    .kind = SL_REAL, .lo = 0, .hi = 0.95, .step = 0.05, .fallback = 0.5,
    .help = "Of neighbouring inputs." },
  [P_TOY_METRIC] = { .id = "metric", .title = "Metric", .group = GROUP_LINEAR, .kind = SL_CHOICE,
    .fallback = 0,
    .help = "Projector that measures capacity.",
    .formula = "K_A projects on range (C J), K_B on range (C^½ J);  κᵢ = Kᵢᵢ  (convention)",
    /* In the order of SlLinearMetric. */
    SL_CHOICES ({ "weights", "Constraints on the weights" }, { "whitened", "After whitening" }) },
  [P_TOY_RIDGE] = { .id = "ridge", .title = "Ridge penalty ρ", .group = GROUP_LINEAR,
    .kind = SL_REAL, .lo = 0, .hi = 10, .step = 0.1, .fallback = 0,
    .help = "Above 0 the total is the usual effective degrees of freedom, measured after "
            "whitening.",
    .formula = "K = G (GᵀG + ρ I)⁻¹ Gᵀ, G = C^½ J  (ours)" },
  [P_REPORT] = { .id = "report-every", .title = "Report every", .unit = "updates",
    .group = SL_GROUP_VIEW, .view = true, .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 1,
    .logarithmic = true,
    .help = "Each point of the curves shows the network of that update alone." },
};
/* clang-format on */

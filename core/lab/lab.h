/* SPDX-License-Identifier: MIT
 *
 * The extension point: a lab is one const descriptor of one conditional-computation
 * system.  From it come the form, the plots, the command line, the exports, the help
 * and the enrolment in the tests.  A new system is one folder in
 * core/labs and one line in core/labs/meson.build.
 *
 * Threads: a lab state belongs to one thread at a time (the trainer's).  Descriptors
 * are const and may be read anywhere.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/param.h"
#include "core/base/real.h"
#include "core/base/status.h"
#include "core/data/image/bitmap.h"
#include "core/data/set/dataset.h"
#include "core/lab/sink.h"

typedef enum {
  SL_SERIES,  /* values over steps, published by step() */
  SL_HISTORY, /* the same for many channels of one kind (experts): rows of a heat map over steps,
               * numbered from 1; with a range in y a histogram over time, its bins upwards */
  SL_SHARES,  /* the same, stacked: what part of their sum each channel has */
  SL_PROFILE, /* y(x), published by probe() */
  SL_BARS,    /* one value per category, published by probe() */
  SL_HEATMAP, /* a matrix of values, published by probe() */
  SL_IMAGE,   /* tiles of pixels, grey or in colour, published by probe() */
  SL_MAP,     /* what happens over a plane of inputs; made from map() for every lab that has it */
  SL_ALIVE,   /* what a network decides about one example, published by probe() (alive.h) */
  SL_N_PANEL_KINDS,
} SlPanelKind;

/* True for the kinds whose values come from step() and are kept over all steps. */
static inline bool
sl_panel_is_series (SlPanelKind kind)
{
  return kind == SL_SERIES || kind == SL_HISTORY || kind == SL_SHARES;
}

typedef struct
{
  const char *label;  /* "error"; NULL: none, and for x of what step() publishes what a
                      * step is called */
  const char *unit;   /* "%"; NULL: none */
  double      lo, hi; /* a range that is always shown, or lo = hi: follow the data */
  bool        logarithmic;
  bool        whole;       /* counts and numbers of things: no tick between whole numbers */
  double      least, most; /* what can be at all: no tick lies beyond.  least = most: 0 to 100 where
                            * the unit is "%", else anything */
} SlAxis;

typedef enum {
  SL_MEASURED,  /* counted or computed from this run */
  SL_TARGET,    /* the wished value */
  SL_THEORY,    /* what a formula says */
  SL_REFERENCE, /* a bound, a baseline, a twin */
  SL_PUBLISHED, /* a number from the paper */
} SlStyle;

typedef struct
{
  const char *id, *title, *unit, *help;
  SlStyle     style;
  const char *each; /* one instance per element of this list parameter, or as many as this
                     * integer parameter says ("layer 1", "expert 1", …); it restarts the run.  A product
                     * of such ("experts*split") has the word of the first for one.  NULL: one */
  unsigned    rows; /* HISTORY: at most so many instances; where there are more elements, each is
                     * that of a range of them (sl_layout_span()).  0: as many as there are */
  const char
    *formerly; /* "panel.trace" of earlier versions, whose stored runs are still read; or NULL */
} SlTrace;

/* What a panel is about, in the order in which groups of panels are shown. */
typedef enum {
  SL_SHOWS_NOTHING, /* no panel */
  SL_SHOWS_WORK,    /* what the system does */
  SL_SHOWS_QUALITY, /* how well it does that */
  SL_SHOWS_COST,
  SL_SHOWS_GATE, /* what goes on inside the gate */
  SL_N_PANEL_GROUPS,
} SlPanelGroup;

typedef struct
{
  const char  *id, *title, *help;
  SlPanelGroup group;
  const char  *source; /* "Davis 2016, fig. 3.2"; NULL: ours */
  SlPanelKind  kind;
  SlAxis       x, y;
  SlAxis       z;      /* HISTORY, HEATMAP: the colour; lo = hi: as the snapshot says */
  double       centre; /* inside the range of the colour: the neutral value of a diverging scale */
  const char  *zero;   /* HISTORY, HEATMAP: what a value of exactly 0 is called; those cells are
                       * hatched.  NULL: nothing special */
  const char  *of;     /* HISTORY, SHARES: shows the traces of this panel and has none; or NULL */
  const char *needs; /* as SlParam.needs: the panel is not shown while it does not hold.  Also facts
                       * of the data, as sl_dataset_has() has them.  Or NULL */
  const char           *
    picks; /* an integer parameter that a click on a row sets: its `lo` by the first row, and so on; or NULL */
  const char *drags;   /* PROFILE, HEATMAP: a live number that dragging the snapshot's mark sets; it
                       * is counted as x is.  Or NULL */
  bool        stacked; /* BARS: the traces are parts of one bar per category */
  bool        many;    /* MAP: of so many units that hardly two inputs share a pattern: the colours
                        * say at first how many are on, else which */
  const SlTrace     *traces;        /* ended by one without an id; NULL: none */
  const char *const *categories;    /* BARS: names along x, ended by NULL */
  double             probe_seconds; /* kinds that are probed: wished time between probes */
  const char        *formula;       /* as SlParam.formula; or NULL */
} SlPanel;

/* The traces of a panel and the names of its categories, written where the panel is. */
/* clang-format off */
#define SL_TRACES(...) .traces = (const SlTrace[]) { __VA_ARGS__, { 0 } }
#define SL_NAMES(...) (const char *const[]) { __VA_ARGS__, NULL }
/* clang-format on */

/* A piece of memory that, with the others, is everything that changes in a lab
 * state; a checkpoint copies them, in order.  */
typedef struct
{
  const char *name;
  void       *data;
  size_t      bytes;
} SlBlob;

enum { SL_BLOBS_MAX = 24, SL_SCORES_MAX = 40 };

/* A figure of a finished (or paused) run on a whole split. */
typedef struct
{
  const char *id, *title, *unit;
  double      value;
} SlScore;

/* The one of this id among names (ended by one without an id), with a value. */
SlScore sl_score (const SlScore *names, const char *id, double value);

/* How far a run is and what it has done so far. */
typedef struct
{
  double examples; /* training examples seen */
  double epochs;   /* the same in passes over the training split */
  double
    multiplications; /* multiply-adds done by the training steps so far, forward and backward */
} SlProgress;

/* What a network does with one input, for pictures of the input space. */
enum { SL_CELL_HASH = 63, SL_MAP_BATCH = 512 };

typedef struct
{
  uint64_t pattern;    /* which units or experts are on: bit i for number i as long as there are
                        * fewer than SL_CELL_HASH of them, else a hash with that bit set */
  uint32_t top;        /* the expert, leaf or unit that counts most, from 0 */
  uint32_t active;     /* how many units or experts are on */
  uint32_t label;      /* the class decided for */
  sl_real  confidence; /* of the gate: from 0, could be either way, to 1 */
  sl_real  margin;     /* probability of `label` minus that of the next best class */
  sl_real  cost;       /* multiplications for this input */
  sl_real  misjudged; /* share of the gates that an estimate got wrong; 0 where nothing estimates */
} SlCell;

/* A small run for the tests that every lab is enrolled in: gradients, determinism,
 * checkpoints.  Together, a lab's trials reach all its branches.  */
typedef struct
{
  const char *data;     /* specification of a data set (source.h) */
  const char *settings; /* "id=value id=value …"; other parameters keep their defaults */
} SlTrial;

/* How a lab appears on the start page, as one of a few small live plots. */
typedef struct
{
  const char *idea;   /* a heading of two or three words: "Gate density" */
  const char *panel;  /* id of the panel that is shown */
  const char *traces; /* ids of those of its traces that are shown at first, with spaces between
                         * them; NULL: all */
  const char *words;  /* the figure to read beside it.  An id in braces is replaced by the newest
                       * value of that channel; a colon and its decimals may follow, then another
                       * colon and over how many newest values to take the mean: "CV {cv.hard:2:20},
                       * floor {cv.floor:2}".  An id without the number of an instance is the mean
                       * of all instances */
  const char *expected, *executed; /* channels of costs in % of dense; NULL: has none */
  const char *error,
    *dense;             /* channels of the error in %, of the network as it skips and of one that
                              * computes everything, on the same examples; NULL: has none */
  const char *settings; /* what makes it small enough to train beside others: "id=value …" */
} SlSummary;

/* Trouble that a run can get into, as a series shows it; judged by core/run/record/health.h. */
typedef struct
{
  const char *id;
  const char *channel; /* without the number of an instance: one of them is enough */
  const char *than;    /* a channel by which it is divided; NULL: none */
  bool        loss;    /* it is the loss, judged as that of every lab, by its own earlier values */
  double begins, ends; /* there is trouble from values beyond `begins` on until they are back at
                             * `ends`; begins > ends: large values are bad, else small ones */
  const char *words;   /* a sentence on what happened */
  const char *knobs;   /* ids of the parameters that may have done it, the likeliest first, with
                             * spaces between them */
} SlHealth;

typedef struct SlPasses SlPasses; /* core/lab/kit/clock.h */

/* A forward pass for the host to time, and the dense one, on the present weights, as a deployed
 * network has them; and two bars that show the figure: of one example, and of the run's batch.  */
typedef struct
{
  const char *channel;  /* of a probed panel of bars, whose probe leaves the two empty */
  unsigned    bar;      /* the first of the two, from 0 */
  bool        speed_up; /* they are dense ÷ conditional, else conditional ÷ dense */

  /* Gets ready for passes of up to the run's batch and returns how many examples that are; 0: there is
   * nothing to time.  This and both passes change nothing that a later step can see.  */
  size_t (*begin) (SlPasses *passes);

  /* Run the first `passes->batch` examples.  Allocate nothing. */
  void (*dense) (SlPasses *passes);
  void (*conditional) (SlPasses *passes);
} SlClock;

/* Channels of costs in % of dense; NULL: has none. */
typedef struct
{
  const char *expected, *executed;
  /* Of the axis that they have in a plot of the error; NULL: multiplications, % of dense. */
  const char *label, *unit;
  bool        parameters; /* a score of this name counts the trainable numbers, in thousands */
} SlCosts;

/* Scores that are parts of a whole, in %: the share of the examples on each way. */
typedef struct
{
  const char *prefix; /* of their ids: "way-" */
  const char *one;    /* what one of them is called, before what follows the prefix: "way" */
  const char *title, *label;
  const char *source; /* "Liu and Deng 2017, figure 4", or NULL when it is ours */
} SlLabParts;

/* A network that every run has beside its own, to be compared with. */
typedef struct
{
  const char *title; /* "same weights, all computed" */
  const char *
    error; /* id of the score that has its error; with a "-" at its end there are several, numbered from 1 */
  const char *
    cost; /* of the score, numbered likewise, or channel with its multiplications in % of dense; NULL: it is
                      * the dense network, 100 */
} SlBaseline;

/* A sweep worth making: what the lab's source is about, as one button. */
typedef struct
{
  const char *id, *title; /* "lambda", "Sweep λ" */
  const char *help;       /* a sentence on what it shows */
  const char
    *axes; /* as they are typed (core/run/sweep/sweep.h), with spaces between: at most two of
            * "lambda=0:1:11 levels=2,3"; the first names the parameter that has the button in the
            * form */
  const char *settings; /* of all its runs, "id=value …"; NULL: as they are */
  const char *seeds;    /* "1-3" */
  uint64_t    steps;    /* of each run, enough to tell the settings apart */
} SlSweepHint;

/* A warning about the data that the user should read before trusting a figure, and the settings
 * that treat the data in the other way: a sentence with a button.  */
typedef struct
{
  SlMessage   words;    /* SL_NO_MESSAGE: nothing is offered */
  const char *title;    /* of the button: "Count them"; marked with SL_MARK */
  const char *settings; /* what the button sets: "id=value …" */
} SlOffer;

/* Settings worth knowing, chosen at once; they begin a new run. */
typedef struct
{
  const char *id, *title; /* "paper", "As in the Paper" */
  const char *help;       /* a sentence on what it shows */
  const char *settings;   /* what differs from the defaults, "id=value …" */
  const char
    *panels; /* ids of the panels that tell it, with spaces between them: a window pins them
                       * to the top; or NULL */
  const char *const *
    holds; /* what a run decides of the help, for a test with several seeds: updates to train (with settings
             * to change before them: "bias-rule=sign 250"), and behind them claims as lessons make them
             * ("violation.batch < 3 in 9 of 10"); ended by NULL; or NULL */
} SlPreset;

enum { SL_FRONT_PLOTS = 4, SL_FRONT_KNOBS = 5, SL_FRONT_BARS = 3 };

/* A figure that is shown as a bar. */
typedef struct
{
  const char *title;   /* "width" */
  const char *channel; /* the newest value counts, of several instances their mean */
  const char *mark;    /* a channel with the value to compare it with; or NULL */
  const char *unit;    /* "%" or "pixels"; NULL: none */
} SlFrontBar;

/* What a lab opens with: one picture, a few plots, a few settings, three bars.  More ids may be listed than are shown:
 * the first that apply to the settings and the data are.  */
typedef struct
{
  const char *panels;              /* ids with spaces between them, the picture first */
  const char *knobs;               /* ids of parameters, with spaces between them */
  SlFrontBar  bars[SL_FRONT_BARS]; /* of a lab that has no work, time and errors to show */
} SlFrontPage;

typedef struct SlLabState SlLabState; /* core/lab/kit/state.h */
typedef struct SlProbe    SlProbe;    /* core/lab/kit/probe.h */

typedef void (*SlProbePanel) (SlProbe *probe);

typedef struct
{
  const char    *id, *title, *summary, *reference;
  const SlParam *params;
  unsigned       n_params;
  const SlPanel *panels;
  unsigned       n_panels;
  const char *const *
    questions; /* (SL_N_PANEL_GROUPS - 1) what its groups of panels are called, ended by NULL; or NULL:
                                 * as everywhere */
  const SlFrontPage *front;
  const char *best;  /* id of the channel whose smallest value tells how well it went, or NULL */
  const char *error; /* id of the score by which whole runs are compared, the smaller the better;
                       * NULL: there is none */
  const SlAxis
    *error_axis;     /* of a score that is not "error", in %; NULL: that of the panel of its id */
  const char *valid; /* id of the channel that has it for validation examples while a run goes on;
                        * NULL: there is none */
  const char *each_step;    /* what a step is called: "window"; NULL: "update" */
  const char *pace;         /* a live parameter with the updates a second that the user can follow
                             * in a window, 0: as many as the machine makes; or NULL */
  const SlClock     *clock; /* NULL: nothing is timed */
  const SlSummary   *overview; /* NULL: not on the start page */
  const SlCosts     *costs;    /* where there is no headline to say it; or NULL */
  const SlLabParts  *parts;    /* or NULL */
  const SlBaseline  *baseline; /* ended by one without a title; or NULL */
  const SlSweepHint *sweeps;  /* the one to begin with first, ended by one without an id; or NULL */
  const SlPreset    *presets; /* ended by one without an id; or NULL */
  const SlPreset
    *rows; /* those of a paper's table or figure, which suggested sweeps compare and no form
                         * lists, without help; ended by one without an id; or NULL */
  const SlHealth *health; /* what can go wrong, the worst first, ended by one without an id; or
                              * NULL */
  const char *const
    *gone; /* ids of parameters of earlier versions, ended by NULL: what was stored with
                            * one is read without it, and says so; or NULL */
  const char *const *readings; /* what the source leaves open or has wrong, and what is done here, a
                                * sentence or two each, for the help; ended by NULL; or NULL */
  SlDataNeeds        data;
  const SlTrial     *trials; /* ended by one without settings */

  /* The state: a struct of the lab's own that begins with the head in core/lab/kit/state.h.  The
   * version is that of what goes into checkpoints, from 1: it goes up when a struct among it, an order
   * or a meaning changes.  Runs stored with another version are shown, and do not go on.  */
  size_t   state_bytes;
  unsigned state_version;

  /* Works out the shapes from the settings and the data set; what only makes sense together is
   * checked here.  SL_EINVAL, SL_ENOMEM, SL_EUNSUPPORTED.  */
  SlStatus (*shape) (SlLabState *state);

  /* Lays out both arenas.  Called once to measure, when they hand out NULL, and once for real. */
  void (*carve) (SlLabState *state);

  /* Makes first weights, and says where they are; splits the seed into streams of random numbers. */
  SlStatus (*init) (SlLabState *state, uint64_t seed);

  /* A live parameter was changed from `before`; the next step uses it.  What fails is undone. */
  SlStatus (*set) (SlLabState *state, unsigned param, const SlValue *before);

  /* One update; publishes samples.  Allocates nothing.  SL_EDIVERGED when the loss
   * is not finite: the state then is that of after the bad step.  SL_EGATE when a program's gate failed: the state is
   * that of before the step, or after it where now.t has risen, with figures of the evaluation missing.  */
  SlStatus (*step) (SlLabState *state, SlSink *sink);

  /* (n_panels) What fills the panels that are costly; NULL for all others.  Changes nothing that a
   * later step can see.  */
  const SlProbePanel *probes;

  /* (optional) Evaluates n <= SL_MAP_BATCH inputs, points (n, D), as a deployed network would.
   * `cells` are zeros.  Changes nothing that a later step can see.  */
  void (*map) (SlLabState *state, const sl_real *points, size_t n, SlCell *cells /* (n) */);

  /* (optional) Evaluates a whole split; at most SL_SCORES_MAX figures, the number
   * in *n, which is 0.  Not called for a split without examples where the data have labels.  Changes
   * nothing that a later step can see.  */
  void (*score) (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);

  /* All that score() may tell, without values, ended by one without an id; or NULL. */
  const SlScore *scores;

  /* (optional) The picture that the run makes, as it is now, in full resolution: for a file, not for
   * the screen, which has panels.  Fills an empty `picture`, which the caller clears.  Changes
   * nothing that a later step can see.  SL_ENOMEM.  */
  SlStatus (*picture) (SlLabState *state, SlBitmap *picture);

  /* (optional) Which experts the validation examples go to now, as a recording, which the caller frees.
   * Changes nothing that a later step can see.  SL_EUNSUPPORTED, SL_EFORMAT: there is no routing under
   * these settings; SL_ENOMEM.  */
  SlStatus (*recording) (SlLabState *state, struct SlRouting **routing);

  /* (optional) The network that these settings make for these data, as a text of JSON
   * (docs/file-formats.md), which the caller frees.  Any thread.  SL_EUNSUPPORTED: it cannot be written so; what
   * shape() refuses; SL_ENOMEM.  */
  SlStatus (*network) (const SlDataset *dataset, const SlSettings *settings, char **text);

  /* (optional) Judges such a text as far as it can be without data.  Any thread.  SL_EFORMAT with line and key. */
  SlStatus (*check_network) (const char *text, size_t length);

  /* (optional) What to say once nothing is left to do: the run is then finished, and step() is not
   * called any more.  SL_NO_MESSAGE: it goes on.  NULL: without end.  */
  SlMessage (*ended) (const SlLabState *state);

  /* (optional) The offer to the user for these data under these settings, once the data are read.
   * Any thread.  */
  SlOffer (*offer) (const SlDataset *dataset, const SlSettings *settings);

  /* (optional) A note for every figure of a run with these settings, or SL_NO_MESSAGE: how its numbers
   * differ from what a reader would expect.  Any thread.  */
  SlMessage (*caption) (const SlSettings *settings);

  /* Draws a batch, masks and discrete choices, which objective() replays.  Both are NULL in a lab
   * that trains nothing; its state has no weights.  */
  void (*freeze) (SlLabState *state);

  /* The objective on the frozen batch and, unless NULL, its gradient (n as weights). */
  double (*objective) (SlLabState *state, sl_real *gradient);

  /* (optional) What changes and is neither in the head nor in the arena `kept`; returns how many. */
  unsigned (*blobs) (SlLabState *state, SlBlob *blobs);

  /* (optional) Called after a checkpoint was copied into the state; checks what is used as an index or
   * a count.  SL_EFORMAT: the state can only be freed.  */
  SlStatus (*restored) (SlLabState *state);

  /* (optional) Frees what is not in the arenas; the state may be half made. */
  void (*clear) (SlLabState *state);
} SlLab;

/* The sweeps, presets and trials of a lab, written where the lab is. */
/* clang-format off */
#define SL_HEALTH_LOSS(of, by)                                                                     \
  { .id = "loss", .channel = of, .loss = true, .words = "The loss is far above what it was.",      \
    .knobs = by }
#define SL_HEALTH(...) .health = (const SlHealth[]) { __VA_ARGS__, { 0 } }
#define SL_SWEEPS(...) .sweeps = (const SlSweepHint[]) { __VA_ARGS__, { 0 } }
#define SL_PRESETS(...) .presets = (const SlPreset[]) { __VA_ARGS__, { 0 } }
#define SL_ROWS(...) .rows = (const SlPreset[]) { __VA_ARGS__, { 0 } }
#define SL_TRIALS(...) .trials = (const SlTrial[]) { __VA_ARGS__, { 0 } }
/* clang-format on */

/* Whether updates change weights by a gradient. */
static inline bool
sl_lab_trains (const SlLab *lab)
{
  return lab->objective != NULL;
}

/* The heading of a group of panels of a lab: "Error". */
const char *sl_lab_group_title (const SlLab *lab, SlPanelGroup group);

/* How many traces a panel has of its own. */
unsigned sl_panel_n_traces (const SlPanel *panel);

/* The axes of a panel to be read: x of what step() publishes is named after
 * the steps of the lab, and no text is NULL.  */
typedef struct
{
  SlAxis x, y, z;
} SlAxes;

SlAxes sl_panel_axes (const SlLab *lab, const SlPanel *panel);

/* What a step of the lab is called: "update". */
const char *sl_lab_each_step (const SlLab *lab);

/* What a lab offers for these data (NULL: none are there) under these settings. */
SlOffer sl_lab_offer (const SlLab *lab, const SlDataset *dataset, const SlSettings *settings);

/* The smallest and the largest value that an axis can have, infinite where there is none.  */
void sl_axis_bounds (const SlAxis *axis, double *least, double *most);

/* How many sweeps a lab suggests, and how many presets and trials it has. */
unsigned sl_lab_n_sweeps (const SlLab *lab);
unsigned sl_lab_n_presets (const SlLab *lab);
unsigned sl_lab_n_trials (const SlLab *lab);

/* How many parameters say what is trained.  They come first; behind them are those that only say
 * how often something is measured or which part is looked at (SlParam.view).  */
unsigned sl_lab_n_settings (const SlLab *lab);

/* Whether two settings of the lab train the same: all but the view is equal, bit for bit. */
bool sl_lab_trains_same (const SlLab *lab, const SlSettings *a, const SlSettings *b);

/* Whether an earlier version of the lab had a parameter of this id that is gone. */
bool sl_lab_had (const SlLab *lab, const char *id);

/* The settings with a name, number i of n: presets, and behind them the rows of tables. */
unsigned        sl_lab_n_named (const SlLab *lab);
const SlPreset *sl_lab_named (const SlLab *lab, unsigned i);

/* The preset or row with this id, or NULL. */
const SlPreset *sl_lab_preset (const SlLab *lab, const char *id);

/* The settings of a preset of the lab; NULL: the defaults.  SL_EINVAL. */
SlStatus sl_preset_settings (const SlLab *lab, const SlPreset *preset, SlSettings *settings);

/* Numbers the channels of a lab under these settings (which fix the list lengths). */
void sl_layout_init (SlLayout *layout, const SlLab *lab, const SlSettings *settings);

/* The title of a channel: "recall, layer 2". */
SlMessage sl_channel_title (const SlLab *lab, const SlChannel *channel);

/* The parameter that is factor `i` of what a trace has an instance of, or -1. */
int sl_trace_factor (const SlLab *lab, const SlTrace *trace, unsigned i);

/* How many elements a row shows where `n` of them have at most `rows` rows (0: no limit): the least
 * that fits, or twice that where the last row then has as many elements as the others.  */
unsigned sl_layout_span (unsigned n, unsigned rows);

/* Index of the channel with this id, or -1. */
int sl_layout_find (const SlLayout *layout, const char *id);

/* The same for an id that a stored run has: also that of an earlier version. */
int sl_layout_find_stored (const SlLayout *layout, const SlLab *lab, const char *id);

/* Where a lab's costs are: as its headline says, else itself. */
static inline SlCosts
sl_lab_costs (const SlLab *lab)
{
  if (lab->overview != NULL)
    return (SlCosts) { .expected = lab->overview->expected, .executed = lab->overview->executed };
  return lab->costs != NULL ? *lab->costs : (SlCosts) { 0 };
}

/* The axis of costs: with label and unit of the lab, if it has its own, else `label` in % of dense.
 * NULL: several labs on one axis.  */
static inline SlAxis
sl_lab_cost_axis (const SlLab *lab, const char *label)
{
  return lab != NULL && lab->costs != NULL && lab->costs->label != NULL
           ? (SlAxis) { .label = lab->costs->label, .unit = lab->costs->unit }
           : (SlAxis) { .label = label, .unit = "% of dense" };
}

/* The axis of the score by which whole runs are compared, its label and unit.  NULL: several labs
 * on one axis.  */
SlAxis sl_lab_error_axis (const SlLab *lab);

/* Whether a parameter only says what is measured and what the panels look at, which is no event of the
 * run: no mark in the plots, nothing to take back. */
bool sl_lab_only_looks (const SlLab *lab, unsigned param);

/* Index of the panel with this id, or -1. */
int sl_lab_panel (const SlLab *lab, const char *id);

/* Index of the picture of its front page, or -1. */
int sl_lab_picture (const SlLab *lab);

/* The indices of the plots of its front page, without the picture, under these settings and for these data, of which NULL
 * knows nothing.  How many; at most SL_FRONT_PLOTS.  */
unsigned sl_lab_front_plots (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset,
                             unsigned plots[SL_FRONT_PLOTS]);

/* The indices of the parameters of its front page, likewise.  How many; at most SL_FRONT_KNOBS. */
unsigned sl_lab_front_knobs (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset,
                             unsigned knobs[SL_FRONT_KNOBS]);

/* Index of the panel whose channels this one shows: itself but for `of`. */
unsigned sl_lab_panel_source (const SlLab *lab, unsigned panel);

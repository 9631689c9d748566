/* SPDX-License-Identifier: MIT
 *
 * Figures 2 and 4 of Liu and Deng 2017 on stand-ins: how right and how expensive nets are that choose
 * their path, by our rule and by the published one, beside static nets of the same modules; and which
 * ways their examples take.  All points of a part have one architecture.  */
#include <math.h>
#include <string.h>

#include "reproduce/reproduce.h"

/* The weights of accuracy at which a curve has its points. */
#define LAMBDAS(rule)                                                                              \
  rule ", λ = 0", rule ", λ = 0.9", rule ", λ = 0.95", rule ", λ = 0.98", rule ", λ = 1"
static const char *const lambda[] = { "0", "0.9", "0.95", "0.98", "1", NULL };
enum { POINTS = G_N_ELEMENTS (lambda) - 1, QUICK_POINT = 2 };

/* How networks learn: as we do it; as published, with classes as action values; and the same with the
 * classes by cross entropy, which the paper allows.  */
enum { OURS, PUBLISHED, CROSS_ENTROPY, MOST_RULES };
static const char *const rule_name[MOST_RULES]
  = { "ours", "published", "published, cross entropy" };
static const char *const ways_name[MOST_RULES]
  = { "Figure 4, ours", "Figure 4, published", "Figure 4, published, cross entropy" };

enum { RIGHT, COST, FIRST_WAY };
enum { MOST_WAYS = 10 }; /* the last one has all further ways */

/* What a curve has to keep to: points behind the static high net, at this cost in %. */
static const double bar_behind = 0.5, bar_cost = 50.0;

/* A part of the figure. */
typedef struct
{
  const SlPaperTable *table;
  const char         *settings;         /* architecture and task */
  const char         *rule[MOST_RULES]; /* what each rule sets; NULL: not here */
  unsigned            statics, ways;
  int                 epochs, quick_epochs;
  double              updates; /* of an epoch */
} Part;

static const Part *part_of (const SlReproduction *r);

static unsigned
rules_of (const Part *part)
{
  return part->rule[CROSS_ENTROPY] != NULL ? MOST_RULES : CROSS_ENTROPY;
}

static unsigned
first_static (const Part *part)
{
  return rules_of (part) * POINTS;
}

/* The static nets are trained beside one run, and have none of their own. */
static unsigned
carrier (const SlReproduction *r)
{
  return OURS * POINTS + (r->quick ? QUICK_POINT : POINTS - 1);
}

static void
read_statics (SlReproduction *r, const Part *part, const SlSweepResult *result)
{
  for (unsigned i = 0; i < part->statics; i++)
    {
      g_autofree char *error = g_strdup_printf ("static-error-%u", i + 1);
      g_autofree char *cost = g_strdup_printf ("static-cost-%u", i + 1);
      unsigned         row = first_static (part) + i;

      sl_reproduction_ours (r, row, RIGHT, 100.0 - sl_reproduction_score (result, error));
      sl_reproduction_ours (r, row, COST, sl_reproduction_score (result, cost));
    }
}

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  const Part *part = part_of (r);

  sl_reproduction_ours (r, row, RIGHT, 100.0 - sl_reproduction_score (result, "error"));
  sl_reproduction_ours (r, row, COST, sl_reproduction_score (result, "cost"));
  for (unsigned w = 0; w < part->ways; w++)
    {
      g_autofree char *id = g_strdup_printf (w + 1 < MOST_WAYS ? "way-%u" : "way-%u+", w + 1);

      sl_reproduction_ours (r, row, FIRST_WAY + w, sl_reproduction_score (result, id));
    }
  if (row == carrier (r))
    read_statics (r, part, result);
}

/* ---- what the paper says of the curves ---- */

/* How right the static nets would be at a cost: along lines between them, and beyond the last as it is. */
static double
static_right (const SlReproduction *r, const Part *part, double cost)
{
  unsigned last = first_static (part) + part->statics - 1;

  for (unsigned row = first_static (part); row < last; row++)
    {
      double from = sl_reproduction_mean (r, row, COST);
      double to = sl_reproduction_mean (r, row + 1, COST);
      double here = sl_reproduction_mean (r, row, RIGHT);
      double there = sl_reproduction_mean (r, row + 1, RIGHT);

      if (cost <= to)
        return here + (there - here) * fmax (0.0, (cost - from) / (to - from));
    }
  return sl_reproduction_mean (r, last, RIGHT);
}

static bool
is_made (const SlReproduction *r, unsigned row)
{
  return r->cell[row][COST].n > 0;
}

/* Claims that the rule is as accurate as the static high net at half its cost. */
static void
claim_close (SlReproduction *r, const Part *part, unsigned rule)
{
  double   high = sl_reproduction_mean (r, first_static (part) + part->statics - 1, RIGHT);
  double   behind = HUGE_VAL;
  unsigned best = rule * POINTS;

  for (unsigned row = rule * POINTS; row < (rule + 1) * POINTS; row++)
    if (is_made (r, row) && sl_reproduction_mean (r, row, COST) <= bar_cost
        && high - sl_reproduction_mean (r, row, RIGHT) < behind)
      {
        best = row;
        behind = high - sl_reproduction_mean (r, row, RIGHT);
      }
  if (behind < HUGE_VAL)
    sl_reproduction_claim (r, behind <= bar_behind,
                           "%s: %+.2f points behind the static high net at %.0f %% of its cost (at "
                           "most %.1f, at no more than %.0f %%)",
                           rule_name[rule], behind, sl_reproduction_mean (r, best, COST),
                           bar_behind, bar_cost);
  else
    sl_reproduction_claim (r, false, "%s: no point costs %.0f %% or less", rule_name[rule],
                           bar_cost);
}

static void
claim_above (SlReproduction *r, const Part *part, unsigned rule)
{
  unsigned made = 0, held = 0;

  for (unsigned row = rule * POINTS; row < (rule + 1) * POINTS; row++)
    if (is_made (r, row))
      {
        made++;
        held += sl_reproduction_mean (r, row, RIGHT)
                >= static_right (r, part, sl_reproduction_mean (r, row, COST));
      }
  sl_reproduction_claim (r, held == made,
                         "%s: on or above the line of the static nets at %u of %u costs",
                         rule_name[rule], held, made);
}

/* Figure 4: with λ more examples take an expensive way. */
static void
claim_ways (SlReproduction *r, unsigned rule)
{
  g_autoptr (GString) shares = g_string_new (NULL);
  double before = HUGE_VAL;
  bool   falls = true;

  for (unsigned row = rule * POINTS; row < (rule + 1) * POINTS; row++)
    {
      double share = sl_reproduction_mean (r, row, FIRST_WAY);

      falls &= share <= before;
      before = share;
      g_string_append_printf (shares, "%s%.1f", row > rule * POINTS ? ", " : "", share);
    }
  sl_reproduction_claim (r, falls, "%s: as λ rises fewer examples take the cheapest way: %s %%",
                         rule_name[rule], shares->str);
}

/* ---- figures ---- */

static int
compare_costs (const void *a, const void *b)
{
  const double *p = a, *q = b;

  return (p[0] > q[0]) - (p[0] < q[0]);
}

/* The rows of a rule, or the static nets, from the cheapest on. */
static void
add_curve (SlReproduction *r, unsigned first, unsigned n, const char *name)
{
  double   point[SL_TABLE_ROWS][2], x[SL_TABLE_ROWS], y[SL_TABLE_ROWS];
  unsigned found = 0;

  for (unsigned row = first; row < first + n; row++)
    if (is_made (r, row))
      {
        point[found][0] = sl_reproduction_mean (r, row, COST);
        point[found++][1] = sl_reproduction_mean (r, row, RIGHT);
      }
  qsort (point, found, sizeof *point, compare_costs);
  for (unsigned i = 0; i < found; i++)
    {
      x[i] = point[i][0];
      y[i] = point[i][1];
    }
  sl_reproduction_curve (r, first, "Figure 2", name, found, x, y);
}

static void
add_ways (SlReproduction *r, const Part *part, unsigned rule)
{
  for (unsigned w = 0; w < part->ways; w++)
    {
      g_autofree char *name
        = g_strdup_printf (w + 1 < MOST_WAYS ? "way %u" : "further ways", w + 1);
      double x[POINTS], y[POINTS];

      for (unsigned i = 0; i < POINTS; i++)
        {
          x[i] = i;
          y[i] = is_made (r, rule * POINTS + i)
                   ? sl_reproduction_mean (r, rule * POINTS + i, FIRST_WAY + w)
                   : 0.0;
        }
      sl_reproduction_curve (r, SL_TABLE_ROWS + rule, ways_name[rule], name, POINTS, x, y);
    }
}

static void
conclude (SlReproduction *r, const Part *part)
{
  for (unsigned rule = 0; rule < rules_of (part); rule++)
    {
      claim_close (r, part, rule);
      claim_above (r, part, rule);
      if (!r->quick)
        claim_ways (r, rule);
      add_curve (r, rule * POINTS, POINTS, rule_name[rule]);
      add_ways (r, part, rule);
    }
  add_curve (r, first_static (part), part->statics, "static nets");
}

static SlExit
run (SlReproduction *r)
{
  const Part      *part = part_of (r);
  int              epochs = r->quick ? part->quick_epochs : part->epochs;
  char            *rows[SL_TABLE_ROWS] = { NULL };
  g_autofree char *settings = g_strdup_printf (
    "%s explore-for=%.0f schedule=cosine schedule-epochs=%d static-nets=no report-every=1000 "
    "evaluate-every=1000000",
    part->settings, epochs * part->updates / 2.0, epochs);
  SlTableRuns runs = { .lab = "selective-execution",
                       .data = part->table->needs == SL_NEEDS_NO_FILE ? "fashion-mnist" : NULL,
                       .settings = settings,
                       .rows = (const char *const *) rows,
                       .budget = { .epochs = epochs },
                       .read = read_run };
  SlExit      code;

  for (unsigned rule = 0; rule < rules_of (part); rule++)
    for (unsigned i = 0; i < POINTS; i++)
      if (!r->quick || i == QUICK_POINT)
        rows[rule * POINTS + i]
          = g_strdup_printf ("%s lambda=%s%s", part->rule[rule], lambda[i],
                             rule * POINTS + i == carrier (r) ? " static-nets=yes" : "");
  code = sl_reproduction_runs (r, &runs);
  for (unsigned row = 0; row < SL_TABLE_ROWS; row++)
    g_free (rows[row]);
  if (code == SL_EXIT_FINE)
    conclude (r, part);
  return code;
}

/* ---- the parts ---- */

#define WAY(number)                                                                                \
  {                                                                                                \
    "way " number, "% of examples", SL_SAME_SHAPE                                                  \
  }
#define HEAD(what)                                                                                 \
  { what, "%", SL_SAME_SHAPE },                                                                    \
  {                                                                                                \
    "cost", "% of most expensive", SL_SAME_SHAPE                                                   \
  }
#define BARS(title)                                                                                \
  {                                                                                                \
    title, { .label = "λ" }, { .label = "examples", .unit = "%", .lo = 0, .hi = 100 }, true,       \
      lambda                                                                                       \
  }
#define PLOTS(what)                                                                                \
  { "Figure 2",                                                                                    \
    { .label = "cost", .unit = "% of most expensive" },                                            \
    { .label = what, .unit = "%" },                                                                \
    false,                                                                                         \
    NULL },                                                                                        \
    BARS ("Figure 4, ours"), BARS ("Figure 4, published"),                                         \
    BARS ("Figure 4, published, cross entropy")

/* clang-format off */
static const SlTableColumn f1_columns[] = {
  HEAD ("F1"), WAY ("1"), WAY ("2"), WAY ("3"), WAY ("4"), WAY ("5"), WAY ("6"), WAY ("7"),
  WAY ("8"),
};
static const SlTableColumn accuracy_columns[] = {
  HEAD ("accuracy"), WAY ("1"), WAY ("2"), WAY ("3"), WAY ("4"), WAY ("5"), WAY ("6"), WAY ("7"),
  WAY ("8"), WAY ("9"), WAY ("10+"),
};
static const SlTablePlot f1_plots[] = { PLOTS ("F1") }, accuracy_plots[] = { PLOTS ("accuracy") };

#define ALL_RULES LAMBDAS ("ours"), LAMBDAS ("published"), LAMBDAS ("published, cross entropy")
static const char *const high_low_rows[] = { ALL_RULES, "static low", "static high", NULL };
static const char *const cascade_rows[] = {
  ALL_RULES, "static, 1 stage", "static, 2 stages", "static, 3 stages", "static, 4 stages", NULL
};
static const char *const chain_rows[] = {
  ALL_RULES, "static, all low", "static, 1 high", "static, 2 high", "static, all high", NULL
};
static const char *const three_rows[] = {
  LAMBDAS ("ours"), LAMBDAS ("published"), "static, coarse", "static, 1 half", "static, 2 halves",
  "static, 1 group", "static, 2 groups", "static, 3 groups", "static, 4 groups", "static, all", NULL
};
static const char *const two_rows[] = {
  LAMBDAS ("ours"), LAMBDAS ("published"), "static, coarse", "static, 1 kind", "static, 2 kinds",
  "static, all", NULL
};

#define SHIRTS "task=one positive=6 "
#define CLOTHES                                                                                    \
  "A stand-in: the published curves are of faces (LFW-B), for which there are no numbers and no data; here "     \
  "shirts of Fashion-MNIST against the other nine classes. "
#define RULES_SAY                                                                                  \
  "Published rule: ε from 1 to 0.05 over half of the run, (Q - r)² of the action taken, classes as action values, " \
  "F1 in bags of 8 (no size is published); beside it the same with classes by cross entropy. Ours: "
#define EXITS_SAY                                                                                  \
  "cross entropy at every exit for all examples, controllers learn the expected reward of every action. "
#define CHAIN_SAY "cross entropy, rewards of single examples, controllers' loss weighs 0.01. "
#define SAME "One architecture for all points of a part, and one length."

#define PUBLISHED_RATE "learning-rate=0.001 "
#define TAUGHT                                                                                     \
  "every-exit=1 rewards=expected controller-weight=0.01 epsilon=0 explore-for=0 learning-rate=0.002"
#define IN_BAGS PUBLISHED_RATE "bag=8 "

#define TREE                                                                                       \
  "A stand-in: the published curve is of ten classes of ILSVRC in 5 kinds and 2 halves, which are not to be had; " \
  "here the ten classes of Fashion-MNIST, all by accuracy. "
#define TREE_RULES                                                                                 \
  "Published rule: ε from 1 to 0.05 over half of the run, (Q - r)² of the action taken, classes as action values. " \
  "Ours: cross entropy, controllers' loss weighs 0.01. "
#define FACES                                                                                      \
  "A stand-in: 90 of the 200 pictures of 25 by 25 are for testing, where the paper has crops of 112 by 112. "

/* The ends of a table's descriptor that all parts share. */
#define LIU(column, n_ways, plot)                                                                  \
  .source = "Liu and Deng 2017, figures 2 and 4", .usual_seeds = 5, .columns = column,             \
  .n_columns = FIRST_WAY + (n_ways), .plots = plot, .n_plots = G_N_ELEMENTS (plot), .run = run

const SlPaperTable sl_table_liu_2a = {
  .id = "liu-2a", .title = "high or low: F1 against cost, and the ways of the examples",
  .time = "15 min", .quick_time = "30 s", .conditions = CLOTHES RULES_SAY EXITS_SAY SAME,
  .rows = high_low_rows, LIU (f1_columns, 2, f1_plots)
};
const SlPaperTable sl_table_liu_2b = {
  .id = "liu-2b", .title = "a cascade of four stages: F1 against cost, and the ways of the examples",
  .time = "20 min", .quick_time = "40 s", .conditions = CLOTHES RULES_SAY EXITS_SAY SAME,
  .rows = cascade_rows, LIU (f1_columns, 4, f1_plots)
};
const SlPaperTable sl_table_liu_2c = {
  .id = "liu-2c", .title = "a chain of three links: F1 against cost, and the ways of the examples",
  .time = "15 min", .quick_time = "30 s", .conditions = CLOTHES RULES_SAY CHAIN_SAY SAME,
  .rows = chain_rows, LIU (f1_columns, 8, f1_plots)
};
const SlPaperTable sl_table_liu_2d = {
  .id = "liu-2d",
  .title = "a hierarchy of three levels: accuracy against cost, and the ways of the examples",
  .time = "15 min", .quick_time = "30 s", .conditions = TREE TREE_RULES SAME,
  .rows = three_rows, LIU (accuracy_columns, MOST_WAYS, accuracy_plots)
};
const SlPaperTable sl_table_liu_2d_two = {
  .id = "liu-2d-two",
  .title = "a hierarchy of two levels: accuracy against cost, and the ways of the examples",
  .time = "10 min", .quick_time = "20 s", .conditions = TREE TREE_RULES SAME,
  .rows = two_rows, LIU (accuracy_columns, 8, accuracy_plots)
};
const SlPaperTable sl_table_liu_faces = {
  .id = "liu-faces",
  .title = "high or low on a hundred faces and as many backgrounds: F1 against cost",
  .time = "1 min", .quick_time = "10 s", .conditions = FACES RULES_SAY EXITS_SAY SAME,
  .needs = SL_NEEDS_FACES, .rows = high_low_rows, LIU (f1_columns, 2, f1_plots)
};

#define SIMPLE "controller-weight=0.01 learning-rate=0.002"

static const Part parts[] = {
  { .table = &sl_table_liu_2a,
    .settings = SHIRTS "architecture=high-low width=32 controller=32 controller-layers=2 low=32",
    .rule = { TAUGHT, IN_BAGS "teach=action-values", IN_BAGS },
    .statics = 2, .ways = 2, .epochs = 12, .quick_epochs = 3, .updates = 391 },
  { .table = &sl_table_liu_2b,
    .settings = SHIRTS "architecture=cascade width=64 controller=32 controller-layers=2 low=32",
    .rule = { TAUGHT, IN_BAGS "teach=action-values", IN_BAGS },
    .statics = 4, .ways = 4, .epochs = 12, .quick_epochs = 3, .updates = 391 },
  { .table = &sl_table_liu_2c,
    .settings = SHIRTS "architecture=chain links=either width=64 controller=16 low=16 high=256",
    .rule = { SIMPLE, IN_BAGS "teach=action-values", IN_BAGS },
    .statics = 4, .ways = 8, .epochs = 12, .quick_epochs = 3, .updates = 391 },
  { .table = &sl_table_liu_2d,
    .settings = "architecture=hierarchy levels=3 width=32 controller=16 low=32 high=256",
    .rule = { SIMPLE, PUBLISHED_RATE "teach=action-values" },
    .statics = 8, .ways = MOST_WAYS, .epochs = 12, .quick_epochs = 3, .updates = 391 },
  { .table = &sl_table_liu_2d_two,
    .settings = "architecture=hierarchy width=32 controller=16 low=32 high=256",
    .rule = { SIMPLE, PUBLISHED_RATE "teach=action-values" },
    .statics = 4, .ways = 8, .epochs = 12, .quick_epochs = 3, .updates = 391 },
  { .table = &sl_table_liu_faces,
    .settings = "task=one positive=1 batch=32 architecture=high-low width=16 controller=16 low=8 high=128",
    .rule = { TAUGHT, IN_BAGS "teach=action-values", IN_BAGS },
    .statics = 2, .ways = 2, .epochs = 600, .quick_epochs = 100, .updates = 2.5 },
};
/* clang-format on */

static const Part *
part_of (const SlReproduction *r)
{
  const Part *part = parts;

  while (part->table != r->table)
    part++;
  return part;
}

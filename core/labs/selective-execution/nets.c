/* SPDX-License-Identifier: MIT
 *
 * The architectures of the lab `selective-execution`, dense or convolutional.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dag/dag.h"

/* A node that is being put together, and the net that it goes to. */
typedef struct
{
  const SlSelectiveLab *s;
  SlSelectiveNet       *net;
  SlDagNode             node;
  SlDagShape            shape;    /* behind the last layer so far */
  bool                  pictures; /* convolutional modules */
} Draft;

static void
begin (Draft *d, const char *name, SlDagKind kind, SlDagShape in)
{
  d->node = (SlDagNode) { .name = name, .kind = kind };
  d->shape = in;
}

static void
layer (Draft *d, SlDagLayer layer)
{
  d->node.layer[d->node.n_layers++] = layer;
  d->shape = sl_dag_layer_shape (&layer, d->shape);
}

static void
dense (Draft *d, size_t units, bool rectified)
{
  layer (d, (SlDagLayer) { .kind = SL_DAG_DENSE, .units = units, .rectified = rectified });
}

static void
conv (Draft *d, size_t channels, size_t stride)
{
  layer (d, (SlDagLayer) {
              .kind = SL_DAG_CONV, .units = channels, .stride = stride, .rectified = true });
}

/* Half the resolution, where there is one. */
static void
pool (Draft *d)
{
  if (d->shape.height > 1 || d->shape.width > 1)
    layer (d, (SlDagLayer) { .kind = SL_DAG_POOL, .stride = 2 });
}

/* Puts the node into the net, `lane` of the way down the picture. */
static unsigned
end (Draft *d, double lane)
{
  unsigned i = sl_dag_add (&d->net->plan, &d->node);

  d->net->lane[i] = lane;
  return i;
}

static size_t
units_of (const Draft *d, unsigned param)
{
  return sl_count_of (&d->s->base, param);
}

/* Class scores through one hidden layer. */
static void
classify (Draft *d, size_t hidden)
{
  dense (d, hidden, true);
  dense (d, d->s->classes, false);
}

/* A controller that looks at what a node of this shape delivers. */
static unsigned
controller (Draft *d, const char *name, unsigned from, SlDagShape seen, size_t actions, double lane)
{
  unsigned q;

  begin (d, name, SL_DAG_CONTROL, seen);
  pool (d);
  for (size_t l = 0; l < units_of (d, P_CONTROLLER_LAYERS); l++)
    dense (d, units_of (d, P_CONTROLLER), true);
  dense (d, actions, false);
  q = end (d, lane);
  sl_dag_join (&d->net->plan, from, q);
  return q;
}

static unsigned
output (Draft *d)
{
  begin (d, SL_MARK ("out"), SL_DAG_OUTPUT, (SlDagShape) { 0 });
  return end (d, 0.5);
}

/* What the input and a node deliver, one behind the other, for a dense node. */
static void
see_both (Draft *d, SlDagShape input, SlDagShape seen)
{
  d->node.beside = true;
  d->shape = (SlDagShape) { sl_dag_width (input) + sl_dag_width (seen), 1, 1 };
}

/* N1, which all examples run; leaves in `seen` what it delivers. */
static unsigned
first_node (Draft *d, unsigned in, SlDagShape input, SlDagShape *seen)
{
  unsigned i;

  begin (d, "N1", SL_DAG_REGULAR, input);
  if (d->pictures)
    conv (d, units_of (d, P_CHANNELS), 2);
  else
    dense (d, units_of (d, P_WIDTH), true);
  i = end (d, 0.5);
  sl_dag_join (&d->net->plan, in, i);
  *seen = d->shape;
  return i;
}

/* An answer of its own for what a node of this shape delivers, by few units. */
static unsigned
small_answer (Draft *d, const char *name, unsigned from, SlDagShape seen, double lane)
{
  unsigned i;

  begin (d, name, SL_DAG_REGULAR, seen);
  pool (d);
  classify (d, units_of (d, P_LOW));
  i = end (d, lane);
  sl_dag_join (&d->net->plan, from, i);
  return i;
}

/* N1 → Q → N2, high, or N3, low.  A dense high branch also sees the input itself. */
static void
plan_high_low (Draft *d, unsigned in, SlDagShape input)
{
  SlDagPlan *plan = &d->net->plan;
  unsigned   stem, q, low, high, out;
  SlDagShape seen;

  stem = first_node (d, in, input, &seen);
  d->net->exits = true;
  q = controller (d, "Q", stem, seen, 2, 0.5);
  begin (d, SL_MARK ("low"), SL_DAG_REGULAR, seen);
  pool (d);
  classify (d, units_of (d, P_LOW));
  low = end (d, 0.08);
  begin (d, SL_MARK ("high"), SL_DAG_REGULAR, seen);
  if (d->pictures)
    {
      conv (d, 2 * units_of (d, P_CHANNELS), 1);
      pool (d);
      conv (d, 4 * units_of (d, P_CHANNELS), 1);
    }
  else
    see_both (d, input, seen);
  classify (d, units_of (d, P_HIGH));
  high = end (d, 0.92);
  out = output (d);
  if (!d->pictures)
    sl_dag_join (plan, in, high);
  sl_dag_join (plan, stem, low);
  sl_dag_join (plan, stem, high);
  sl_dag_control (plan, q, low);
  sl_dag_control (plan, q, high);
  sl_dag_default (plan, low, out);
  sl_dag_default (plan, high, out);
}

/* The features of one stage of a cascade.  Dense ones also see the input again. */
static unsigned
stage (Draft *d, unsigned k, unsigned last, unsigned in, SlDagShape input, unsigned from,
       SlDagShape before)
{
  static const char *const name[] = { "N1", "N3", "N5", "N7", "N9" };
  double   width = sl_value_of (&d->s->base, P_WIDTH), high = sl_value_of (&d->s->base, P_HIGH);
  unsigned i;

  begin (d, name[k], SL_DAG_REGULAR, k == 0 ? input : before);
  if (d->pictures)
    {
      if (k == 0)
        conv (d, units_of (d, P_CHANNELS), 2);
      else if (k < last)
        conv (d, units_of (d, P_CHANNELS) << (k < 2 ? k : 2), 1);
      if (k == 1)
        pool (d);
      if (k == last)
        classify (d, (size_t) high);
    }
  else
    {
      if (k > 0)
        see_both (d, input, before);
      dense (d, (size_t) round (width * pow (high / width, (double) k / last)), true);
      if (k == last)
        dense (d, d->s->classes, false);
    }
  i = end (d, 0.72);
  if (k == 0 || !d->pictures)
    sl_dag_join (&d->net->plan, in, i);
  if (k > 0)
    sl_dag_join (&d->net->plan, from, i);
  return i;
}

/* N1 + N2, N3 + N4, …: each stage has an exit, and a controller that goes on or leaves there. */
static void
plan_cascade (Draft *d, unsigned in, SlDagShape input)
{
  static const char *const exits[] = { "N2", "N4", "N6", "N8" };
  static const char *const controllers[] = { "Q1", "Q2", "Q3", "Q4" };
  SlDagPlan               *plan = &d->net->plan;
  unsigned last = (unsigned) sl_value_of (&d->s->base, P_DECISIONS), out = output (d), features,
           exit, q;
  SlDagShape seen;

  d->net->exits = true;
  features = stage (d, 0, last, in, input, in, input);
  seen = d->shape;
  for (unsigned k = 0; k < last; k++)
    {
      q = controller (d, controllers[k], features, seen, 2, 0.98);
      begin (d, exits[k], SL_DAG_REGULAR, seen);
      if (d->pictures)
        pool (d);
      classify (d, units_of (d, P_LOW));
      exit = end (d, 0.12);
      sl_dag_join (plan, features, exit);
      sl_dag_control (plan, q, exit);
      sl_dag_default (plan, exit, out);
      features = stage (d, k + 1, last, in, input, features, seen);
      seen = d->shape;
      sl_dag_control (plan, q, features);
    }
  sl_dag_default (plan, features, out);
}

/* The same stages and exits without controllers: at each exit an example leaves where the rule lets it.  The
 * exit itself runs for all who come that far.  */
static void
plan_exits (Draft *d, unsigned in, SlDagShape input)
{
  static const char *const exits[] = { "N2", "N4", "N6", "N8" };
  static const char *const rules[] = { "λ1", "λ2", "λ3", "λ4" };
  static const char *const leaves[]
    = { SL_MARK ("leave 1"), SL_MARK ("leave 2"), SL_MARK ("leave 3"), SL_MARK ("leave 4") };
  SlDagPlan *plan = &d->net->plan;
  unsigned   last = (unsigned) sl_value_of (&d->s->base, P_DECISIONS), out = output (d), features;
  SlDagShape seen, answer;

  d->net->exits = d->net->ruled = true;
  features = stage (d, 0, last, in, input, in, input);
  seen = d->shape;
  for (unsigned k = 0; k < last; k++)
    {
      unsigned exit = small_answer (d, exits[k], features, seen, 0.42), rule, leave;

      d->net->aside[exit] = true;
      answer = d->shape;
      begin (d, rules[k], SL_DAG_CONTROL, answer);
      layer (d, (SlDagLayer) { .kind = SL_DAG_RULE, .units = 2, .rule = &d->s->rule });
      rule = end (d, 0.98);
      begin (d, leaves[k], SL_DAG_REGULAR, answer);
      leave = end (d, 0.06);
      sl_dag_join (plan, exit, rule);
      sl_dag_join (plan, exit, leave);
      sl_dag_control (plan, rule, leave);
      sl_dag_default (plan, leave, out);
      features = stage (d, k + 1, last, in, input, features, seen);
      seen = d->shape;
      sl_dag_control (plan, rule, features);
    }
  sl_dag_default (plan, features, out);
}

/* One link: nothing, a little or much is added to what passes. */
static unsigned
plan_link (Draft *d, unsigned k, unsigned from, SlDagShape seen)
{
  static const char *const controllers[] = { "Q1", "Q2", "Q3", "Q4" };
  static const char *const nothing[] = { "D1", "D2", "D3", "D4" };
  static const char *const little[]
    = { SL_MARK ("low 1"), SL_MARK ("low 2"), SL_MARK ("low 3"), SL_MARK ("low 4") };
  static const char *const much[]
    = { SL_MARK ("high 1"), SL_MARK ("high 2"), SL_MARK ("high 3"), SL_MARK ("high 4") };
  static const char *const sums[] = { "+1", "+2", "+3", "+4" };
  SlDagPlan               *plan = &d->net->plan;
  unsigned                 q = controller (d, controllers[k], from, seen, 3, 0.98), part[3], sum;

  d->node = (SlDagNode) { .name = nothing[k], .kind = SL_DAG_DUMMY, .shape = seen };
  part[0] = end (d, 0.06);
  begin (d, little[k], SL_DAG_REGULAR, seen);
  if (!d->pictures)
    dense (d, units_of (d, P_LOW), true);
  if (d->pictures)
    conv (d, seen.channels, 1);
  else
    dense (d, sl_dag_width (seen), false);
  part[1] = end (d, 0.3);
  begin (d, much[k], SL_DAG_REGULAR, seen);
  if (d->pictures)
    {
      conv (d, 2 * seen.channels, 1);
      conv (d, seen.channels, 1);
    }
  else
    {
      dense (d, units_of (d, P_HIGH), true);
      dense (d, sl_dag_width (seen), false);
    }
  part[2] = end (d, 0.76);
  begin (d, sums[k], SL_DAG_REGULAR, seen);
  sum = end (d, 0.5);
  sl_dag_join (plan, from, sum);
  for (int p = 0; p < 3; p++)
    {
      if (p > 0)
        sl_dag_join (plan, from, part[p]);
      sl_dag_control (plan, q, part[p]);
      sl_dag_default (plan, part[p], sum);
    }
  return sum;
}

static void
plan_chain (Draft *d, unsigned in, SlDagShape input)
{
  unsigned   links = (unsigned) sl_value_of (&d->s->base, P_DECISIONS), from, last;
  SlDagShape seen;

  from = first_node (d, in, input, &seen);
  for (unsigned k = 0; k < links; k++)
    from = plan_link (d, k, from, seen);
  last = small_answer (d, "N2", from, seen, 0.5);
  sl_dag_join (&d->net->plan, last, output (d));
}

/* Names of the nodes of the blocks of a mixture of depths. */
enum { N_ROUTER, N_GUESS, N_RANK, N_PAST, N_BLOCK, N_WEIGHED, N_SUM, BLOCK_NODES };
static const char *const block_name[BLOCK_NODES][MOST_CONTROLLERS] = {
  [N_ROUTER] = { "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8" },
  [N_GUESS] = { "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8" },
  [N_RANK] = { "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8" },
  [N_PAST] = { "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8" },
  [N_BLOCK] = { "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8" },
  [N_WEIGHED] = { "×1", "×2", "×3", "×4", "×5", "×6", "×7", "×8" },
  [N_SUM] = { "+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8" },
};

static void
name_node (Draft *d, unsigned node, unsigned kind, unsigned k, double lane)
{
  d->net->plan.node[node].name = block_name[kind][k];
  d->net->lane[node] = lane;
}

/* Block k for those whom the batch, or alone the guess, sends there.  The router and the guess are no part of
 * what the block would cost without a choice.  */
static unsigned
plan_routed (Draft *d, unsigned k, unsigned from, size_t width)
{
  bool       squashed = sl_value_of (&d->s->base, P_WEIGHT) == WEIGHT_SIGMOID;
  SlDagBlock b = sl_dag_add_block (&d->net->plan, from, width, units_of (d, P_HIGH), squashed,
                                   &d->s->rank, &d->s->guess_optim);
  unsigned   routed = 0;

  for (unsigned i = 0; i < b.router; i++)
    routed += d->net->plan.node[i].kind == SL_DAG_CONTROL;
  name_node (d, b.router, N_ROUTER, k, 0.74);
  name_node (d, b.guess, N_GUESS, k, 0.98);
  name_node (d, b.rank, N_RANK, k, 0.86);
  name_node (d, b.past, N_PAST, k, 0.02);
  name_node (d, b.block, N_BLOCK, k, 0.26);
  name_node (d, b.weighed, N_WEIGHED, k, 0.26);
  name_node (d, b.sum, N_SUM, k, 0.5);
  d->net->aside[b.router] = d->net->aside[b.guess] = true;
  d->net->guess[routed] = b.guess;
  return b.sum;
}

/* Block k for all. */
static unsigned
plan_residual (Draft *d, unsigned k, unsigned from, size_t width)
{
  SlDagPlan *plan = &d->net->plan;
  unsigned   block = sl_dag_add_residual (plan, width, units_of (d, P_HIGH)), sum;

  sum = sl_dag_add (plan, &(SlDagNode) { .kind = SL_DAG_REGULAR });
  name_node (d, block, N_BLOCK, k, 0.26);
  name_node (d, sum, N_SUM, k, 0.5);
  sl_dag_join (plan, from, block);
  sl_dag_join (plan, from, sum);
  sl_dag_join (plan, block, sum);
  return sum;
}

/* Blocks one behind the other that add to what passes; every few of them only for a share of the examples. */
static void
plan_depths (Draft *d, unsigned in, SlDagShape input)
{
  unsigned   blocks = (unsigned) sl_value_of (&d->s->base, P_BLOCKS), from, last;
  unsigned   every = (unsigned) sl_value_of (&d->s->base, P_ROUTED_EVERY);
  SlDagShape seen;

  d->net->ranked = true;
  from = first_node (d, in, input, &seen);
  for (unsigned k = 0; k < blocks; k++)
    from = (k + 1) % every == 0 ? plan_routed (d, k, from, sl_dag_width (seen))
                                : plan_residual (d, k, from, sl_dag_width (seen));
  begin (d, "N2", SL_DAG_REGULAR, seen);
  dense (d, d->s->classes, false);
  last = end (d, 0.5);
  sl_dag_join (&d->net->plan, from, last);
  sl_dag_join (&d->net->plan, last, output (d));
}

/* Classes of Fashion-MNIST that are worn on the upper body, and on the feet (ours). */
static const char *const tops[] = { "T-shirt/top", "Pullover", "Dress", "Coat", "Shirt", NULL };
static const char *const shoes[] = { "Sandal", "Sneaker", "Ankle boot", NULL };

static bool
is_one_of (const char *title, const char *const *titles)
{
  while (*titles != NULL && strcmp (*titles, title) != 0)
    titles++;
  return *titles != NULL;
}

/* Deals the classes to branches, places[branch][class], and names these.  Returns how many.  Where
 * titles do not say more, the first and the second half of the classes (ours).  */
static unsigned
deal_classes (const SlSelectiveLab *s, uint8_t (*places)[MOST_CLASSES], const char **name)
{
  const char *const *title
    = s->classes == s->base.dataset->classes ? s->base.dataset->class_title : NULL;
  size_t found[3] = { 0 };

  for (size_t c = 0; title != NULL && c < s->classes; c++)
    {
      unsigned branch = is_one_of (title[c], tops) ? 0 : is_one_of (title[c], shoes) ? 1 : 2;

      places[branch][c] = 1;
      found[branch]++;
    }
  if (found[0] > 0 && found[1] > 0 && found[2] > 0)
    {
      name[0] = SL_MARK ("tops");
      name[1] = SL_MARK ("shoes");
      name[2] = SL_MARK ("others");
      return 3;
    }
  memset (places, 0, 3 * sizeof *places);
  for (size_t c = 0; c < s->classes; c++)
    places[2 * c >= s->classes][c] = 1;
  name[0] = SL_MARK ("1st half");
  name[1] = SL_MARK ("2nd half");
  return 2;
}

/* A coarse answer for all, to which branches add what they know about their classes.  The
 * controllers of the branches decide independently.  */
static void
plan_hierarchy (Draft *d, unsigned in, SlDagShape input)
{
  static const char *const controllers[] = { "Q1", "Q2", "Q3" };
  static const char *const nothing[] = { "D1", "D2", "D3" };
  SlDagPlan               *plan = &d->net->plan;
  const char              *name[3];
  unsigned   branches = deal_classes (d->s, d->net->places, name), stem, coarse, out = output (d);
  SlDagShape seen;

  stem = first_node (d, in, input, &seen);
  coarse = small_answer (d, SL_MARK ("coarse"), stem, seen, 0.03);
  sl_dag_join (plan, coarse, out);
  for (unsigned b = 0; b < branches; b++)
    {
      double   lane = 0.28 + 0.7 * b / (branches - 1.0);
      size_t   classes = 0, hidden = units_of (d, P_HIGH) / branches;
      unsigned q = controller (d, controllers[b], stem, seen, 2, lane - 0.02), dummy, branch;

      for (size_t c = 0; c < d->s->classes; c++)
        classes += d->net->places[b][c];
      d->node = (SlDagNode) { .name = nothing[b],
                              .kind = SL_DAG_DUMMY,
                              .shape = { d->s->classes, 1, 1 } };
      dummy = end (d, lane - 0.14);
      begin (d, name[b], SL_DAG_REGULAR, seen);
      if (d->pictures)
        {
          conv (d, 2 * units_of (d, P_CHANNELS), 1);
          pool (d);
        }
      else
        see_both (d, input, seen);
      dense (d, hidden > 0 ? hidden : 1, true);
      dense (d, classes, false);
      layer (d, (SlDagLayer) {
                  .kind = SL_DAG_PLACE, .units = d->s->classes, .places = d->net->places[b] });
      branch = end (d, lane);
      if (d->node.beside)
        sl_dag_join (plan, in, branch);
      sl_dag_join (plan, stem, branch);
      sl_dag_control (plan, q, dummy);
      sl_dag_control (plan, q, branch);
      sl_dag_default (plan, dummy, out);
      sl_dag_default (plan, branch, out);
    }
}

SlStatus
sl_selective_plan (const SlSelectiveLab *s, SlSelectiveNet *net)
{
  const SlDataset *data = s->base.dataset;
  Draft            d = { .s = s, .net = net };
  SlDagShape       input = { data->features, 1, 1 };
  unsigned         in;

  *net = (SlSelectiveNet) { 0 };
  d.pictures = sl_value_of (&s->base, P_MODULES) == MODULES_CONVOLUTIONAL
               && sl_value_of (&s->base, P_ARCHITECTURE) != ARCHITECTURE_DEPTHS;
  if (data->width > 0)
    input = (SlDagShape) { data->channels, data->height, data->width };
  else if (d.pictures && sl_value_of (&s->base, P_PLAN) == 0.0)
    return sl_status_new (SL_EUNSUPPORTED, "modules", sl_message ("data that are no pictures"),
                          sl_message ("dense modules for them"));
  if (sl_value_of (&s->base, P_PLAN) != 0.0)
    return sl_selective_plan_own (s, input, net);
  d.node = (SlDagNode) { .name = SL_MARK ("in"), .kind = SL_DAG_INPUT, .shape = input };
  in = end (&d, 0.5);
  switch ((int) sl_value_of (&s->base, P_ARCHITECTURE))
    {
    case ARCHITECTURE_HIGH_LOW: plan_high_low (&d, in, input); break;
    case ARCHITECTURE_HIERARCHY: plan_hierarchy (&d, in, input); break;
    case ARCHITECTURE_CASCADE: plan_cascade (&d, in, input); break;
    case ARCHITECTURE_CHAIN: plan_chain (&d, in, input); break;
    case ARCHITECTURE_EXITS: plan_exits (&d, in, input); break;
    case ARCHITECTURE_DEPTHS: plan_depths (&d, in, input); break;
    }
  return SL_SUCCESS;
}

/* SPDX-License-Identifier: MIT
 *
 * Hierarchies: a coarse answer for all, to which branches add what they know about their classes.
 * The controllers of the branches decide independently, so that several may run.  With three levels a
 * branch has further branches, for fewer classes, and their controllers run where it did.  */
#include "core/labs/selective-execution/draft.h"

#include <string.h>

enum { TOPS, SHOES, OTHERS, KINDS };
enum { CLOTHES, REST };

/* The classes of Fashion-MNIST by what is worn where, in three kinds; and in two halves with five groups,
 * as many as published for ten classes (ours).  */
static const struct
{
  const char *title;
  uint8_t     kind, half, group;
} fashion[] = {
  { "T-shirt/top", TOPS, CLOTHES, 0 }, { "Trouser", OTHERS, CLOTHES, 2 },
  { "Pullover", TOPS, CLOTHES, 1 },    { "Dress", TOPS, CLOTHES, 2 },
  { "Coat", TOPS, CLOTHES, 1 },        { "Sandal", SHOES, REST, 3 },
  { "Shirt", TOPS, CLOTHES, 0 },       { "Sneaker", SHOES, REST, 3 },
  { "Bag", OTHERS, REST, 4 },          { "Ankle boot", SHOES, REST, 3 },
};

enum { FASHIONS = sizeof fashion / sizeof *fashion };

static bool
is_fashion (const SlSelectiveLab *s)
{
  const char *const *title = s->base.dataset->class_title;

  if (title == NULL || s->classes != FASHIONS || s->base.dataset->classes != FASHIONS)
    return false;
  for (unsigned c = 0; c < FASHIONS; c++)
    if (strcmp (title[c], fashion[c].title) != 0)
      return false;
  return true;
}

/* A branch and those classes of net->places that are its own. */
typedef struct
{
  const char *name;
  unsigned    above; /* branch of the level before that it belongs to */
  uint8_t    *places;
  size_t      classes;
} Branch;

enum { LEVEL_KINDS, LEVEL_HALVES, LEVEL_GROUPS };

/* Which branch of a level a class belongs to.  Where titles do not say more, halves, and three groups of
 * each (ours).  */
static unsigned
branch_of (const SlSelectiveLab *s, unsigned level, size_t c)
{
  size_t half = (s->classes + 1) / 2, second = s->classes - half;
  size_t groups = half < 3 ? half : 3, more = second < 3 ? second : 3;

  if (is_fashion (s))
    return level == LEVEL_KINDS    ? fashion[c].kind
           : level == LEVEL_HALVES ? fashion[c].half
                                   : fashion[c].group;
  if (level != LEVEL_GROUPS)
    return c >= half;
  return (unsigned) (c < half ? c * groups / half : groups + (c - half) * more / second);
}

static const char *
name_of (const SlSelectiveLab *s, unsigned level, unsigned branch)
{
  static const char *const kinds[] = { SL_MARK ("tops"), SL_MARK ("shoes"), SL_MARK ("others") };
  static const char *const worn[] = { SL_MARK ("clothes"), SL_MARK ("others") };
  static const char *const groups[] = { SL_MARK ("shirts"), SL_MARK ("coats"), SL_MARK ("dresses"),
                                        SL_MARK ("shoes"), SL_MARK ("bags") };
  static const char *const halves[] = { SL_MARK ("1st half"), SL_MARK ("2nd half") };
  static const char *const parts[] = { "B1", "B2", "B3", "B4", "B5", "B6" };

  if (!is_fashion (s))
    return level == LEVEL_GROUPS ? parts[branch] : halves[branch];
  return level == LEVEL_KINDS    ? kinds[branch]
         : level == LEVEL_HALVES ? worn[branch]
                                 : groups[branch];
}

/* The branches of a level, whose places begin at `first`.  Returns how many. */
static unsigned
find_branches (SlNodeDraft *d, unsigned level, unsigned first, Branch *branch)
{
  unsigned n = 0;

  for (size_t c = 0; c < d->s->classes; c++)
    {
      unsigned b = branch_of (d->s, level, c);

      for (; n <= b; n++)
        branch[n] = (Branch) { .places = d->net->places[first + n] };
      branch[b].name = name_of (d->s, level, b);
      branch[b].above = branch_of (d->s, LEVEL_HALVES, c);
      branch[b].places[c] = 1;
      branch[b].classes++;
    }
  return n;
}

/* What the branches have in common while they are planned. */
typedef struct
{
  unsigned   in, out, controllers;
  SlDagShape input;
} Hierarchy;

/* A controller and the nothing that it may choose. */
typedef struct
{
  unsigned q, nothing;
} Switch;

/* One that looks at node `from`, which delivers this shape. */
static Switch
add_switch (SlNodeDraft *d, Hierarchy *h, unsigned from, SlDagShape seen, double lane)
{
  static const char *const controllers[] = { "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8" };
  static const char *const nothing[] = { "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8" };
  unsigned                 k = h->controllers++;
  Switch made = { .q = sl_draft_controller (d, controllers[k], from, seen, 2, lane - 0.02) };

  d->node
    = (SlDagNode) { .name = nothing[k], .kind = SL_DAG_DUMMY, .shape = { d->s->classes, 1, 1 } };
  made.nothing = sl_draft_end (d, lane - 0.07);
  return made;
}

/* Lets it turn a branch on or off. */
static void
join_switch (SlNodeDraft *d, const Hierarchy *h, Switch made, unsigned branch)
{
  SlDagPlan *plan = &d->net->plan;

  sl_dag_control (plan, made.q, made.nothing);
  sl_dag_control (plan, made.q, branch);
  sl_dag_default (plan, made.nothing, h->out);
}

/* The layers of a branch up to its features, from what the input and a node of this shape deliver. */
static void
begin_branch (SlNodeDraft *d, const Hierarchy *h, const char *name, SlDagShape seen, size_t hidden)
{
  sl_draft_begin (d, name, SL_DAG_REGULAR, seen);
  if (d->pictures)
    {
      sl_draft_conv (d, 2 * sl_draft_units_of (d, P_CHANNELS), 1);
      sl_draft_pool (d);
      return;
    }
  sl_draft_see_both (d, h->input, seen);
  sl_draft_dense (d, hidden > 0 ? hidden : 1, true);
}

static unsigned
end_branch (SlNodeDraft *d, const Hierarchy *h, unsigned from, double lane)
{
  unsigned branch = sl_draft_end (d, lane);

  if (d->node.beside)
    sl_dag_join (&d->net->plan, h->in, branch);
  sl_dag_join (&d->net->plan, from, branch);
  return branch;
}

/* Scores of a branch's classes, where they belong among all. */
static void
place_scores (SlNodeDraft *d, const Branch *branch)
{
  sl_draft_dense (d, branch->classes, false);
  sl_draft_layer (
    d, (SlDagLayer) { .kind = SL_DAG_PLACE, .units = d->s->classes, .places = branch->places });
}

/* A branch that ends in scores. */
static void
plan_leaf (SlNodeDraft *d, Hierarchy *h, const Branch *branch, unsigned from, SlDagShape seen,
           size_t hidden, double lane)
{
  Switch   made = add_switch (d, h, from, seen, lane);
  unsigned leaf;

  begin_branch (d, h, branch->name, seen, hidden);
  if (d->pictures)
    sl_draft_dense (d, hidden > 0 ? hidden : 1, true);
  place_scores (d, branch);
  leaf = end_branch (d, h, from, lane);
  join_switch (d, h, made, leaf);
  sl_dag_default (&d->net->plan, leaf, h->out);
}

/* A branch with features for the branches below it, and scores of its own.  Returns the features. */
static unsigned
plan_half (SlNodeDraft *d, Hierarchy *h, const Branch *branch, unsigned from, SlDagShape seen,
           double lane, SlDagShape *made)
{
  static const char *const answers[] = { "A1", "A2" };
  const char              *name = answers[h->controllers];
  Switch                   gate = add_switch (d, h, from, seen, lane);
  unsigned                 features, answer;

  begin_branch (d, h, branch->name, seen, sl_draft_units_of (d, P_HIGH) / 4);
  *made = d->shape;
  features = end_branch (d, h, from, lane);
  join_switch (d, h, gate, features);
  sl_draft_begin (d, name, SL_DAG_REGULAR, *made);
  sl_draft_pool (d);
  place_scores (d, branch);
  answer = sl_draft_end (d, lane + 0.015);
  sl_dag_join (&d->net->plan, features, answer);
  sl_dag_default (&d->net->plan, answer, h->out);
  return features;
}

static void
plan_two_levels (SlNodeDraft *d, Hierarchy *h, unsigned stem, SlDagShape seen)
{
  Branch   kind[MOST_CONTROLLERS];
  unsigned n = find_branches (d, LEVEL_KINDS, 0, kind);

  for (unsigned b = 0; b < n; b++)
    plan_leaf (d, h, &kind[b], stem, seen, sl_draft_units_of (d, P_HIGH) / n,
               0.28 + 0.7 * b / (n > 1 ? n - 1 : 1));
}

/* Both levels of branches have half of the expensive units. */
static void
plan_three_levels (SlNodeDraft *d, Hierarchy *h, unsigned stem, SlDagShape seen)
{
  Branch     half[MOST_CONTROLLERS], group[MOST_CONTROLLERS];
  SlDagShape made[2];
  unsigned   features[2], n = find_branches (d, LEVEL_HALVES, 0, half);
  unsigned   groups = find_branches (d, LEVEL_GROUPS, n, group);

  for (unsigned b = 0; b < n; b++)
    features[b] = plan_half (d, h, &half[b], stem, seen, 0.38 + 0.47 * b, &made[b]);
  for (unsigned g = 0; g < groups; g++)
    plan_leaf (d, h, &group[g], features[group[g].above], made[group[g].above],
               sl_draft_units_of (d, P_HIGH) / (2 * groups),
               0.14 + 0.84 * g / (groups > 1 ? groups - 1 : 1));
}

void
sl_selective_plan_hierarchy (SlNodeDraft *d, unsigned in, SlDagShape input)
{
  Hierarchy  h = { .in = in, .out = sl_draft_output (d), .input = input };
  SlDagShape seen;
  unsigned   stem = sl_draft_first_node (d, in, input, &seen), coarse;

  coarse = sl_draft_small_answer (d, SL_MARK ("coarse"), stem, seen, 0.03);
  sl_dag_join (&d->net->plan, coarse, h.out);
  if (sl_value_of (&d->s->base, P_LEVELS) == 2.0)
    plan_two_levels (d, &h, stem, seen);
  else
    plan_three_levels (d, &h, stem, seen);
}

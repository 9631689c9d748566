/* SPDX-License-Identifier: MIT
 *
 * The panel of what one expert gets: the validation examples with its largest gate values, strongest
 * first (Shazeer et al. 2017, table 9).  */
#include "core/labs/experts/lab.h"

#include <stdio.h>

#include "core/lab/kit/thumbnails.h"
#include "core/lab/mixture/margins.h"

enum {
  TILES = 24, /* examples shown */
  LISTED = 3, /* of points, in the note */
};

typedef struct
{
  unsigned example[TILES]; /* in the batch */
  sl_real  value[TILES];   /* their G, falling */
  unsigned n;
} Strongest;

/* Those with the largest gate values; among equals the first. */
static Strongest
find_strongest (const SlDispatch *dispatch, size_t expert)
{
  Strongest found = { .n = 0 };

  for (uint32_t a = dispatch->start[expert]; a < dispatch->start[expert + 1]; a++)
    {
      unsigned at = found.n < TILES ? found.n++ : TILES;

      for (; at > 0 && found.value[at - 1] < dispatch->weight[a]; at--)
        if (at < TILES)
          {
            found.value[at] = found.value[at - 1];
            found.example[at] = found.example[at - 1];
          }
      if (at < TILES)
        {
          found.value[at] = dispatch->weight[a];
          found.example[at] = dispatch->row[a];
        }
    }
  return found;
}

SlMessage
sl_experts_class_of (const SlDataset *data, unsigned class)
{
  return data->class_title != NULL ? sl_message_word (data->class_title[class])
                                   : sl_message ("class %u", class);
}

/* Says which class has most of the expert's examples. */
static void
note_class (SlProbe *p, SlExpertsLab *s, size_t expert, size_t n)
{
  const SlDispatch *dispatch = &s->moe.dispatch;
  const SlDataset  *data = s->base.dataset;
  uint32_t          count[256] = { 0 }, all = dispatch->start[expert + 1] - dispatch->start[expert];
  unsigned          most = 0;

  for (uint32_t a = dispatch->start[expert]; a < dispatch->start[expert + 1]; a++)
    count[s->label[dispatch->row[a]]]++;
  for (unsigned c = 1; c < data->classes; c++)
    most = count[c] > count[most] ? c : most;
  sl_probe_note (p, "Expert %zu gets %u of %zu validation examples, %.0f %% of them %s.",
                 expert + 1, all, n, 100.0 * count[most] / all,
                 sl_experts_class_of (data, most).packed);
}

static void
list_points (SlProbe *p, const SlExpertsLab *s, const Strongest *found)
{
  for (unsigned i = 0; i < found->n && i < LISTED; i++)
    {
      const sl_real *x = s->x + found->example[i] * s->inputs;
      const char    *before = i == 0 ? " Strongest: " : "; ";

      sl_probe_note (p, "%s(%.2f, %.2f) %s, %.2f", before, (double) x[0], (double) x[1],
                     sl_experts_class_of (s->base.dataset, s->label[found->example[i]]).packed,
                     (double) found->value[i]);
    }
}

void
sl_experts_probe_strongest (SlProbe *p)
{
  SlExpertsLab    *s = sl_experts_lab (p->state);
  const SlDataset *data = s->base.dataset;
  size_t           expert = sl_count_of (&s->base, P_EXPERT) - 1;
  size_t           n = sl_experts_run_validation (s, MOST_BATCH);
  Strongest        found;

  if (!sl_mixture_has_learned (p))
    return;
  if (expert >= s->shape.experts)
    expert = s->shape.experts - 1;
  found = find_strongest (&s->moe.dispatch, expert);
  if (found.n == 0)
    {
      sl_probe_note (p, "Expert %zu gets none of %zu validation examples.", expert + 1, n);
      return;
    }
  note_class (p, s, expert, n);
  if (data->width == 0)
    {
      if (data->features == 2)
        list_points (p, s, &found);
      return;
    }
  if (!sl_probe_thumbnails (p, data, s->x, n, found.example, found.n))
    return;
  for (unsigned i = 0; i < found.n; i++)
    sl_probe_name (p, "%s %.2f\n", sl_experts_class_of (data, s->label[found.example[i]]).packed,
                   (double) found.value[i]);
}

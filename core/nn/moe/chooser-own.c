/* SPDX-License-Identifier: MIT
 *
 * The gate that a program brings: what goes to it, and what comes back is checked; see chooser.h.  */
#include "core/nn/moe/chooser.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/special.h"
#include "core/nn/moe/select.h"

static void
fail (SlOwnUse *use, SlMessage found, SlMessage expected)
{
  use->failure = sl_status_new (SL_EGATE, "gate", found, expected);
}

/* Of values (B, n) the first that is not finite; false where there is none. */
static bool
find_bad (const SlChooser *choice, const sl_real *value, const uint8_t *mask, size_t *cell)
{
  for (*cell = 0; *cell < choice->rows * choice->experts; ++*cell)
    if ((mask == NULL || mask[*cell]) && !isfinite (value[*cell]))
      return true;
  return false;
}

static void
refuse_number (const SlChooser *choice, SlMessage what, size_t cell)
{
  fail (choice->own,
        sl_message ("%s that is not finite, in row %zu for expert %zu, counted from 0", what.packed,
                    cell / choice->experts, cell % choice->experts),
        sl_message ("finite numbers"));
}

/* Bytes become 0 and 1. */
static void
settle_mask (const SlChooser *choice, uint8_t *mask)
{
  for (size_t c = 0; c < choice->rows * choice->experts; c++)
    mask[c] = mask[c] != 0 && choice->logits[c] > -sl_most_finite;
}

/* Runs the gate; false: it failed. */
static bool
call (SlChooser *choice, SlOwnBatch *batch)
{
  SlOwnUse *use = choice->own;
  size_t    cells = choice->rows * choice->experts, bad;

  if (!sl_ok (&use->failure))
    return false;
  memset (batch->mask, 0, cells * sizeof *batch->mask);
  memset (batch->weights, 0, cells * sizeof *batch->weights);
  if (!use->gate->choose (use->gate->data, batch))
    fail (use, sl_message ("a gate that failed to choose"), SL_NO_MESSAGE);
  else if (batch->weighted && use->gate->slopes == NULL)
    fail (use, sl_message ("gate values without a function for their slopes"),
          sl_message ("one from dloss/dweights to dloss/dlogits, or a choice without values"));
  settle_mask (choice, batch->mask);
  if (sl_ok (&use->failure) && batch->weighted
      && find_bad (choice, batch->weights, batch->mask, &bad))
    refuse_number (choice, sl_message ("a gate value"), bad);
  return sl_ok (&use->failure);
}

/* Values of the sets: those of the gate where its own mask has them too, or the softmax over the chosen logits. */
static void
fill_values (SlChooser *choice, const SlOwnBatch *batch)
{
  size_t n = choice->experts;

  for (size_t c = 0; choice->weighted && c < choice->rows * n; c++)
    choice->g[c] = choice->wanted[c] && batch->mask[c] ? batch->weights[c] : 0;
  for (size_t r = 0; !choice->weighted && r < choice->rows; r++)
    sl_select_softmax (n, choice->logits + r * n, choice->wanted + r * n, choice->g + r * n);
}

void
sl_chooser_call (SlChooser *choice, bool held)
{
  size_t     cells = choice->rows * choice->experts;
  SlOwnBatch batch = { .rows = choice->rows,
                       .experts = choice->experts,
                       .training = choice->training,
                       .logits = choice->logits,
                       .mask = choice->mask,
                       .weights = choice->column };

  if (!held)
    choice->weighted = false;
  if (choice->rows > 0 && (!held || choice->weighted))
    {
      bool fine = call (choice, &batch);

      if (!held)
        {
          memcpy (choice->wanted, batch.mask, cells);
          choice->weighted = fine && batch.weighted;
        }
      if (!fine)
        memset (choice->wanted, 0, cells);
    }
  fill_values (choice, &batch);
  memcpy (choice->mask, choice->wanted, cells);
}

bool
sl_chooser_slopes (SlChooser *choice, const sl_real *dg)
{
  SlOwnUse *use = choice->own;
  size_t    cells = choice->rows * choice->experts, bad;

  if (!sl_ok (&use->failure))
    return false;
  memset (choice->slope, 0, cells * sizeof *choice->slope);
  if (cells == 0)
    return true;
  for (size_t c = 0; c < cells; c++)
    choice->column[c] = choice->mask[c] ? *dg++ : 0;
  if (!use->gate->slopes (use->gate->data, choice->rows, choice->experts, choice->column,
                          choice->slope))
    fail (use, sl_message ("a gate that failed to give slopes"), SL_NO_MESSAGE);
  else if (find_bad (choice, choice->slope, NULL, &bad))
    refuse_number (choice, sl_message ("a slope"), bad);
  return sl_ok (&use->failure);
}

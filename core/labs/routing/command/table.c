/* SPDX-License-Identifier: MIT
 *
 * A recording for a terminal.  Numbers are those of the C locale.  */
#include "core/labs/routing/command/table.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/run/base/language.h"
#include "core/run/record/data.h"

enum { NAME = 64 };

static void
print_experts (const SlRouting *r)
{
  printf (ngettext ("%u expert", "%u experts", r->experts), r->experts);
  if (r->experts_from == SL_ROUTING_LARGEST)
    printf (_ (" (%u is the largest number; dead experts beyond it are unknown)"), r->experts - 1);
}

static void
print_head (const SlRouting *r)
{
  static const char *const orders[]
    = { N_ ("strongest first"), N_ ("in ascending order"), N_ ("as listed") };
  g_autofree char *reading = sl_data_reading (&r->reading, "\n  ");

  printf ("%s: ", r->name);
  printf (ngettext ("%u layer", "%u layers", r->n_layers), r->n_layers);
  printf (", ");
  print_experts (r);
  if (r->kind == SL_ROUTING_COUNTS)
    printf (ngettext (", %zu row of counts\n", ", %zu rows of counts\n", r->rows), r->rows);
  else
    printf (_ (", %u per token, %s\n"), r->k, gettext (orders[r->order]));
  if (reading != NULL)
    printf ("  %s\n", reading);
}

static int
compare_ids (const void *a, const void *b)
{
  return *(const uint16_t *) a - *(const uint16_t *) b;
}

/* The experts of the first token of a run, by number. */
static char *
experts_of (const SlRouting *r, unsigned layer, const SlRoutingRun *run)
{
  uint16_t ids[SL_ROUTING_SLOTS];
  GString *text = g_string_new (NULL);
  SlStatus status = sl_routing_read (r, layer, true, run->first, 1, ids, NULL);

  if (sl_ok (&status))
    {
      qsort (ids, r->k, sizeof *ids, compare_ids);
      for (unsigned s = 0; s < r->k && ids[s] != SL_ROUTING_NONE; s++)
        g_string_append_printf (text, "%s%u", s > 0 ? ", " : "", ids[s]);
    }
  return g_string_free (text, FALSE);
}

/* Prints the warm-up that was found, once for all layers with the same tokens. */
static void
print_warm_up (const SlRouting *r, gboolean warm_up)
{
  for (unsigned l = 0; l < r->n_layers; l++)
    {
      const SlRoutingLayer *layer = &r->layer[l];
      g_autofree char      *experts = NULL;

      if (r->group[l] != l || layer->n_warm_up == 0)
        continue;
      experts = experts_of (r, l, &layer->warm_up[0]);
      printf (warm_up ? _ ("  %zu of %zu tokens look like a warm-up and are counted: ")
                      : _ ("  %zu of %zu tokens left out, a warm-up or padding: "),
              layer->warm_up_tokens, layer->tokens);
      printf (_ ("from token %zu on they all went to %s\n"), layer->warm_up[0].first, experts);
      if (!warm_up)
        printf (_ ("  --keep-warm-up counts them\n"));
    }
}

/* A share in %, or "-" where there is none, at the end of a column. */
static void
print_share (int width, double share)
{
  if (isnan (share))
    printf ("  %*s", width, "-");
  else
    printf ("  %*.1f %%", width - 2, 100.0 * share);
}

static void
print_line (const char *name, const SlTraceLine *line)
{
  const SlRoutesBalance *b = &line->balance;

  if (line->tokens > 0)
    printf ("%7s  %6zu  %5.3f", name, line->tokens, b->cv);
  else
    printf ("%7s  %6s  %5.3f", name, "-", b->cv);
  if (isnan (b->chance.floor))
    printf ("  %6s  %5s", "-", "-");
  else
    printf ("  %6.3f  %5.3f", b->chance.floor, b->chance.floor_95);
  printf ("  %5.3f  %5.2f  %9.1f  %4u", b->gini, b->peak, b->effective, b->dead);
  print_share (8, line->hot);
  print_share (8, line->lru);
  print_share (6, line->recall);
  print_share (15, line->dropped);
  putchar ('\n');
}

static void
print_heading (const SlTraceLine *line, const SlTraceSettings *settings)
{
  g_autofree char *hot = g_strdup_printf (_ ("hot %u"), line->hot_set);
  g_autofree char *lru = g_strdup_printf ("LRU %u", line->cache);
  g_autofree char *dropped = g_strdup_printf (_ ("dropped at %g"), settings->capacity);

  printf ("%7s  %6s  %5s  %6s  %5s  %5s  %5s  %9s  %4s  %8s  %8s  %6s  %15s\n", _ ("layer"),
          _ ("tokens"), "CV", _ ("chance"), "95 %", "Gini", _ ("peak"), _ ("effective"), _ ("dead"),
          hot, lru, _ ("recall"), dropped);
}

/* In how many layers few experts serve much, beyond what chance explains. */
static void
print_hot (const SlRouting *r, const SlTraceLine *line)
{
  double   even = (double) line[0].hot_set / r->experts;
  unsigned layers = 0;

  for (unsigned l = 0; l < r->n_layers; l++)
    layers += line[l].hot >= 2.0 * even && !(line[l].balance.cv <= line[l].balance.chance.floor_95);
  printf (
    _ ("  The hot set, %u of %u experts, serves at least twice its even share of %.0f %% in %u "
       "of %u layers.\n"),
    line[0].hot_set, r->experts, 100.0 * even, layers, r->n_layers);
}

void
sl_cli_trace_table (const SlRouting *recording, gboolean warm_up, const SlTraceSettings *settings,
                    const SlTraceLine *line)
{
  const SlRouting *r = recording;
  char             name[NAME];

  print_head (r);
  print_warm_up (r, warm_up);
  print_heading (&line[0], settings);
  for (unsigned l = 0; l < r->n_layers; l++)
    print_line (sl_routing_layer_name (&r->layer[l], name, NAME), &line[l]);
  print_hot (r, line);
}

/* ---- two recordings ---- */

typedef struct
{
  const SlRouting *other;
  gboolean         begun; /* the heading was printed */
} Comparison;

static void
print_compared (const char *layer, unsigned experts, const SlLoadComparison *loads,
                const SlPairedRoutes *pairs, gpointer data)
{
  Comparison *comparison = data;

  if (!comparison->begun)
    {
      printf (_ ("  Compared with %s: routings that would have to move for equal loads, and by "
                 "chance; experts beyond their interval (5 %% by chance).\n"),
              comparison->other->name);
      printf ("%7s  %8s  %8s  %12s  %9s", _ ("layer"), _ ("differ"), _ ("chance"), _ ("bits (JS)"),
              _ ("beyond"));
      if (pairs != NULL)
        printf ("  %8s  %8s  %9s", _ ("flip"), _ ("the same"), _ ("top flip"));
      putchar ('\n');
    }
  comparison->begun = TRUE;
  printf ("%7s", layer);
  print_share (8, loads->total_variation);
  print_share (8, loads->total_variation_by_chance);
  printf ("  %12.4f", loads->jensen_shannon_bits);
  if (loads->has_interval)
    printf ("  %3zu of %-3u", loads->beyond, experts);
  else
    printf ("  %9s", "-");
  if (pairs != NULL)
    {
      print_share (8, pairs->flip);
      print_share (8, pairs->same_set);
      print_share (9, pairs->top1_flip);
    }
  putchar ('\n');
}

SlStatus
sl_cli_trace_comparison (const SlRouting *a, const SlRouting *b, gboolean warm_up, gboolean paired)
{
  Comparison comparison = { .other = b };

  return sl_trace_compare (a, b, warm_up, paired, print_compared, &comparison);
}

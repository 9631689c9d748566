/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/command/use.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>

#include "core/labs/routing/report/caches.h"
#include "core/labs/routing/report/keep.h"

static void
print_speed (const SlTraceCaches *c, double bandwidth)
{
  gboolean decoding = c->counts.tokens[SL_TURNS_DECODE] > 0;
  double   tokens = sl_trace_tokens_per_second (c, c->chosen,
                                              decoding ? SL_TURNS_DECODE : SL_TURNS_ALL, bandwidth);

  if (isinf (tokens) && c->places[c->chosen] < c->items)
    printf (".\n"); /* first uses are all there is */
  else if (isinf (tokens))
    printf (_ ("; once all were used nothing is loaded.\n"));
  else if (decoding)
    printf (_ (", steady decoding at most %.10g tokens a second at %g GB/s.\n"),
            sl_three_digits (tokens), bandwidth);
  else
    printf (_ (", in steady state at most %.10g tokens a second at %g GB/s.\n"),
            sl_three_digits (tokens), bandwidth);
}

static void
print_caches (const SlTraceCaches *c, const SlTraceSettings *settings)
{
  static const char *const from[] = { N_ ("as set"), N_ ("as recorded"), N_ ("assumed") };
  double hits = sl_trace_hit_share (c, SL_TRACE_LRU, c->chosen, SL_TURNS_ALL, FALSE);

  if (isnan (hits))
    return;
  if (settings->memory * 0x1p30 < c->bytes)
    {
      printf (_ ("  %g GiB hold no expert of %.4g MiB.\n"), settings->memory, c->bytes / 0x1p20);
      return;
    }
  printf (ngettext ("  %g GiB hold %zu of %zu experts of %u layer",
                    "  %g GiB hold %zu of %zu experts of %u layers", c->layers),
          settings->memory, c->places[c->chosen], c->items, c->layers);
  printf (_ (" (%.4g MiB each, %s): LRU hits %.1f %%"), c->bytes / 0x1p20, gettext (from[c->from]),
          100.0 * hits);
  if (c->cut)
    printf (_ (" of the first %zu lookups"), (size_t) c->counts.lookups[SL_TURNS_ALL]);
  print_speed (c, settings->bandwidth);
}

static void
print_keep (const SlTraceKeep *keep)
{
  double free = (double) keep->free.experts / keep->loads.layers;

  if (isnan (keep->equal.coverage))
    return;
  printf (_ ("  To serve %g %% of the routings: %u of %u experts in every layer, or %.1f on "
             "average if free"),
          100.0 * keep->target, keep->per_layer, keep->loads.n, free);
  if (isnan (keep->equal.judged))
    printf (".\n");
  else
    printf (_ ("; judged on the second half %.1f %% and %.1f %%.\n"), 100.0 * keep->equal.judged,
            100.0 * keep->free.judged);
}

SlStatus
sl_cli_trace_use (const SlRouting *recording, gboolean warm_up, const SlTraceSettings *settings)
{
  SlTraceCaches *caches = g_new (SlTraceCaches, 1);
  SlTraceKeep    keep;
  SlStatus       status = SL_SUCCESS;

  if (recording->kind == SL_ROUTING_IDS)
    status = sl_trace_caches (recording, warm_up, settings, FALSE, caches);
  if (sl_ok (&status) && recording->kind == SL_ROUTING_IDS)
    print_caches (caches, settings);
  g_free (caches);
  if (!sl_ok (&status))
    return status;
  status = sl_trace_keep (recording, warm_up, SL_TRACE_KEEP, &keep);
  if (sl_ok (&status))
    print_keep (&keep);
  sl_trace_keep_clear (&keep);
  return status;
}

/* SPDX-License-Identifier: MIT
 *
 * What a reader has to know of a comparison.  */
#include <string.h>

#include "core/run/compare/trade.h"

/* Sentences, packed one behind the other. */
typedef struct
{
  char  *packed;
  size_t size;
} Said;

/* What there is no room for is left out whole. */
static void
say (Said *said, SlMessage sentence)
{
  size_t used = strlen (said->packed);

  if (used + strlen (sentence.packed) < said->size)
    g_strlcpy (said->packed + used, sentence.packed, said->size - used);
}

/* The most settings that one point is made of, of the runs that have a part. */
static guint
most_settings (const SlTrade *trade, bool (*has_part) (const SlTradeRun *run))
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autofree guint *settings = g_new0 (guint, trade->points->len + 1);
  guint             most = 1;

  for (guint i = 0; trade->grouped && i < trade->runs->len; i++)
    {
      const SlTradeRun *run = sl_trade_run (trade, i);
      guint64           pair = (guint64) run->point << 32 | run->setting;

      if (has_part (run) && g_hash_table_add (seen, g_memdup2 (&pair, sizeof pair)))
        settings[run->point]++;
      most = MAX (most, settings[run->point]);
    }
  return most;
}

SlMessage
sl_trade_say_mix (const SlTrade *trade, bool (*has_part) (const SlTradeRun *run))
{
  guint settings = most_settings (trade, has_part);

  return settings > 1 ? sl_message (" A group has up to %u settings.", settings) : SL_NO_MESSAGE;
}

static bool
is_in (const SlTradeRun *run)
{
  return run->part == SL_TRADE_IN;
}

SlMessage
sl_trade_say_bars (unsigned least, unsigned most)
{
  if (most == 1)
    return sl_message ("Each point is one run.");
  if (least == most)
    return sl_message ("Means of %u runs; bars and ±: 95 %% intervals.", most);
  return sl_message ("Means of %u to %u runs; bars and ±: 95 %% intervals.", least, most);
}

/* What the bars are, and of how many runs a point is. */
static void
say_bars (const SlTrade *trade, Said *said)
{
  unsigned least = UINT_MAX, most = 0;

  for (guint p = 0; p < trade->points->len; p++)
    if (sl_trade_point (trade, p)->x.n > 0)
      {
        least = MIN (least, sl_trade_point (trade, p)->x.n);
        most = MAX (most, sl_trade_point (trade, p)->x.n);
      }
  if (most > 0)
    say (said, sl_trade_say_bars (least, most));
  say (said, sl_trade_say_mix (trade, is_in));
}

static void
say_front (const SlTrade *trade, Said *said)
{
  if (!trade->frontier || trade->part[SL_TRADE_IN] == 0)
    return;
  if (trade->validated)
    say (said, sl_message (" Validation errors choose the front."));
  else if (trade->split == SL_TRADE_TEST)
    say (said, sl_message (" Test errors choose the front: some runs have no validation error."));
}

static void
say_length (const SlTrade *trade, bool (*has_part) (const SlTradeRun *run), Said *said)
{
  uint64_t least = UINT64_MAX, most = 0;

  for (guint i = 0; i < trade->runs->len; i++)
    {
      const SlTradeRun *run = sl_trade_run (trade, i);

      if (!has_part (run))
        continue;
      least = MIN (least, run->run->step);
      most = MAX (most, run->run->step);
    }
  if (least < most)
    say (said, sl_message (" Runs of %.0f to %.0f updates.", (double) least, (double) most));
}

static void
say_diverged (const SlTrade *trade, Said *said)
{
  if (trade->part[SL_TRADE_DIVERGED] > 0)
    say (said, sl_message (" Diverged: %u of %u runs.", trade->part[SL_TRADE_DIVERGED],
                           trade->runs->len));
}

/* Those are not over: their sweep, made again, goes on with them. */
static void
say_pruned (const SlTrade *trade, Said *said)
{
  if (trade->part[SL_TRADE_PRUNED] > 0)
    say (said,
         sl_message (" Pruned: %u of %u runs.", trade->part[SL_TRADE_PRUNED], trade->runs->len));
}

static void
say_left_out (const SlTrade *trade, Said *said)
{
  const struct
  {
    SlTradePart part;
    const char *label;
  } missing[]
    = { { SL_TRADE_NO_X, sl_trade_x (trade).label }, { SL_TRADE_NO_Y, sl_trade_y (trade).label } };

  for (size_t i = 0; i < G_N_ELEMENTS (missing); i++)
    if (trade->part[missing[i].part] > 0)
      say (said, sl_message (" Left out: %u of %u runs, without “%s”.",
                             trade->part[missing[i].part], trade->runs->len, missing[i].label));
  say_diverged (trade, said);
  say_pruned (trade, said);
}

const char *
sl_trade_say (const SlTrade *trade, char *packed, size_t size)
{
  Said said = { packed, size };

  packed[0] = '\0';
  say_bars (trade, &said);
  say_left_out (trade, &said);
  say_front (trade, &said);
  say_length (trade, is_in, &said);
  return packed;
}

bool
sl_trade_counts (const SlTradeRun *run)
{
  return run->part != SL_TRADE_DIVERGED && run->part != SL_TRADE_PRUNED;
}

const char *
sl_trade_say_curves (const SlTrade *trade, char *packed, size_t size)
{
  Said said = { packed, size };

  packed[0] = '\0';
  say_diverged (trade, &said);
  say_pruned (trade, &said);
  say_length (trade, sl_trade_counts, &said);
  return packed;
}

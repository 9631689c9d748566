/* SPDX-License-Identifier: MIT */
#include "plot/charts/trade.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/fit.h"
#include "core/run/compare/baseline.h"

/* From where on a cost has the dense network in sight, in %. */
static const double IN_SIGHT = 70.0, DENSE = 100.0;

static double
number_of (const SlTrade *trade, const SlStoreRun *run, int param)
{
  return param >= 0 ? sl_packed_value (run->settings, trade->lab->params, (unsigned) param).v[0]
                    : (double) NAN;
}

/* Place of the run's value among those of the parameter that gives the markers; names it. */
static unsigned
shape_of (const SlTrade *trade, const SlStoreRun *run, SlFront *front)
{
  unsigned         param = (unsigned) trade->shape, i = 0;
  g_autofree char *text = NULL;
  char             title[SL_FRONT_TITLE];

  if (trade->shape < 0)
    return 0;
  text = sl_tradeoff_text (trade->lab, run->settings, &param, 1, true);
  sl_fit (title, text, sizeof title);
  while (i + 1 < SL_FRONT_SHAPES && front->shape_title[i][0] != '\0'
         && !g_str_equal (front->shape_title[i], title))
    i++;
  if (front->shape_title[i][0] == '\0')
    g_strlcpy (front->shape_title[i], title, SL_FRONT_TITLE);
  return i;
}

static void
begin (const SlTrade *trade, SlFront *front, SlFigure *figure)
{
  const SlParam *tone = trade->tone >= 0 ? &trade->lab->params[trade->tone] : NULL;

  sl_front_empty (front);
  memset (front->shape_title, 0, sizeof front->shape_title);
  figure->y = sl_trade_y (trade);
  figure->z = (SlAxis) { .label = tone != NULL ? tone->title : "",
                         .unit = tone != NULL ? sl_given (tone->unit) : "",
                         .logarithmic = tone != NULL && tone->logarithmic };
}

/* `x` may be another number than that of the run, and its point that of its setting. */
static void
add (const SlTrade *trade, guint i, guint64 key, double x, const char *title, SlFront *front)
{
  const SlTradeRun *run = sl_trade_run (trade, i);
  SlFrontRun        in = { .key = key,
                           .x = x,
                           .y = run->y,
                           .choice = run->choice,
                           .tone = number_of (trade, run->run, trade->tone),
                           .shape = shape_of (trade, run->run, front),
                           .apart = run->apart,
                           .tag = i };

  sl_fit (in.title, title, sizeof in.title);
  sl_front_add (front, &in);
}

static double
half_of (const SlMean *mean)
{
  return mean->n > 1 ? mean->half : 0.0;
}

static void
add_baselines (const SlTrade *trade, SlFront *front)
{
  g_autoptr (GArray) all = sl_trade_baselines (trade);

  for (guint i = 0; i < all->len; i++)
    {
      const SlTradeBaseline *of = &g_array_index (all, SlTradeBaseline, i);

      sl_front_add_beside (front, &(SlFrontBeside) { .title = of->title,
                                                     .x = of->x.mean,
                                                     .y = of->y.mean,
                                                     .x_half = half_of (&of->x),
                                                     .y_half = half_of (&of->y) });
    }
}

/* The axis reaches the dense network where that is near. */
static void
reach_dense (const SlFront *front, SlAxis *axis)
{
  double least = HUGE_VAL, most = 0.0;

  for (unsigned i = 0; i < front->n_runs; i++)
    {
      least = fmin (least, front->x[i]);
      most = fmax (most, front->x[i]);
    }
  if (!front->dense || most < IN_SIGHT || most > DENSE)
    return;
  axis->lo = least;
  axis->hi = DENSE;
}

/* Behind the note. */
static void
add_words (SlFigure *figure, const char *words)
{
  size_t used = strlen (figure->note);

  sl_message_print (figure->note + used, sizeof figure->note - used, " %s",
                    sl_message_word (words).packed);
}

void
sl_trade_figure (const SlTrade *trade, SlFront *front, SlFigure *figure)
{
  begin (trade, front, figure);
  figure->x = sl_trade_x (trade);
  front->frontier = trade->frontier;
  front->chosen = trade->validated;
  front->dense
    = trade->x.kind == SL_MEASURE_COST && g_str_has_prefix (sl_given (figure->x.unit), "%");
  for (guint i = 0; i < trade->runs->len; i++)
    {
      const SlTradeRun *run = sl_trade_run (trade, i);
      g_autofree char  *title = sl_trade_title (trade, run->point, true);

      add (trade, i, run->point, run->x, title, front);
    }
  add_baselines (trade, front);
  reach_dense (front, &figure->x);
  if (trade->frontier)
    g_strlcpy (figure->title, N_ ("Error against cost"), sizeof figure->title);
  else
    sl_message_print (figure->title, sizeof figure->title, "%s against %s", figure->y.label,
                      figure->x.label);
  sl_trade_say (trade, figure->note, sizeof figure->note);
  if (figure->x.hi == DENSE)
    add_words (figure, SL_MARK ("Dashed line: the dense network."));
}

/* Ids of the values of a choice, which are shorter than titles; NULL for numbers. */
static const char **
names_of (const SlParam *param, unsigned *n)
{
  const char **names;

  *n = 0;
  if (param->kind != SL_CHOICE)
    return NULL;
  while (param->choices[*n].id != NULL)
    (*n)++;
  names = g_new0 (const char *, *n + 1);
  for (unsigned i = 0; i < *n; i++)
    names[i] = param->choices[i].id;
  return names;
}

/* What the bars are, from the number of runs of each point. */
static void
say_bars (GHashTable *runs, SlFigure *figure)
{
  unsigned       least = UINT_MAX, most = 0;
  GHashTableIter iter;
  gpointer       n;

  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &n))
    {
      least = MIN (least, GPOINTER_TO_UINT (n));
      most = MAX (most, GPOINTER_TO_UINT (n));
    }
  g_strlcpy (figure->note, most > 0 ? sl_trade_say_bars (least, most).packed : "",
             sizeof figure->note);
}

void
sl_trade_parameter (const SlTrade *trade, unsigned varied, SlFront *front, SlFigure *figure,
                    const char ***names)
{
  unsigned       p = trade->varies[varied];
  const SlParam *param = &trade->lab->params[p];
  g_autoptr (GHashTable) runs = g_hash_table_new (NULL, NULL);

  begin (trade, front, figure);
  front->frontier = front->chosen = front->dense = false;
  *names = names_of (param, &figure->categories.n);
  figure->categories.name = *names;
  g_strlcpy (figure->title, param->title, sizeof figure->title);
  figure->x = (SlAxis) { .label = param->title, .unit = sl_given (param->unit) };
  if (!figure->view_set)
    {
      figure->view.log_x = param->logarithmic;
      figure->view_set = true;
    }
  figure->integer_x
    = (param->kind == SL_INTEGER || param->kind == SL_LIST) && sl_param_is_whole (param);
  for (guint i = 0; i < trade->runs->len; i++)
    {
      const SlTradeRun *run = sl_trade_run (trade, i);
      g_autofree char  *title = sl_trade_setting (trade, i, true);
      gpointer          setting = GUINT_TO_POINTER (run->setting);

      /* A point for each setting: the runs of a group have many values of the parameter. */
      add (trade, i, run->setting, number_of (trade, run->run, (int) p), title, front);
      if (run->part == SL_TRADE_IN)
        g_hash_table_insert (
          runs, setting,
          GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (runs, setting)) + 1));
    }
  say_bars (runs, figure);
}

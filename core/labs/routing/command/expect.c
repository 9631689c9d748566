/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/command/expect.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { NAME = 64, DIGITS = 17 };

/* What a percentage is of. */
typedef enum { NOTHING, SHARE, EXPERTS } Unit;

enum {
  CV,
  CHANCE,
  EXCESS,
  GINI,
  PEAK,
  MAXVIO,
  EFFECTIVE,
  DEAD,
  HOT,
  LRU,
  RECALL,
  DROPPED,
  TOKENS,
  FIGURES
};

static const struct
{
  const char *name;
  Unit        unit;
} figures[FIGURES] = { [CV] = { "cv", NOTHING },
                       [CHANCE] = { "chance", NOTHING },
                       [EXCESS] = { "excess", NOTHING },
                       [GINI] = { "gini", NOTHING },
                       [PEAK] = { "peak", NOTHING },
                       [MAXVIO] = { "maxvio", NOTHING },
                       [EFFECTIVE] = { "effective", EXPERTS },
                       [DEAD] = { "dead", EXPERTS },
                       [HOT] = { "hot", SHARE },
                       [LRU] = { "lru", SHARE },
                       [RECALL] = { "recall", SHARE },
                       [DROPPED] = { "dropped", SHARE },
                       [TOKENS] = { "tokens", NOTHING } };

static const char *const signs[] = { "<", "<=", ">", ">=", "=" };

/* ---- reading ---- */

static SlStatus
refuse (const char *word, SlMessage expected)
{
  return sl_status_new (SL_EINVAL, "--expect", sl_message ("“%.60s”", word), expected);
}

static SlStatus
refuse_name (const char *word)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (unsigned f = 0; f < FIGURES; f++)
    g_string_append_printf (names, "%s%s", f > 0 ? ", " : "", figures[f].name);
  return refuse (word, sl_message ("one of %s", names->str));
}

static gboolean
read_figure (const char **at, unsigned *figure)
{
  size_t length = strspn (*at, "abcdefghijklmnopqrstuvwxyz");

  for (*figure = 0; *figure < FIGURES; ++*figure)
    if (strlen (figures[*figure].name) == length
        && strncmp (figures[*figure].name, *at, length) == 0)
      {
        *at += length;
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_sign (const char **at, SlExpectHow *how)
{
  gboolean equal = (*at)[0] != '\0' && (*at)[1] == '=';

  switch ((*at)[0])
    {
    case '<': *how = equal ? SL_EXPECT_AT_MOST : SL_EXPECT_LESS; break;
    case '>': *how = equal ? SL_EXPECT_AT_LEAST : SL_EXPECT_MORE; break;
    case '=': *how = SL_EXPECT_EQUAL; break;
    default: return FALSE;
    }
  *at += equal ? 2 : 1;
  return TRUE;
}

static gboolean
read_bound (const char *at, SlExpectation *e)
{
  char *end;

  e->bound = g_ascii_strtod (at, &end);
  if (end == at || !isfinite (e->bound))
    return FALSE;
  end += strspn (end, " ");
  e->percent = *end == '%';
  return end[e->percent] == '\0';
}

/* One of them, without blanks around it. */
static SlStatus
read_one (const char *word, SlExpectation *e)
{
  const char *at = word;

  *e = (SlExpectation) { 0 };
  if (!read_figure (&at, &e->figure))
    return refuse_name (word);
  at += strspn (at, " ");
  if (!read_sign (&at, &e->how))
    return refuse (word, sl_message ("<, <=, >, >= or = behind %s", figures[e->figure].name));
  if (!read_bound (at, e))
    return refuse (word, sl_message ("a number behind %s", signs[e->how]));
  if (e->percent && figures[e->figure].unit == NOTHING)
    return refuse (word,
                   sl_message ("a number without %%: %s is no share", figures[e->figure].name));
  return SL_SUCCESS;
}

SlStatus
sl_trace_expect_read (const char *text, GArray *expectations)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  SlStatus status = words[0] == NULL ? refuse_name ("") : SL_SUCCESS;

  for (char **word = words; *word != NULL && sl_ok (&status); word++)
    {
      SlExpectation e;

      status = read_one (g_strstrip (*word), &e);
      if (sl_ok (&status))
        g_array_append_val (expectations, e);
    }
  return status;
}

/* ---- judging ---- */

/* A figure of a layer; NaN: it has none. */
static double
figure_of (const SlTraceLine *line, unsigned figure)
{
  const SlRoutesBalance *b = &line->balance;
  const double           value[FIGURES] = { [CV] = b->cv,
                                            [CHANCE] = b->chance.floor,
                                            [EXCESS] = isnan (b->chance.floor) ? NAN : b->cv_excess,
                                            [GINI] = b->gini,
                                            [PEAK] = b->peak,
                                            [MAXVIO] = b->maxvio,
                                            [EFFECTIVE] = b->effective,
                                            [DEAD] = b->dead,
                                            [HOT] = line->hot,
                                            [LRU] = line->lru,
                                            [RECALL] = line->recall,
                                            [DROPPED] = line->dropped,
                                            [TOKENS] = line->tokens > 0 ? (double) line->tokens : NAN };

  return value[figure];
}

static gboolean
holds (const SlExpectation *e, double value, double bound)
{
  switch (e->how)
    {
    case SL_EXPECT_LESS: return value < bound;
    case SL_EXPECT_AT_MOST: return value <= bound;
    case SL_EXPECT_MORE: return value > bound;
    case SL_EXPECT_AT_LEAST: return value >= bound;
    case SL_EXPECT_EQUAL: return value == bound;
    }
  return FALSE;
}

/* How far a figure is on the wrong side. */
static double
beyond (const SlExpectation *e, double value, double bound)
{
  if (e->how == SL_EXPECT_EQUAL)
    return fabs (value - bound);
  return e->how == SL_EXPECT_LESS || e->how == SL_EXPECT_AT_MOST ? value - bound : bound - value;
}

/* The bound as the figure is counted. */
static double
bound_of (const SlExpectation *e, unsigned experts)
{
  if (!e->percent)
    return e->bound;
  return figures[e->figure].unit == EXPERTS ? e->bound * experts / 100.0 : e->bound / 100.0;
}

SlExpectResult
sl_trace_expect (const SlExpectation *expectation, unsigned layers, unsigned experts,
                 const SlTraceLine *line)
{
  SlExpectResult result = { 0 };
  double         bound = bound_of (expectation, experts), worst = -INFINITY;

  for (unsigned l = 0; l < layers; l++)
    {
      double value = figure_of (&line[l], expectation->figure);

      if (isnan (value))
        continue;
      result.layers++;
      if (holds (expectation, value, bound))
        continue;
      if (beyond (expectation, value, bound) > worst)
        {
          worst = beyond (expectation, value, bound);
          result.worst = l;
        }
      result.failing++;
    }
  return result;
}

/* ---- the sentence ---- */

/* A figure with as many digits as show that it is beyond the bound, at least 3. */
static void
print_figure (const SlExpectation *e, double value, double bound,
              char text[G_ASCII_DTOSTR_BUF_SIZE])
{
  char format[8];

  for (int digits = 3; digits <= DIGITS; digits++)
    {
      double shown;

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, format, value);
      shown = g_ascii_strtod (text, NULL);
      if (!holds (e, shown, bound) && (shown != bound || value == bound))
        return;
    }
}

char *
sl_trace_expect_sentence (const SlExpectation *expectation, const SlExpectResult *result,
                          const SlRouting *recording, const SlTraceLine *line)
{
  const char      *figure = figures[expectation->figure].name;
  gboolean         share = figures[expectation->figure].unit == SHARE;
  gboolean         percent = share || expectation->percent;
  double           scale = !percent ? 1.0 : share ? 100.0 : 100.0 / recording->experts;
  double           bound = bound_of (expectation, recording->experts) * scale;
  const char      *unit = percent ? " %" : "";
  char             name[NAME], value[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *many = NULL;

  if (result->layers == 0)
    return g_strdup_printf (_ ("no layer has the figure %s, which is expected %s %g%s"), figure,
                            signs[expectation->how], bound, unit);
  print_figure (expectation, figure_of (&line[result->worst], expectation->figure) * scale, bound,
                value);
  if (result->layers > 1)
    many = g_strdup_printf (_ (" (in %u of %u layers)"), result->failing, result->layers);
  return g_strdup_printf (_ ("layer %s: %s %s%s, expected %s %g%s%s"),
                          sl_routing_layer_name (&recording->layer[result->worst], name, NAME),
                          figure, value, unit, signs[expectation->how], bound, unit,
                          many != NULL ? many : "");
}

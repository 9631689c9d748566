/* SPDX-License-Identifier: MIT
 *
 * Where letters and words are that a network reads: in lines at the top, or each above its column of a field.  */
#include <glib.h>
#include <math.h>

#include "plot/layout/alive.h"
#include "plot/layout/laying.h"

/* In letters: the longest word, and what is around each. */
static const double LONGEST = 8.0, AROUND = 0.35, BETWEEN = 0.2, BLANK = 0.4;

static const double SEAM = 1.0; /* px between the parts of a word */

static const double LINE = 1.45; /* px from line to line in lines of text */

/* Words that are measured, and those of them that fit. */
typedef struct
{
  const SlLaying *job;
  SlAliveFrame   *to;
  SlRect          area; /* of whole lines */
  double          size, pitch;
  unsigned        lines, n;
  bool   blanks; /* some begin with the blank before them: the others go on with the word before */
  double w[SL_ALIVE_TOKENS], gap[SL_ALIVE_TOKENS]; /* with what is around; before each */
  char   text[SL_ALIVE_TOKENS][SL_ALIVE_WORD];
} Words;

static void
measure (Words *words, unsigned i, double longest)
{
  const SlLaying *job = words->job;
  char            name[SL_FRAME_TEXT] = "";
  double          w;

  sl_figure_row_name (job->figure, i + 1, name, sizeof name);
  w = sl_text_ellipsise (job->text, name + (name[0] == ' '), words->size, false, longest,
                         words->text[i], sizeof words->text[i]);
  words->w[i] = w + 2.0 * AROUND * words->size;
  words->gap[i] = name[0] == ' ' ? BLANK * words->size : SEAM;
  words->blanks |= name[0] == ' ';
}

/* Puts the words from `first` to before `end` into lines, places them if asked for; returns how many lines. */
static unsigned
flow (Words *words, unsigned first, unsigned end, bool place)
{
  double   x = 0.0;
  unsigned line = 0;

  for (unsigned i = first; i < end; i++)
    {
      double gap = x == 0.0 ? 0.0 : words->blanks ? words->gap[i] : BETWEEN * words->size;

      if (x > 0.0 && x + gap + words->w[i] > words->area.w)
        {
          x = gap = 0.0;
          line++;
        }
      x += gap;
      if (place)
        {
          SlAliveTokenPlace *token = &words->to->token[words->to->n_tokens++];

          *token = (SlAliveTokenPlace) { .row = i };
          token->at = (SlRect) { words->area.x + x, words->area.y + line * words->pitch,
                                 MIN (words->w[i], words->area.w), 0.9 * words->pitch };
          g_strlcpy (token->text, words->text[i], sizeof token->text);
        }
      x += words->w[i];
    }
  return line + 1;
}

/* The most words that fit around one, those before it first. */
static void
choose (Words *words, unsigned looked_at)
{
  unsigned first = looked_at, end = looked_at + 1;
  bool     before = true, behind = true;

  while (before || behind)
    {
      before = first > 0 && flow (words, first - 1, end, false) <= words->lines;
      first -= before;
      behind = end < words->n && flow (words, first, end + 1, false) <= words->lines;
      end += behind;
    }
  words->lines = flow (words, first, end, true);
}

static unsigned
find_looked_at (const SlAlive *alive)
{
  for (unsigned i = 0; i < alive->n_points; i++)
    if (alive->pixel[(size_t) i * SL_ALIVE_COLUMNS + 2] > 0.0)
      return i;
  return alive->n_points - 1;
}

/* Lines of words: more where the plot is high, above the rows of a way fewer. */
static unsigned
lines_of (const SlAlive *alive, double h, double pitch)
{
  if (alive->group[0].form != SL_ALIVE_WAY)
    return h > 12.0 * pitch ? 2 : 1;
  return h > 26.0 * pitch ? 3 : h > 14.0 * pitch ? 2 : 1;
}

double
sl_lay_alive_words (const SlLaying *job, const SlAlive *alive, SlFrame *frame)
{
  double       type = job->theme->type;
  const SlRect plot = frame->plot;
  Words        words = { .job = job, .to = &frame->alive, .n = alive->n_points };

  if (alive->input != SL_ALIVE_LINE || sl_alive_has_heads (alive))
    return 0.0;
  words.size = 1.05 * type;
  words.pitch = LINE * job->line;
  words.lines = lines_of (alive, plot.h, words.pitch);
  words.area = (SlRect) { plot.x, plot.y, plot.w, words.pitch };
  for (unsigned i = 0; i < words.n; i++)
    measure (&words, i, MIN (LONGEST * type, plot.w - 2.0 * AROUND * words.size));
  choose (&words, find_looked_at (alive));
  frame->alive.input = (SlRect) { plot.x, plot.y, plot.w, MIN (words.lines * words.pitch, plot.h) };
  return words.lines * words.pitch + 0.4 * job->line;
}

/* A letter, or an escape as far as there is room, else dots. */
static void
write_head (const SlLaying *job, const char *name, double size, double w, char text[SL_ALIVE_WORD])
{
  bool escape = g_utf8_strlen (name, -1) > 1;

  sl_text_ellipsise (job->text, name, size, false, escape ? w : 1.6 * w, text, SL_ALIVE_WORD);
  if (escape && text[0] == '\0' && sl_text_width (job->text, "…", size, false) <= w)
    g_strlcpy (text, "…", SL_ALIVE_WORD);
}

void
sl_lay_alive_heads (const SlLaying *job, const SlAlive *alive, SlFrame *frame)
{
  SlAliveFrame       *to = &frame->alive;
  const SlAlivePlace *field = &to->group[0];
  double              size = MIN (job->theme->type, 1.5 * field->w);
  double              h = MIN (1.2 * job->line, field->area.y - frame->plot.y);

  if (!sl_alive_has_heads (alive))
    return;
  to->input = (SlRect) { field->area.x, field->area.y - h, field->area.w, MAX (h, 1.0) };
  for (unsigned i = 0; i < alive->n_points; i++)
    {
      SlAliveTokenPlace *token = &to->token[to->n_tokens++];
      char               name[SL_FRAME_TEXT] = "";

      *token = (SlAliveTokenPlace) { .row = i };
      token->at = (SlRect) { field->area.x + i * field->w, to->input.y, field->w, to->input.h };
      sl_figure_row_name (job->figure, i + 1, name, sizeof name);
      if (size >= SL_ALIVE_LEAST_TYPE)
        write_head (job, name, size, field->w, token->text);
    }
}

double
sl_lay_alive_margin (const SlLaying *job, const SlAlive *alive, unsigned group, double most)
{
  const SlAliveGroup *way = &alive->group[group];
  double              size = 0.9 * job->theme->type, widest = 0.0;

  for (unsigned row = 0; row < way->n / way->across; row++)
    {
      char name[SL_FRAME_TEXT] = "";

      sl_figure_row_name (job->figure, alive->n_points + 1 + row, name, sizeof name);
      widest = MAX (widest, sl_text_width (job->text, name, size, true));
    }
  return MIN (widest + 0.6 * size, most);
}

/* SPDX-License-Identifier: MIT
 *
 * Pictures whose input is a line of letters, words or tokens: above the columns of a field, in lines above experts,
 * and above a way through layers.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/alive.h"
#include "plot/figure/panel.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"

enum { LETTERS, WORDS, TOKENS, TEXT, N_PANELS };

static const SlPanel panels[] = {
  [LETTERS] = { .id = "letters", .title = "Letters", .kind = SL_ALIVE },
  [WORDS] = { .id = "words", .title = "Words", .kind = SL_ALIVE },
  [TOKENS] = { .id = "tokens", .title = "Tokens", .kind = SL_ALIVE },
  [TEXT] = { .id = "text", .title = "Text", .kind = SL_ALIVE, .picks = "expert" },
};
static const SlLab lab
  = { .id = "lines", .title = "Lines", .panels = panels, .n_panels = N_PANELS };

static double *
add_row (double *at, SlAliveRow what, double a, double b, double c, double d)
{
  const double row[SL_ALIVE_COLUMNS] = { what, a, b, c, d };

  memcpy (at, row, sizeof row);
  return at + SL_ALIVE_COLUMNS;
}

/* So many tokens, of which one is looked at. */
static double *
add_line (SlSnapshot *snapshot, double *at, unsigned n, unsigned looked_at, bool words)
{
  static const char *const word[] = {
    "a", "darkness", "‹unk›", "␣", "\u2068שלום\u2069", "\\u202eevil", "of", "incomprehensibilities"
  };

  at = add_row (at, SL_ALIVE_ROW_INPUT, SL_ALIVE_LINE, 1, 1, 15);
  sl_snapshot_row_name (snapshot, "word 7");
  for (unsigned i = 0; i < n; i++)
    {
      char letter[] = { (char) ('a' + i % 26), '\0' };

      at = add_row (at, SL_ALIVE_ROW_TOKEN, i % 9, i == looked_at, (double) i - looked_at, 0);
      sl_snapshot_row_name (snapshot, words ? word[i % G_N_ELEMENTS (word)] : letter);
    }
  return at;
}

static double *
add_cells (double *at, SlAliveForm form, unsigned rows, unsigned across)
{
  at = add_row (at, SL_ALIVE_ROW_GROUP, form, rows * across, form == SL_ALIVE_WAY ? 1 : 0, across);
  for (unsigned i = 0; i < rows * across; i++)
    at = add_row (at, SL_ALIVE_ROW_CELL,
                  form == SL_ALIVE_WAY ? (i % 5 == 2 ? SL_ALIVE_USED : SL_ALIVE_SKIPPED)
                                       : (unsigned) (4.0 * sample_noise (i)),
                  sample_noise (i + 7), form == SL_ALIVE_WAY && i % across == 2, i % across + 1);
  return at;
}

static void
end (SlSink *sink, SlSnapshot *snapshot, double *at)
{
  snapshot->n_data = (size_t) (at - snapshot->data);
  snapshot->rows = (unsigned) (snapshot->n_data / SL_ALIVE_COLUMNS);
  snapshot->note = sl_message ("%d of %d computed.", 5, 9);
  sink->publish (sink, snapshot);
}

static void
fill_letters (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, LETTERS);
  double     *at = sl_snapshot_matrix (snapshot, 1, 900, SL_ALIVE_COLUMNS);

  at = add_line (snapshot, at, 40, 39, false);
  at = add_cells (at, SL_ALIVE_FIELD, 12, 40);
  at = add_cells (at, SL_ALIVE_BARS, 12, 1);
  at = add_cells (at, SL_ALIVE_FIELD, 12, 1);
  for (unsigned i = 0; i < 6; i++)
    at = add_row (at, SL_ALIVE_ROW_CLASS, 0.3 / (i + 1), i == 3, i == 0, i);
  snprintf (snapshot->names, sizeof snapshot->names,
            "blocks\ngates\nstate\ne\ni\na\n\\x0a\nt\nu\n");
  end (sink, snapshot, at);
}

static void
fill_words (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, WORDS);
  double     *at = sl_snapshot_matrix (snapshot, 1, 200, SL_ALIVE_COLUMNS);

  at = add_line (snapshot, at, 41, 40, true);
  at = add_cells (at, SL_ALIVE_SCORES, 8, 1);
  at = add_cells (at, SL_ALIVE_BOXES, 8, 1);
  at = add_cells (at, SL_ALIVE_SUM, 1, 1);
  at = add_row (at, SL_ALIVE_ROW_EDGE, 1, 3, 0.5, 0);
  for (unsigned i = 0; i < 6; i++)
    at = add_row (at, SL_ALIVE_ROW_CLASS, 0.3 / (i + 1), i == 3, i == 0, i);
  snprintf (snapshot->names, sizeof snapshot->names,
            "scores\nexperts\nsum\nthe\nand\nof\nlight\n‹unk›\nin\n");
  end (sink, snapshot, at);
}

static void
fill_tokens (SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, TOKENS);
  double     *at = sl_snapshot_matrix (snapshot, 1, 600, SL_ALIVE_COLUMNS);

  at = add_line (snapshot, at, 60, 11, false);
  for (unsigned l = 0; l < 7; l++)
    {
      g_autofree char *name = g_strdup_printf ("layer %u", l);

      sl_snapshot_row_name (snapshot, name);
    }
  at = add_cells (at, SL_ALIVE_WAY, 7, 64);
  at = add_cells (at, SL_ALIVE_BARS, 7, 4);
  snprintf (snapshot->names, sizeof snapshot->names, "experts\ngates\n");
  end (sink, snapshot, at);
}

/* The parts of words above a way, shaded. */
static void
fill_text (SlSink *sink)
{
  static const char *const part[] = { " the", " un", "believ", "able", " cat", ".", "␣" };
  SlSnapshot              *snapshot = sink->open (sink, TEXT);
  double                  *at = sl_snapshot_matrix (snapshot, 1, 200, SL_ALIVE_COLUMNS);

  at = add_row (at, SL_ALIVE_ROW_INPUT, SL_ALIVE_LINE, 1, 1, 15);
  sl_snapshot_row_name (snapshot, "token 20");
  for (unsigned i = 0; i < 60; i++)
    {
      at = add_row (at, SL_ALIVE_ROW_TOKEN, 8, i == 19, (double) i - 19, sample_noise (i));
      sl_snapshot_row_name (snapshot, part[i % G_N_ELEMENTS (part)]);
    }
  for (unsigned l = 0; l < 3; l++)
    sl_snapshot_row_name (snapshot, "layer");
  at = add_cells (at, SL_ALIVE_WAY, 3, 16);
  snprintf (snapshot->names, sizeof snapshot->names, "experts\n");
  end (sink, snapshot, at);
}

typedef struct
{
  SlRecord record;
  SlFigure figure[N_PANELS];
} Figures;

static void
figures_init (Figures *f)
{
  SlSettings   settings = { 0 };
  SlRecordSink sink;
  SlStatus     status;

  memset (f, 0, sizeof *f);
  sl_settings_default (&settings, lab.params, lab.n_params);
  status = sl_record_init (&f->record, &lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  sl_record_sink_init (&sink, &f->record);
  fill_letters (&sink.sink);
  fill_words (&sink.sink);
  fill_tokens (&sink.sink);
  fill_text (&sink.sink);
  g_assert_false (sink.failed);
  sl_record_sink_clear (&sink);
  for (unsigned p = 0; p < N_PANELS; p++)
    sl_panel_update (&f->figure[p], &f->record, p, NULL, 0);
}

static void
figures_clear (Figures *f)
{
  for (unsigned p = 0; p < N_PANELS; p++)
    sl_figure_clear (&f->figure[p]);
  sl_record_clear (&f->record);
}

/* ---- reading ---- */

/* Any number in place of any other: what is read is safe to lay out, to draw and to point at. */
static void
test_read (void)
{
  static const double odd[] = { -1, 0, 1, 2, 3, 7, 0.5, 41, 1e300, -1e300, 4096, 64 };
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  const SlParts       parts = { .title = true, .note = true };
  unsigned            refused = 0, drawn = 0;
  Figures             f;

  figures_init (&f);
  for (unsigned p = 0; p < N_PANELS; p++)
    {
      SlMatrix *m = &f.figure[p].matrix;
      double   *cell = (double *) m->cell;
      size_t    n = (size_t) m->rows * m->columns;

      for (unsigned i = 0; i < 4000; i++)
        {
          size_t at
            = (size_t) g_test_rand_int_range (0, i % 2 == 0 ? (gint32) n : (gint32) MIN (n, 700));
          double  before = cell[at];
          int     which = g_test_rand_int_range (0, (gint32) G_N_ELEMENTS (odd) + 1);
          SlAlive alive;

          cell[at] = which == G_N_ELEMENTS (odd) ? (double) NAN : odd[which];
          if (!sl_alive_read (&alive, cell, m->rows, m->columns))
            refused++;
          else if (i % 10 == 0)
            {
              SlRender *render = sl_render_new ();

              g_assert_nonnull (
                sl_render_draw (render, &f.figure[p], &theme, &parts, 700, 300, 1.0, HUGE_VAL));
              sl_alive_at (sl_render_frame (render), &f.figure[p], 350.0, 150.0);
              sl_render_free (render);
              drawn++;
            }
          cell[at] = before;
        }
    }
  g_test_message ("%u refused, %u drawn", refused, drawn);
  g_assert_cmpuint (refused, >, 1000);
  g_assert_cmpuint (drawn, >, 100);
  figures_clear (&f);
}

/* ---- places ---- */

static void
assert_inside (const SlRect *part, const SlRect *whole)
{
  g_assert_true (part->w > 0.0 && part->h > 0.0);
  g_assert_cmpfloat (part->x, >=, whole->x - 0.01);
  g_assert_cmpfloat (part->y, >=, whole->y - 0.01);
  g_assert_cmpfloat (part->x + part->w, <=, whole->x + whole->w + 0.01);
  g_assert_cmpfloat (part->y + part->h, <=, whole->y + whole->h + 0.01);
}

static bool
overlap (const SlRect *a, const SlRect *b)
{
  return a->x < b->x + b->w - 0.01 && b->x < a->x + a->w - 0.01 && a->y < b->y + b->h - 0.01
         && b->y < a->y + a->h - 0.01;
}

/* Each inside the plot, above all groups, none over another, and where the pointer finds it; the one that is looked
 * at is always there, and those shown follow one another.  */
static void
check_tokens (const SlFigure *figure, const SlFrame *frame, const SlAlive *alive)
{
  const SlAliveFrame *at = &frame->alive;
  bool                found = false;

  g_assert_cmpuint (at->n_tokens, >=, 1);
  for (unsigned i = 0; i < at->n_tokens; i++)
    {
      const SlAliveTokenPlace *token = &at->token[i];
      SlRect                   place;

      assert_inside (&token->at, &frame->plot);
      found |= alive->pixel[(size_t) token->row * SL_ALIVE_COLUMNS + 2] > 0.0;
      if (i > 0)
        {
          g_assert_cmpuint (token->row, ==, at->token[i - 1].row + 1);
          g_assert_false (overlap (&token->at, &at->token[i - 1].at));
        }
      for (unsigned g = 0; g < alive->n_groups; g++)
        g_assert_false (overlap (&token->at, &at->group[g].area));
      g_assert_cmpuint (sl_alive_at (frame, figure, token->at.x + token->at.w / 2.0,
                                     token->at.y + token->at.h / 2.0),
                        ==, token->row + 2);
      g_assert_true (sl_alive_find (frame, figure, token->row + 2, &place));
      g_assert_cmpmem (&place, sizeof place, &token->at, sizeof place);
    }
  g_assert_true (found);
}

/* Letters stand above their columns, and what has a field's rows stands in them. */
static void
check_field (const SlFrame *frame, const SlAlive *alive)
{
  const SlAliveFrame *at = &frame->alive;
  const SlAlivePlace *field = &at->group[0];

  for (unsigned i = 0; sl_alive_has_heads (alive) && i < at->n_tokens; i++)
    {
      SlRect below = sl_alive_cell_place (&alive->group[0], field, at->token[i].row);

      g_assert_cmpfloat (fabs (below.x - at->token[i].at.x), <, 0.01);
      g_assert_cmpfloat (fabs (below.w - at->token[i].at.w), <, 0.01);
    }
  for (unsigned g = 1; alive->group[0].across > 1 && g < alive->n_groups; g++)
    {
      g_assert_cmpfloat (fabs (at->group[g].area.y - field->area.y), <, 0.01);
      g_assert_cmpfloat (fabs (at->group[g].h - field->h), <, 0.01);
    }
}

static void
check_groups (const SlFigure *figure, const SlFrame *frame, const SlAlive *alive)
{
  for (unsigned g = 0; g < alive->n_groups; g++)
    {
      const SlAlivePlace *place = &frame->alive.group[g];

      assert_inside (&place->area, &frame->plot);
      g_assert_cmpfloat (place->area.x - place->margin, >=, frame->plot.x - 0.01);
      if (g > 0)
        g_assert_cmpfloat (place->area.x - place->margin, >, place[-1].area.x + place[-1].area.w);
      for (unsigned i = 0; i < alive->group[g].n; i += 3)
        {
          SlRect   cell = sl_alive_cell_place (&alive->group[g], place, i), found;
          unsigned row = sl_alive_at (frame, figure, cell.x + cell.w / 2.0, cell.y + cell.h / 2.0);

          assert_inside (&cell, &place->area);
          g_assert_cmpuint (row, ==, alive->group[g].first + i + 1);
          g_assert_true (sl_alive_find (frame, figure, row, &found));
          g_assert_cmpmem (&found, sizeof found, &cell, sizeof cell);
        }
    }
}

static void
test_places (void)
{
  static const int size[][2] = { { 360, 240 },  { 360, 640 },  { 420, 250 },  { 900, 360 },
                                 { 1024, 768 }, { 1600, 500 }, { 1600, 240 }, { 240, 180 } };
  const SlParts    parts = { .title = true, .note = true };
  Figures          f;

  figures_init (&f);
  for (unsigned kind = 0; kind < SL_N_THEMES; kind++)
    {
      SlTheme theme = sl_theme_get ((SlThemeKind) kind);
      SlText *text = sl_text_new (theme.family);

      for (unsigned i = 0; i < G_N_ELEMENTS (size); i++)
        for (unsigned p = 0; p < N_PANELS; p++)
          {
            const SlMatrix *m = &f.figure[p].matrix;
            SlAlive         alive;
            SlFrame         frame;

            sl_figure_fit (&f.figure[p], HUGE_VAL);
            sl_frame_layout (&frame, &f.figure[p], &theme, &parts, text, size[i][0], size[i][1]);
            g_assert_true (sl_alive_read (&alive, m->cell, m->rows, m->columns));
            check_tokens (&f.figure[p], &frame, &alive);
            check_field (&frame, &alive);
            check_groups (&f.figure[p], &frame, &alive);
            if (p >= TOKENS)
              g_assert_cmpuint (frame.alive.n_classes, ==, 0);
            else
              g_assert_cmpuint (frame.alive.n_classes, >=, 1);
          }
      sl_text_free (text);
    }
  figures_clear (&f);
}

/* The parts of a word stand side by side, and where a blank begins a part there is one. */
static void
test_blanks (void)
{
  const SlParts parts = { .title = true };
  SlTheme       theme = sl_theme_get (SL_THEME_LIGHT);
  SlText       *text = sl_text_new (theme.family);
  unsigned      lines = 1;
  SlFrame       frame;
  Figures       f;

  figures_init (&f);
  sl_figure_fit (&f.figure[TEXT], HUGE_VAL);
  sl_frame_layout (&frame, &f.figure[TEXT], &theme, &parts, text, 900, 700);
  g_assert_cmpuint (frame.alive.n_tokens, >, 30);
  for (unsigned i = 1; i < frame.alive.n_tokens; i++)
    {
      const SlAliveTokenPlace *token = &frame.alive.token[i];
      double                   gap = token->at.x - (token[-1].at.x + token[-1].at.w);
      bool begins = token->row % 7 == 0 || token->row % 7 == 1 || token->row % 7 == 4;

      g_assert_true (token->text[0] != ' ');
      if (token->at.y > token[-1].at.y)
        lines++;
      else if (begins)
        g_assert_cmpfloat (gap, >, 3.0);
      else
        g_assert_cmpfloat (gap, <=, 1.01);
    }
  g_assert_cmpuint (lines, ==, 2);
  sl_text_free (text);
  figures_clear (&f);
}

/* The signal of a slow motion goes through the rows of a way from top to bottom. */
static void
test_way (void)
{
  const SlParts parts = { .title = true };
  SlTheme       theme = sl_theme_get (SL_THEME_LIGHT);
  SlText       *text = sl_text_new (theme.family);
  double        bottom = 0.0;
  Figures       f;

  figures_init (&f);
  for (unsigned i = 1; i < 8; i++)
    {
      SlFrame             frame;
      const SlAliveFront *front = &frame.alive.front;
      const SlRect       *way = &frame.alive.group[0].area;

      f.figure[TOKENS].view.reached = 1.0 + i / 8.0;
      sl_figure_fit (&f.figure[TOKENS], HUGE_VAL);
      sl_frame_layout (&frame, &f.figure[TOKENS], &theme, &parts, text, 900, 360);
      g_assert_cmpuint (front->n_lit, ==, 2);
      g_assert_cmpfloat (front->lit[1].x, <=, way->x);
      g_assert_cmpfloat (front->lit[1].x + front->lit[1].w, >=, way->x + way->w);
      g_assert_cmpfloat (front->lit[1].y + front->lit[1].h, >, MAX (bottom, way->y));
      g_assert_cmpfloat (front->lit[1].y + front->lit[1].h, <, way->y + way->h);
      bottom = front->lit[1].y + front->lit[1].h;
    }
  sl_text_free (text);
  figures_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alive-lines/read", test_read);
  g_test_add_func ("/alive-lines/places", test_places);
  g_test_add_func ("/alive-lines/blanks", test_blanks);
  g_test_add_func ("/alive-lines/way", test_way);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * Names from files of other people, as whatever is drawn or written of them: every document that comes out
 * can be read by what reads its kind, has no element or command that came in with a name, and still has the
 * name's words.  */
#include <glib/gstdio.h>
#include <string.h>

#include "core/run/base/json.h"
#include "core/run/files/table.h"
#include "plot/base/xml.h"
#include "plot/charts/overlay.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "tests/plot/plot-sample.h"

static const char *const names[] = {
  "precision & recall",
  "p<0.05",
  "say \"hi\", she said",
  "a\"><script>alert(1)</script></g><g id=\"x",
  "' onload='alert(1)",
  "]]> <!-- &amp; &#1; <?php ?>",
  "control \001 \033[31m \177 \302\205 end",
  "none \357\277\276 \357\267\220 \360\237\277\277 end",
  "bytes \377\376 \355\240\200 end",
  "'; import os; os.mkdir('HIT') #",
  "\"\"\") open('HIT', 'w')",
  "\\input{/etc/passwd} \\write18{touch HIT} ^^5c $ % { } }",
  "%s %n {} {0} \\",
  "separated \342\200\250 and \342\200\251 end",
};

/* The first word of a name, which every text keeps. */
static char *
first_letters (const char *name)
{
  return g_strndup (name, strspn (name, "abcdefghijklmnopqrstuvwxyz"));
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **keys,
               const char **values, gpointer data, GError **error)
{
  static const char *const elements[]
    = { "svg",  "title",  "desc", "metadata", "g",     "clipPath", "rect",
        "path", "circle", "text", "image",    "tspan", NULL };

  if (!g_strv_contains (elements, element))
    g_error ("there is an element <%s>", element);
  for (; *keys != NULL; keys++)
    g_assert_false (g_str_has_prefix (*keys, "on"));
}

static void
between (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
         GError **error)
{
  g_string_append_len (data, text, (gssize) length);
}

/* What XML 1.0 may have, less what it advises against; the parser of GLib does not look. */
static void
check_letters (const char *document)
{
  for (; *document != '\0'; document = g_utf8_next_char (document))
    {
      gunichar c = g_utf8_get_char (document);

      if ((c < 32 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || (c & 0xfffe) == 0xfffe
          || (c >= 0xfdd0 && c <= 0xfdef))
        g_error ("there is a U+%04X", c);
    }
}

static void
check_svg (const char *document, const char *name)
{
  static const GMarkupParser parser = { start_element, NULL, between, NULL, NULL };
  g_autoptr (GString) texts = g_string_new (NULL);
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, texts, NULL);
  g_autofree char     *word = first_letters (name);
  GError              *error = NULL;

  g_assert_true (g_utf8_validate (document, -1, NULL));
  check_letters (document);
  g_markup_parse_context_parse (context, document, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_markup_parse_context_free (context);
  g_assert_nonnull (strstr (texts->str, word));
}

/* Braces in pairs, and none of the commands that a name had. */
static void
check_tex (const char *document, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (document, "\n", -1);
  int depth = 0;

  g_assert_true (g_utf8_validate (document, -1, NULL));
  for (char **line = lines; *line != NULL; line++)
    if (**line != '%')
      {
        g_assert_null (strstr (*line, "\\input"));
        g_assert_null (strstr (*line, "\\write"));
        g_assert_null (strstr (*line, "^^"));
        for (const char *p = *line; *p != '\0' && *p != '%'; p++)
          if (*p == '\\' && p[1] != '\0')
            p++;
          else
            depth += (*p == '{') - (*p == '}');
        g_assert_cmpint (depth, >=, 0);
      }
  g_assert_cmpint (depth, ==, 0);
}

/* Parses a script without running it; says nothing where there is no Python. */
static void
check_python (const char *document, const char *name)
{
  const char      *argv[] = { "/usr/bin/python3", "-c",
                              "import ast, sys\n"
                                   "tree = ast.parse(open(sys.argv[1], 'rb').read())\n"
                                   "calls = {node.func.attr for node in ast.walk(tree)\n"
                                   "         if isinstance(node, ast.Call)\n"
                                   "         and isinstance(node.func, ast.Attribute)}\n"
                                   "sys.exit('mkdir' in calls or 'system' in calls)\n",
                              NULL, NULL };
  g_autofree char *said = NULL, *path = NULL;
  int              status = 0, file = g_file_open_tmp ("sluice-hostile-XXXXXX", &path, NULL);

  g_assert_cmpint (file, >=, 0);
  g_assert_true (g_close (file, NULL));
  g_assert_true (g_file_set_contents (path, document, -1, NULL));
  argv[3] = path;
  if (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, &said, &status, NULL)
      && status != 0)
    g_error ("\"%s\": %s", name, said);
  g_assert_cmpint (g_unlink (path), ==, 0);
}

static const struct
{
  SlExportFormat format;
  void (*check) (const char *document, const char *name);
} drawn[] = {
  { SL_EXPORT_SVG, check_svg },
  { SL_EXPORT_TIKZ, check_tex },
  { SL_EXPORT_MATPLOTLIB, check_python },
  { SL_EXPORT_PNG, NULL },
  { SL_EXPORT_PDF, NULL },
};

static void
export_all (SlFigure *const *figures, unsigned n, const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (drawn); i++)
    {
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, n);
      g_autoptr (GBytes) bytes = NULL;
      g_autofree char *text = NULL;
      GError          *error = NULL;

      options.caption = options.title = options.recipe = name;
      options.dpi = 40.0;
      bytes = sl_export_page (figures, n, &options, drawn[i].format, &error);
      if (bytes == NULL)
        g_error ("\"%s\": %s", name, error->message);
      text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      if (drawn[i].check != NULL)
        drawn[i].check (text, name);
    }
}

/* Curves as a table of another program names them, with every text around them. */
static void
test_curves (void)
{
  SlSeries series = { 0 };

  for (unsigned i = 0; i < 5; i++)
    g_assert_true (sl_series_append (&series, i, i % 3));
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SlFigure       figure = { 0 };
      SlOverlayRun   run = { .title = names[i], .number = 1 };
      SlOverlayTrace trace = { .id = names[i], .title = names[i] }, other = { .id = "other" };

      sl_overlay_begin_curves (&figure, names[i], names[i]);
      g_assert_true (sl_overlay_series (&figure, &run, &trace, &series));
      g_assert_true (sl_overlay_series (&figure, &run, &other, &series));
      sl_overlay_end (&figure);
      g_strlcpy (figure.note, names[i], sizeof figure.note);
      figure.y.label = names[i];
      figure.notes.n = 1;
      figure.notes.at[0].x = 2.0;
      sl_note_set_text (&figure.notes.at[0], names[i]);
      export_all ((SlFigure *[]) { &figure }, 1, names[i]);
      sl_figure_clear (&figure);
    }
  sl_series_clear (&series);
}

/* The fields of each row, quotes taken off, as RFC 4180 has them. */
static void
check_csv (const char *csv, const char *name, unsigned columns)
{
  bool     found = false;
  unsigned fields = 0;
  GString *field = g_string_new (NULL);

  for (const char *p = csv; *p != '\0';)
    {
      g_string_truncate (field, 0);
      if (*p == '"')
        for (p++; *p != '"' || p[1] == '"'; p++)
          {
            g_assert_cmpint (*p, !=, '\0');
            p += *p == '"';
            g_string_append_c (field, *p);
          }
      else
        for (; strchr (",\n", *p) == NULL; p++)
          g_string_append_c (field, *p);
      p += *p == '"';
      found |= strcmp (field->str, name) == 0;
      fields++;
      if (*p == '\n')
        {
          g_assert_cmpuint (fields, ==, columns);
          fields = 0;
        }
      else
        g_assert_cmpint (*p, ==, ',');
      p++;
    }
  g_assert_true (found);
  g_string_free (field, TRUE);
}

static void
check_json (char *json)
{
  GError *error = NULL;
  g_autoptr (SlJson) parsed = sl_json_parse_object (json, strlen (json), SIZE_MAX / 2, "", &error);

  g_assert_no_error (error);
  g_assert_nonnull (parsed);
  g_assert_true (g_utf8_validate (json, -1, NULL));
  g_free (json);
}

/* Classes of a data set, which name rows, columns and bars. */
static void
test_classes (void)
{
  enum { COLUMNS = 10 };
  SlRecord record;

  sample_record (&record, 30, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SlFigure         figure[3] = { 0 }, *list[] = { &figure[0], &figure[1], &figure[2] };
      SlSnapshot      *classes = &record.snapshot[SAMPLE_CLASSES];
      g_autofree char *csv = NULL;
      const char      *bars[] = { names[i], names[i], names[i], names[i], NULL };
      GString         *rows = g_string_new (NULL);

      for (unsigned row = 0; row < COLUMNS; row++)
        g_string_append_printf (rows, "%s\n", names[i]);
      g_strlcpy (classes->names, rows->str, sizeof classes->names);
      g_strlcpy (classes->row_names, rows->str, sizeof classes->row_names);
      g_strlcpy (record.snapshot[SAMPLE_NET].row_names, rows->str, SL_SNAPSHOT_NAMES);
      sl_panel_update (&figure[0], &record, SAMPLE_CLASSES, NULL, 0);
      sl_panel_update (&figure[1], &record, SAMPLE_SPEED, NULL, 0);
      sl_panel_update (&figure[2], &record, SAMPLE_NET, NULL, 0);
      figure[1].categories.name = bars;
      export_all (list, G_N_ELEMENTS (list), names[i]);
      csv = sl_table_panel_csv (&record, SAMPLE_CLASSES, 0, G_MAXDOUBLE);
      check_csv (csv, names[i], 2 + COLUMNS);
      check_json (sl_table_json (&record, NULL));
      for (size_t f = 0; f < G_N_ELEMENTS (figure); f++)
        sl_figure_clear (&figure[f]);
      g_string_free (rows, TRUE);
    }
  sl_record_clear (&record);
}

static void
test_escape (void)
{
  static const char *const rows[][2] = {
    { "a & b < c > \"d\" 'e'", "a &amp; b &lt; c &gt; &quot;d&quot; 'e'" },
    { "\001a\tb\nc\rd\177\302\200e", "a\tb\ncde" },
    { "\357\277\275\357\277\276\357\277\277\357\267\257", "\357\277\275" },
    { "\377", "\357\277\275" },
    { "\360\237\230\200", "\360\237\230\200" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GString *out = g_string_new (NULL);

      sl_xml_append (out, rows[i][0]);
      g_assert_cmpstr (out->str, ==, rows[i][1]);
      g_string_free (out, TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/hostile/escape", test_escape);
  g_test_add_func ("/plot/hostile/curves", test_curves);
  g_test_add_func ("/plot/hostile/classes", test_classes);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * Writes the words of every lab and every source of data as a template for translators, so that
 * a new one is in the catalogue without marking anything.  Run by the build.  */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/lab.h"
#include "core/labs/registry.h"

enum { REFERENCES_MAX = 4, FORMULA_WORD = 4 };

typedef struct
{
  GPtrArray  *order; /* (msgid) in the order in which they came */
  GHashTable *where; /* msgid: GPtrArray of comments */
} Words;

/* Without a letter there is nothing to translate; a unit like "%" or "×" is the same everywhere. */
static gboolean
has_letters (const char *text)
{
  for (; text != NULL && *text != '\0'; text = g_utf8_next_char (text))
    if (g_unichar_isalpha (g_utf8_get_char (text)))
      return TRUE;
  return FALSE;
}

static void G_GNUC_PRINTF (3, 4) add (Words *words, const char *text, const char *format, ...)
{
  GPtrArray *where;
  va_list    list;

  if (!has_letters (text))
    return;
  where = g_hash_table_lookup (words->where, text);
  if (where == NULL)
    {
      where = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (words->order, g_strdup (text));
      g_hash_table_insert (words->where, g_strdup (text), where);
    }
  va_start (list, format);
  if (where->len < REFERENCES_MAX)
    g_ptr_array_add (where, g_strdup_vprintf (format, list));
  va_end (list);
}

/* Formulas are signs, and to be translated only where they have words between them. */
static void
add_formula (Words *words, const char *formula, const char *of, const char *what, const char *id)
{
  unsigned letters = 0;

  for (const char *at = formula; at != NULL && *at != '\0' && letters < FORMULA_WORD; at++)
    letters = g_ascii_islower (*at) ? letters + 1 : 0;
  if (letters == FORMULA_WORD)
    add (words, formula, "%s, %s %s, formula", of, what, id);
}

static void
add_params (Words *words, const char *of, const SlParam *params, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    {
      const SlParam *param = &params[i];

      add (words, param->title, "%s, parameter %s, title", of, param->id);
      add (words, param->unit, "%s, parameter %s, unit", of, param->id);
      add (words, param->group, "%s, heading over parameter %s", of, param->id);
      add (words, param->help, "%s, parameter %s, help", of, param->id);
      add_formula (words, param->formula, of, "parameter", param->id);
      for (const SlChoice *choice = param->choices; choice != NULL && choice->id != NULL; choice++)
        add (words, choice->title, "%s, parameter %s, choice %s", of, param->id, choice->id);
      if (param->one != NULL)
        {
          g_autofree char *numbered = g_strconcat (param->one, " #", NULL);

          add (words, param->one, "%s, one of what %s lists", of, param->id);
          add (words, numbered, "%s, one of what %s lists; # is a number", of, param->id);
        }
    }
}

static void
add_axis (Words *words, const char *of, const char *panel, const SlAxis *axis)
{
  add (words, axis->label, "%s, panel %s, axis", of, panel);
  add (words, axis->unit, "%s, panel %s, unit", of, panel);
}

static void
add_panel (Words *words, const char *of, const SlLab *lab, const SlPanel *panel)
{
  SlAxes axes = sl_panel_axes (lab, panel);

  add (words, panel->title, "%s, panel %s, title", of, panel->id);
  add (words, panel->help, "%s, panel %s, help", of, panel->id);
  add_formula (words, panel->formula, of, "panel", panel->id);
  add_axis (words, of, panel->id, &axes.x);
  add_axis (words, of, panel->id, &axes.y);
  add_axis (words, of, panel->id, &axes.z);
  add (words, panel->zero, "%s, panel %s, what 0 is called", of, panel->id);
  for (unsigned i = 0; panel->categories != NULL && panel->categories[i] != NULL; i++)
    add (words, panel->categories[i], "%s, panel %s, category", of, panel->id);
  for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
    {
      const SlTrace *trace = &panel->traces[t];

      add (words, trace->title, "%s, panel %s, trace %s, title", of, panel->id, trace->id);
      add (words, trace->unit, "%s, panel %s, trace %s, unit", of, panel->id, trace->id);
      add (words, trace->help, "%s, panel %s, trace %s, help", of, panel->id, trace->id);
    }
}

static void
add_lab (Words *words, const SlLab *lab)
{
  g_autofree char *of = g_strconcat ("lab ", lab->id, NULL);

  add (words, lab->title, "%s, title", of);
  add (words, lab->summary, "%s, summary", of);
  add (words, sl_lab_each_step (lab), "%s, a step", of);
  add_params (words, of, lab->params, lab->n_params);
  for (unsigned p = 0; p < lab->n_panels; p++)
    add_panel (words, of, lab, &lab->panels[p]);
  for (unsigned i = 0; lab->questions != NULL && lab->questions[i] != NULL; i++)
    add (words, lab->questions[i], "%s, group of panels", of);
  for (unsigned i = 0; lab->readings != NULL && lab->readings[i] != NULL; i++)
    add (words, lab->readings[i], "%s, what the source leaves open", of);
  for (const SlHealth *health = lab->health; health != NULL && health->id != NULL; health++)
    add (words, health->words, "%s, trouble %s", of, health->id);
  for (unsigned i = 0; i < sl_lab_n_sweeps (lab); i++)
    {
      add (words, lab->sweeps[i].title, "%s, sweep %s, button", of, lab->sweeps[i].id);
      add (words, lab->sweeps[i].help, "%s, sweep %s, help", of, lab->sweeps[i].id);
    }
  for (unsigned i = 0; i < sl_lab_n_named (lab); i++)
    {
      const SlPreset *preset = sl_lab_named (lab, i);

      add (words, preset->title, "%s, preset %s, title", of, preset->id);
      add (words, preset->help, "%s, preset %s, help", of, preset->id);
    }
  if (lab->error_axis != NULL)
    add (words, lab->error_axis->label, "%s, axis of the error", of);
  if (lab->costs != NULL)
    {
      add (words, lab->costs->label, "%s, axis of costs", of);
      add (words, lab->costs->unit, "%s, axis of costs, unit", of);
    }
  if (lab->overview != NULL)
    {
      add (words, lab->overview->idea, "%s, heading on the start page", of);
      add (words, lab->overview->words, "%s, start page; keep what is in braces", of);
    }
}

static void
add_source (Words *words, const SlSource *source)
{
  g_autofree char *of = g_strconcat ("data ", source->id, NULL);

  add (words, source->title, "%s, title", of);
  add (words, source->help, "%s, help", of);
  add_params (words, of, source->params, source->n_params);
  for (unsigned i = 0; i < source->n_files; i++)
    {
      add (words, source->files[i].title, "%s, file %s, title", of, source->files[i].id);
      add (words, source->files[i].help, "%s, file %s, help", of, source->files[i].id);
    }
}

static void
write_text (const char *text)
{
  putchar ('"');
  for (; *text != '\0'; text++)
    switch (*text)
      {
      case '\n': fputs ("\\n", stdout); break;
      case '\t': fputs ("\\t", stdout); break;
      case '"': fputs ("\\\"", stdout); break;
      case '\\': fputs ("\\\\", stdout); break;
      default: putchar (*text);
      }
  putchar ('"');
}

static void
write_words (const Words *words)
{
  fputs ("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n", stdout);
  for (unsigned i = 0; i < words->order->len; i++)
    {
      const char      *text = g_ptr_array_index (words->order, i);
      const GPtrArray *where = g_hash_table_lookup (words->where, text);

      putchar ('\n');
      for (unsigned w = 0; w < where->len; w++)
        printf ("#. %s\n", (const char *) g_ptr_array_index (where, w));
      if (strchr (text, '%') != NULL)
        fputs ("#, no-c-format\n", stdout);
      fputs ("msgid ", stdout);
      write_text (text);
      fputs ("\nmsgstr \"\"\n", stdout);
    }
}

int
main (void)
{
  Words words = { g_ptr_array_new_with_free_func (g_free),
                  g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) g_ptr_array_unref) };

  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    add_lab (&words, sl_labs[i]);
  for (unsigned i = 0; sl_sources[i] != NULL; i++)
    add_source (&words, sl_sources[i]);
  add_params (&words, "data file", sl_file_params, sl_n_file_params);
  add (&words, sl_class_option.title, "data file, class, title");
  add (&words, sl_class_option.help, "data file, class, help");
  for (SlDataNeeds kind = SL_NEEDS_NOTHING; kind < SL_N_NEEDS; kind++)
    add (&words, sl_data_title (kind), "what a lab trains on");
  for (SlCode code = SL_OK; code <= SL_EUNSUPPORTED; code++)
    add (&words, sl_code_text (code), "what went wrong, in a few words");
  write_words (&words);
  g_ptr_array_unref (words.order);
  g_hash_table_unref (words.where);
  return fflush (stdout) != 0 || ferror (stdout);
}

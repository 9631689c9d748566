/* SPDX-License-Identifier: MIT */
#include "core/run/manual/manual.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/manual/topics.h"

#define DATA_PAGE "data"

enum { VALUE_TEXT = 160 };

/* A page under way. */
typedef struct
{
  GPtrArray *parts;
  gboolean   translated;
} Page;

static void
part_free (gpointer data)
{
  SlManualPart *part = data;

  g_free (part->text);
  g_free (part->term);
  g_free (part);
}

static const char *
words (const Page *page, const char *text)
{
  return page->translated ? sl_words (text) : text;
}

/* A sentence with `text` in the place of its %s. */
static char *
fill (const Page *page, const char *sentence, const char *text)
{
  const char *here = words (page, sentence), *hole = strstr (here, "%s");

  return hole == NULL ? g_strdup (here)
                      : g_strdup_printf ("%.*s%s%s", (int) (hole - here), here, text, hole + 2);
}

static void
append_filled (GString *out, const Page *page, const char *sentence, const char *text)
{
  g_autofree char *filled = fill (page, sentence, text);

  g_string_append (out, filled);
}

/* Takes `text`; drops it when there is nothing in it. */
static SlManualPart *
add_taken (Page *page, SlManualKind kind, char *text)
{
  SlManualPart *part;

  if (text == NULL || *text == '\0')
    {
      g_free (text);
      return NULL;
    }
  part = g_new0 (SlManualPart, 1);
  part->kind = kind;
  part->text = text;
  g_ptr_array_add (page->parts, part);
  return part;
}

static SlManualPart *
add (Page *page, SlManualKind kind, const char *text)
{
  return add_taken (page, kind, g_strdup (words (page, text)));
}

static void
add_item (Page *page, SlManualKind kind, const char *title, const char *id, gconstpointer about)
{
  SlManualPart *part = add (page, kind, title);

  part->term = g_strdup (id);
  part->about = about;
}

static void
add_point (Page *page, const char *term, const char *text)
{
  SlManualPart *part = add (page, SL_MANUAL_POINT, text);

  if (part != NULL)
    part->term = g_strdup (words (page, term));
}

/* What a value must be.  The parser says it best, when it refuses something. */
static char *
range_text (const Page *page, const SlParam *param)
{
  SlValue  value;
  SlStatus status = sl_param_parse (param, "?", &value);
  char     text[2 * SL_MESSAGE_SIZE];

  sl_message_show (status.expected.packed, page->translated ? sl_words : NULL, text, sizeof text);
  return g_strdup (text);
}

static void
add_param (Page *page, const SlParam *params, unsigned n_params, unsigned i)
{
  const SlParam   *param = &params[i];
  SlSettings       settings;
  char             value[VALUE_TEXT];
  g_autofree char *range = range_text (page, param);
  g_autoptr (GString) facts = g_string_new (NULL);

  sl_settings_default (&settings, params, n_params);
  sl_param_format (param, &settings.value[i], value, sizeof value);
  add_item (page, SL_MANUAL_ITEM, param->title, param->id, param);
  append_filled (facts, page, N_ ("default %s"), value);
  if (param->unit != NULL)
    g_string_append_printf (facts, " %s", words (page, param->unit));
  g_string_append_printf (facts, "; %s", range);
  g_string_append_printf (facts, "; %s",
                          words (page, param->effect == SL_LIVE ? N_ ("acts at the next step")
                                                                : N_ ("restarts the run")));
  if (param->needs != NULL)
    {
      g_string_append (facts, "; ");
      append_filled (facts, page, N_ ("only with %s"), param->needs);
    }
  add_taken (page, SL_MANUAL_FACTS, g_string_free (g_steal_pointer (&facts), FALSE));
  add (page, SL_MANUAL_TEXT, param->help);
  add (page, SL_MANUAL_FORMULA, param->formula);
  add (page, SL_MANUAL_SOURCE, param->source);
}

static void
add_file_option (Page *page, const SlFileOption *option)
{
  add_item (page, SL_MANUAL_ITEM, option->title, option->id, option);
  if (option->patterns != NULL)
    add_taken (page, SL_MANUAL_FACTS, fill (page, N_ ("a file: %s"), option->patterns));
  add (page, SL_MANUAL_TEXT, option->help);
}

/* True for the first parameter of its group. */
static gboolean
leads (const SlParam *params, unsigned i)
{
  for (unsigned j = 0; j < i; j++)
    if (strcmp (params[j].group, params[i].group) == 0)
      return FALSE;
  return TRUE;
}

static void
add_params (Page *page, const SlLab *lab)
{
  for (unsigned first = 0; first < lab->n_params; first++)
    {
      if (!leads (lab->params, first))
        continue;
      add_taken (page, SL_MANUAL_HEADING,
                 fill (page, N_ ("Parameters: %s"), words (page, lab->params[first].group)));
      for (unsigned i = first; i < lab->n_params; i++)
        if (strcmp (lab->params[i].group, lab->params[first].group) == 0)
          add_param (page, lab->params, lab->n_params, i);
    }
}

static const char *
style_title (SlStyle style)
{
  static const char *const titles[] = {
    [SL_MEASURED] = N_ ("measured"),   [SL_TARGET] = N_ ("target"),
    [SL_THEORY] = N_ ("theory"),       [SL_REFERENCE] = N_ ("reference"),
    [SL_PUBLISHED] = N_ ("published"),
  };

  return titles[style];
}

static const char *
kind_title (SlPanelKind kind)
{
  static const char *const titles[] = {
    [SL_SERIES] = N_ ("curves over the updates"),
    [SL_HISTORY] = N_ ("rows over the updates"),
    [SL_SHARES] = N_ ("shares over the updates"),
    [SL_PROFILE] = N_ ("curves"),
    [SL_BARS] = N_ ("bars"),
    [SL_HEATMAP] = N_ ("heat map"),
    [SL_IMAGE] = N_ ("images"),
    [SL_MAP] = N_ ("map"),
    [SL_ALIVE] = N_ ("one example"),
  };

  return titles[kind];
}

/* What a trace has an instance of: "layer", or the id of a parameter that has no such word. */
static const char *
each_of (const SlLab *lab, const SlTrace *trace)
{
  int i = sl_trace_factor (lab, trace, 0);

  return i >= 0 && lab->params[i].one != NULL ? lab->params[i].one : trace->each;
}

static void
add_trace (Page *page, const SlLab *lab, const SlTrace *trace)
{
  g_autoptr (GString) text = g_string_new (words (page, style_title (trace->style)));

  if (*trace->unit != '\0')
    g_string_append_printf (text, ", %s", words (page, trace->unit));
  if (trace->each != NULL)
    {
      g_string_append (text, ", ");
      append_filled (text, page, N_ ("one for each %s"), words (page, each_of (lab, trace)));
    }
  if (trace->help != NULL && *trace->help != '\0')
    g_string_append_printf (text, ". %s", words (page, trace->help));
  add_point (page, trace->title, text->str);
}

static void
add_panel (Page *page, const SlLab *lab, const SlPanel *panel)
{
  g_autoptr (GString) facts = g_string_new (words (page, kind_title (panel->kind)));

  add_item (page, SL_MANUAL_ITEM, panel->title, panel->id, panel);
  if (panel->needs != NULL)
    {
      g_string_append (facts, "; ");
      append_filled (facts, page, N_ ("only with %s"), panel->needs);
    }
  add_taken (page, SL_MANUAL_FACTS, g_string_free (g_steal_pointer (&facts), FALSE));
  add (page, SL_MANUAL_TEXT, panel->help);
  add (page, SL_MANUAL_FORMULA, panel->formula);
  for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
    add_trace (page, lab, &panel->traces[t]);
  add (page, SL_MANUAL_SOURCE, panel->source);
}

static void
add_readings (Page *page, const char *const *readings)
{
  if (readings == NULL)
    return;
  add (page, SL_MANUAL_HEADING, N_ ("Notes on the paper"));
  for (; *readings != NULL; readings++)
    add (page, SL_MANUAL_POINT, *readings);
}

static void
add_presets (Page *page, const SlLab *lab)
{
  if (sl_lab_n_presets (lab) > 0)
    add (page, SL_MANUAL_HEADING, N_ ("Presets"));
  for (unsigned i = 0; i < sl_lab_n_presets (lab); i++)
    add_point (page, lab->presets[i].title, words (page, lab->presets[i].help));
}

static void
add_lab (Page *page, const SlLab *lab)
{
  add_item (page, SL_MANUAL_TITLE, lab->title, lab->id, lab);
  add (page, SL_MANUAL_TEXT, lab->summary);
  add (page, SL_MANUAL_SOURCE, lab->reference);
  add_taken (page, SL_MANUAL_TEXT,
             fill (page, N_ ("Data: %s."), words (page, sl_data_title (lab->data))));
  add (page, SL_MANUAL_HEADING, N_ ("Plots"));
  for (unsigned p = 0; p < lab->n_panels; p++)
    add_panel (page, lab, &lab->panels[p]);
  add_presets (page, lab);
  add_params (page, lab);
  add_readings (page, lab->readings);
}

static void
add_data (Page *page)
{
  add (page, SL_MANUAL_TITLE, N_ ("Data"));
  add (page, SL_MANUAL_TEXT,
       N_ ("A lab learns from tables (CSV), MNIST and CIFAR files, folders of pictures or texts: "
           "choose them in the sidebar or drop them on the window. Nothing leaves this computer."));
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    {
      add_item (page, SL_MANUAL_HEADING, (*source)->title, (*source)->id, *source);
      add (page, SL_MANUAL_FACTS, sl_data_title ((*source)->yields));
      add (page, SL_MANUAL_TEXT, (*source)->help);
      for (unsigned i = 0; i < (*source)->n_params; i++)
        add_param (page, (*source)->params, (*source)->n_params, i);
      for (unsigned i = 0; i < (*source)->n_files; i++)
        add_file_option (page, &(*source)->files[i]);
    }
  add (page, SL_MANUAL_HEADING, N_ ("Files"));
  for (unsigned i = 0; i < sl_n_file_params; i++)
    add_param (page, sl_file_params, sl_n_file_params, i);
  add_file_option (page, &sl_class_option);
  add_file_option (page, &sl_network_option);
}

static const SlTopic *
find_topic (const char *id)
{
  for (const SlTopic *topic = sl_topics; topic->id != NULL; topic++)
    if (strcmp (topic->id, id) == 0)
      return topic;
  return NULL;
}

static void
add_topic (Page *page, const SlTopic *topic)
{
  add (page, SL_MANUAL_TITLE, topic->title);
  for (const SlTopicPart *part = topic->parts; part->text != NULL; part++)
    if (part->term != NULL)
      add_point (page, part->term, part->text);
    else
      add (page, part->kind, part->text);
}

const char **
sl_manual_pages (void)
{
  GPtrArray *ids = g_ptr_array_new ();

  for (const SlTopic *topic = sl_topics; topic->id != NULL; topic++)
    g_ptr_array_add (ids, (gpointer) topic->id);
  g_ptr_array_add (ids, (gpointer) DATA_PAGE);
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    g_ptr_array_add (ids, (gpointer) (*lab)->id);
  g_ptr_array_add (ids, NULL);
  return (const char **) g_ptr_array_free (ids, FALSE);
}

const char *
sl_manual_title (const char *page)
{
  const SlTopic *topic = find_topic (page);
  const SlLab   *lab = sl_lab_find (page);

  if (topic != NULL)
    return sl_words (topic->title);
  if (strcmp (page, DATA_PAGE) == 0)
    return _ ("Data");
  return lab != NULL ? sl_words (lab->title) : NULL;
}

GPtrArray *
sl_manual_parts (const char *id, gboolean translated)
{
  const SlTopic *topic = find_topic (id);
  const SlLab   *lab = sl_lab_find (id);
  Page           page = { g_ptr_array_new_with_free_func (part_free), translated };

  if (topic != NULL)
    add_topic (&page, topic);
  else if (strcmp (id, DATA_PAGE) == 0)
    add_data (&page);
  else if (lab != NULL)
    add_lab (&page, lab);
  else
    g_clear_pointer (&page.parts, g_ptr_array_unref);
  return page.parts;
}

static gboolean
within (gconstpointer descriptor, gconstpointer first, size_t n, size_t size)
{
  const char *at = descriptor, *from = first;

  return from != NULL && at >= from && at < from + n * size;
}

const char *
sl_manual_page_about (gconstpointer descriptor)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    if (descriptor == *lab
        || within (descriptor, (*lab)->params, (*lab)->n_params, sizeof (SlParam))
        || within (descriptor, (*lab)->panels, (*lab)->n_panels, sizeof (SlPanel)))
      return (*lab)->id;
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    if (descriptor == *source
        || within (descriptor, (*source)->params, (*source)->n_params, sizeof (SlParam))
        || within (descriptor, (*source)->files, (*source)->n_files, sizeof (SlFileOption)))
      return DATA_PAGE;
  return descriptor == &sl_network_option || descriptor == &sl_class_option
             || within (descriptor, sl_file_params, sl_n_file_params, sizeof (SlParam))
           ? DATA_PAGE
           : NULL;
}

/* Signs that Markdown would take for its own get a backslash. */
static void
append_escaped (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("\\`*_[]<>#|", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text == '\n' ? ' ' : *text);
    }
}

static void
append_part (GString *out, const SlManualPart *part)
{
  static const char *const lead[] = {
    [SL_MANUAL_TITLE] = "# ",       [SL_MANUAL_HEADING] = "\n## ",     [SL_MANUAL_ITEM] = "\n### ",
    [SL_MANUAL_FACTS] = "\n*",      [SL_MANUAL_TEXT] = "\n",           [SL_MANUAL_POINT] = "\n- ",
    [SL_MANUAL_FORMULA] = "\n    ", [SL_MANUAL_SOURCE] = "\nSource: ",
  };

  g_string_append (out, lead[part->kind]);
  if (part->kind == SL_MANUAL_POINT && part->term != NULL)
    {
      g_string_append (out, "**");
      append_escaped (out, part->term);
      g_string_append (out, "** ");
    }
  if (part->kind == SL_MANUAL_FORMULA)
    g_string_append (out, part->text);
  else
    append_escaped (out, part->text);
  if (part->kind == SL_MANUAL_FACTS)
    g_string_append_c (out, '*');
  if (part->about != NULL)
    g_string_append_printf (out, " `%s`", part->term);
  g_string_append_c (out, '\n');
}

char *
sl_manual_markdown (const char *id)
{
  g_autoptr (GPtrArray) parts = sl_manual_parts (id, FALSE);
  GString *out;

  if (parts == NULL)
    return NULL;
  out = g_string_new (NULL);
  for (unsigned i = 0; i < parts->len; i++)
    append_part (out, g_ptr_array_index (parts, i));
  return g_string_free (out, FALSE);
}

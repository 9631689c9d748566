/* SPDX-License-Identifier: MIT
 *
 * See state.h.  */
#include "core/run/state/state.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/data/set/hash.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/error.h"

enum { SUM_SIGNS = 5, SHORTEST = 2 };

static const char signs[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

static gboolean
refuse (GError **error, const char *found, const char *expected)
{
  return sl_fail (error, SL_EFORMAT, _ ("The state"), found, expected);
}

/* Reports a status of something that is written in a state. */
static gboolean
accept (const SlStatus *status, GError **error)
{
  if (sl_status_good (status, error))
    return TRUE;
  g_prefix_error (error, "%s: ", _ ("The state"));
  return FALSE;
}

/* ---- ids, cut or whole ---- */

/* How many letters of the id tell it from all others, or all of them. */
static gsize
enough (const SlParam *params, unsigned n, unsigned which)
{
  const char *id = params[which].id;
  gsize       length = SHORTEST;

  for (unsigned i = 0; i < n; i++)
    while (i != which && length < strlen (id) && strncmp (params[i].id, id, length) == 0)
      length++;
  return MIN (length, strlen (id));
}

/* The parameter with this id, or the only one that begins so; -1: none or several. */
static int
find_param (const SlParam *params, unsigned n, const char *id)
{
  int found = sl_param_find (params, n, id);

  for (unsigned i = 0; found < 0 && i < n; i++)
    if (strlen (id) >= SHORTEST && g_str_has_prefix (params[i].id, id)
        && enough (params, n, i) <= strlen (id))
      found = (int) i;
  return found;
}

/* The same for a lab. */
static gsize
enough_of_lab (const SlLab *lab)
{
  gsize length = SHORTEST;

  for (const SlLab *const *other = sl_labs; *other != NULL; other++)
    while (*other != lab && length < strlen (lab->id)
           && strncmp ((*other)->id, lab->id, length) == 0)
      length++;
  return length;
}

static const SlLab *
find_lab (const char *id)
{
  const SlLab *found = sl_lab_find (id);

  for (const SlLab *const *lab = sl_labs; *lab != NULL && found == NULL; lab++)
    if (g_str_has_prefix ((*lab)->id, id) && enough_of_lab (*lab) <= strlen (id))
      found = *lab;
  return found;
}

/* Appends the values that differ from `base`, with `gap` before each but the first where the text
 * is empty.  Lists that follow another one are stretched by it, so they come after it.  */
static void
append_values (GString *text, const SlParam *params, unsigned n, const SlSettings *settings,
               SlSettings base, gboolean cut, char gap)
{
  for (int following = 0; following <= 1; following++)
    for (unsigned p = 0; p < n; p++)
      {
        const SlValue *value = &settings->value[p];
        char           printed[512];

        if ((params[p].each != NULL) != (following != 0) || sl_value_same (value, &base.value[p]))
          continue;
        if (text->len > 0 && text->str[text->len - 1] != ':')
          g_string_append_c (text, gap);
        g_string_append_len (text, params[p].id,
                             (gssize) (cut ? enough (params, n, p) : strlen (params[p].id)));
        g_string_append_printf (text, "=%s",
                                sl_param_format (&params[p], value, printed, sizeof printed));
        base.value[p] = *value;
        sl_settings_settle (&base, params, n);
      }
}

/* ---- data ---- */

static gboolean
parse_data (const char *spec, const SlSource **source, SlSettings *settings, GError **error)
{
  SlSourceFiles files = { 0 };
  SlStatus      status = sl_source_parse (spec, source, settings, &files);

  if (sl_ok (&status) && (*source == NULL || sl_source_has_files (&files)))
    return refuse (error, _ ("data in a file"),
                   _ ("data that the program makes: a line of text cannot name a file"));
  return accept (&status, error);
}

static void
append_data (GString *text, const SlSource *source, const SlSettings *settings, gboolean cut)
{
  SlSettings base;

  g_string_append_printf (text, " data=%s", source->id);
  sl_settings_default (&base, source->params, source->n_params);
  if (sl_settings_same (settings, &base, source->n_params))
    return;
  g_string_append_c (text, ':');
  append_values (text, source->params, source->n_params, settings, base, cut, ',');
}

/* ---- the checksum ---- */

/* The checksum of the line without it, and of everything that the line means, written in full. */
static void
sum (const char *line, const SlState *state, char text[SUM_SIGNS + 1])
{
  g_autoptr (GString) full = g_string_new ("sluice-state 1 ");
  SlSettings      base, data;
  const SlSource *source;
  uint64_t        hash;

  g_string_append_printf (full, "%s seed=%" PRIu64, state->lab->id, state->seed);
  sl_settings_default (&base, state->lab->params, state->lab->n_params);
  append_values (full, state->lab->params, state->lab->n_params, &state->settings, base, FALSE,
                 ' ');
  if (state->data[0] != '\0' && parse_data (state->data, &source, &data, NULL))
    append_data (full, source, &data, FALSE);
  if (state->panel >= 0)
    g_string_append_printf (full, " see=%s", state->lab->panels[state->panel].id);
  hash = sl_hash (full->str, full->len, sl_hash (line, strlen (line), 0));
  for (unsigned i = 0; i < SUM_SIGNS; i++)
    text[i] = signs[hash >> (5 * i) & 31];
  text[SUM_SIGNS] = '\0';
}

/* Letters that look like digits: O is read as 0, I and L as 1. */
static char
plain_sign (char c)
{
  c = g_ascii_toupper (c);
  return c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
}

/* ---- writing ---- */

/* The line without its checksum; `preset` may be NULL. */
static char *
write_line (const SlState *state, const SlPreset *preset, const SlSource *source,
            const SlSettings *data, gboolean cut)
{
  const SlLab *lab = state->lab;
  GString     *text
    = g_string_new_len (lab->id, (gssize) (cut ? enough_of_lab (lab) : strlen (lab->id)));
  SlSettings base;
  SlStatus   status = SL_SUCCESS;

  sl_settings_default (&base, lab->params, lab->n_params);
  if (preset != NULL)
    {
      g_string_append_printf (text, "/%s", preset->id);
      status = sl_preset_settings (lab, preset, &base);
    }
  if (!sl_ok (&status))
    {
      g_string_free (text, TRUE);
      return NULL;
    }
  append_values (text, lab->params, lab->n_params, &state->settings, base, cut, ' ');
  if (source != NULL)
    append_data (text, source, data, cut);
  if (state->seed != 1)
    g_string_append_printf (text, " seed=%" PRIu64, state->seed);
  if (state->panel >= 0)
    g_string_append_printf (text, " see=%s", lab->panels[state->panel].id);
  return g_string_free (text, FALSE);
}

/* The shortest, with one of the presets or without. */
static char *
write_shortest (const SlState *state, const SlSource *source, const SlSettings *data, gboolean cut)
{
  char *best = write_line (state, NULL, source, data, cut);

  for (unsigned i = 0; i < sl_lab_n_presets (state->lab); i++)
    {
      char *line = write_line (state, &state->lab->presets[i], source, data, cut);

      if (line != NULL && strlen (line) < strlen (best))
        {
          g_free (best);
          best = g_steal_pointer (&line);
        }
      g_free (line);
    }
  return best;
}

char *
sl_state_write (const SlState *state, GError **error)
{
  const gsize      room = SL_STATE_MAX - SUM_SIGNS - 2;
  const SlSource  *source = NULL;
  g_autofree char *line = NULL, *found = NULL;
  SlSettings       data;
  char             check[SUM_SIGNS + 1];

  if (state->data[0] != '\0' && !parse_data (state->data, &source, &data, error))
    return NULL;
  line = write_shortest (state, source, &data, FALSE);
  if (strlen (line) > room)
    {
      g_free (line);
      line = write_shortest (state, source, &data, TRUE);
    }
  if (strlen (line) > room)
    {
      found = g_strdup_printf (_ ("%zu characters"), strlen (line) + SUM_SIGNS + 2);
      refuse (error, found, _ ("at most 120: reset settings, or save the run as a file"));
      return NULL;
    }
  sum (line, state, check);
  return g_strconcat (line, " #", check, NULL);
}

/* ---- reading ---- */

/* Small letters, one blank between two words; NULL: too long, or not plain letters. */
static char *
tidy (const char *text, GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (const char *c = text; *c != '\0' && line->len <= 2 * SL_STATE_MAX; c++)
    if (!g_ascii_isspace (*c))
      g_string_append_c (line, g_ascii_tolower (*c));
    else if (line->len > 0 && line->str[line->len - 1] != ' ')
      g_string_append_c (line, ' ');
  if (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  if (line->len <= SL_STATE_MAX && g_str_is_ascii (line->str))
    return g_string_free (g_steal_pointer (&line), FALSE);
  refuse (error, g_str_is_ascii (line->str) ? _ ("more than 120 characters") : _ ("other letters"),
          _ ("a line of at most 120 plain characters"));
  return NULL;
}

static gboolean
refuse_word (GError **error, const char *word, const char *expected)
{
  g_autofree char *found = g_strdup_printf ("\"%s\"", word);

  return refuse (error, found, expected);
}

/* "experts" or "experts/collapse" */
static gboolean
read_lab (const char *word, SlState *state, GError **error)
{
  const char      *slash = strchr (word, '/');
  g_autofree char *id = slash != NULL ? g_strndup (word, (gsize) (slash - word)) : g_strdup (word);
  const SlPreset  *preset = NULL;
  SlStatus         status;

  state->lab = find_lab (id);
  if (state->lab == NULL)
    return refuse_word (error, id, _ ("the id of a lab as its first word"));
  sl_settings_default (&state->settings, state->lab->params, state->lab->n_params);
  if (slash == NULL)
    return TRUE;
  preset = sl_lab_preset (state->lab, slash + 1);
  if (preset == NULL)
    return refuse_word (error, slash + 1, _ ("the id of a preset of this lab"));
  status = sl_preset_settings (state->lab, preset, &state->settings);
  return accept (&status, error);
}

/* "id=value" for one of the parameters; the word is cut at "=". */
static gboolean
read_value (char *word, const SlParam *params, unsigned n, SlSettings *settings, GError **error)
{
  char    *equals = strchr (word, '=');
  int      param;
  SlStatus status;

  if (equals == NULL)
    return refuse_word (error, word, _ ("id=value"));
  *equals = '\0';
  param = find_param (params, n, word);
  if (param < 0)
    return refuse_word (error, word, _ ("the id of a setting"));
  status = sl_settings_set (settings, params, n, params[param].id, equals + 1);
  return accept (&status, error);
}

/* "moons:noise=0.1,points=400" */
static gboolean
read_data (char *spec, SlState *state, GError **error)
{
  char           *colon = strchr (spec, ':');
  const SlSource *source;
  SlSettings      settings;

  if (colon != NULL)
    *colon = '\0';
  source = sl_source_find (spec);
  if (source == NULL || state->lab->data == SL_NEEDS_NOTHING
      || !sl_data_serves (source->yields, state->lab->data))
    return refuse_word (error, spec, _ ("data that this lab can use"));
  sl_settings_default (&settings, source->params, source->n_params);
  if (colon != NULL)
    {
      g_auto (GStrv) options = g_strsplit (colon + 1, ",", -1);

      for (char **option = options; *option != NULL; option++)
        if (!read_value (*option, source->params, source->n_params, &settings, error))
          return FALSE;
    }
  sl_source_format (source, &settings, NULL, state->data, sizeof state->data);
  return TRUE;
}

static gboolean
read_word (char *word, SlState *state, GError **error)
{
  const SlLab     *lab = state->lab;
  g_autofree char *id = g_strndup (word, strcspn (word, "="));

  if (sl_lab_had (lab, id))
    return TRUE;
  if (g_str_has_prefix (word, "data="))
    return read_data (word + 5, state, error);
  if (g_str_has_prefix (word, "seed="))
    return g_ascii_string_to_unsigned (word + 5, 10, 0, G_MAXUINT64, &state->seed, NULL)
             ? TRUE
             : refuse_word (error, word + 5, _ ("a whole number from 0 as the seed"));
  if (!g_str_has_prefix (word, "see="))
    return read_value (word, lab->params, lab->n_params, &state->settings, error);
  state->panel = sl_lab_panel (lab, word + 4);
  return state->panel >= 0 ? TRUE : refuse_word (error, word + 4, _ ("the id of a panel"));
}

static gboolean
read_line (const char *line, SlState *state, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  *state = (SlState) { .seed = 1, .panel = -1 };
  if (words[0] == NULL || !read_lab (words[0], state, error))
    return FALSE;
  for (char **word = words + 1; *word != NULL; word++)
    if (!read_word (*word, state, error))
      return FALSE;
  if (state->lab->data == SL_NEEDS_NOTHING || state->data[0] != '\0')
    return TRUE;
  return refuse (error, _ ("no data"), _ ("a word like data=moons"));
}

gboolean
sl_state_read (const char *text, SlState *state, GError **error)
{
  g_autofree char *line = tidy (text, error);
  char            *hash = line != NULL ? strrchr (line, '#') : NULL;
  char             check[SUM_SIGNS + 1];

  if (line == NULL)
    return FALSE;
  if (hash == NULL || hash - line < 2 || hash[-1] != ' ' || strlen (hash) != SUM_SIGNS + 1)
    return refuse (error, _ ("no checksum"),
                   _ ("a line that ends with # and five signs, as #7F3QK"));
  hash[-1] = '\0';
  if (!read_line (line, state, error))
    return FALSE;
  sum (line, state, check);
  for (unsigned i = 0; i < SUM_SIGNS; i++)
    if (plain_sign (hash[1 + i]) != check[i])
      return refuse (error, _ ("a checksum that does not fit"),
                     _ ("the line as copied, from this version of the program"));
  return TRUE;
}

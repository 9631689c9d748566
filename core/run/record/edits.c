/* SPDX-License-Identifier: MIT */
#include "core/run/record/edits.h"

#include <string.h>

#include "core/run/record/recipe-json.h"

static const char *const KINDS[SL_N_EDIT_KINDS] = {
  [SL_EDIT_VALUE] = "value", [SL_EDIT_ANEW] = "anew",     [SL_EDIT_SEED] = "seed",
  [SL_EDIT_DATA] = "data",   [SL_EDIT_OPENED] = "opened", [SL_EDIT_BRANCH] = "branch",
};

void
sl_edits_clear (SlEdits *edits)
{
  g_clear_pointer (&edits->undo, g_array_unref);
  g_clear_pointer (&edits->redo, g_array_unref);
}

void
sl_edit_text (const SlEdit *edit, const SlLab *lab, char text[SL_CHANGE_MARKER_TEXT])
{
  enum { SIZE = SL_CHANGE_MARKER_TEXT };

  switch (edit->kind)
    {
    case SL_EDIT_VALUE:
      sl_change_marker_text (&lab->params[edit->param], &edit->from, &edit->to, text);
      break;
    case SL_EDIT_SEED: sl_message_print (text, SIZE, "New run with another seed"); break;
    case SL_EDIT_DATA: sl_message_print (text, SIZE, "New run on other data"); break;
    case SL_EDIT_OPENED: sl_message_print (text, SIZE, "Opened another run"); break;
    case SL_EDIT_BRANCH:
      sl_message_print (text, SIZE, "Resumed from update %llu", (unsigned long long) edit->step);
      break;
    case SL_EDIT_ANEW:
    case SL_N_EDIT_KINDS: sl_message_print (text, SIZE, "New run"); break;
    }
}

/* ---- writing ---- */

static void
write_edit (SlJsonWriter *w, const SlEdit *edit, const SlLab *lab)
{
  const SlParam *param = &lab->params[edit->param];

  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "kind", KINDS[edit->kind]);
  sl_json_add_whole (w, "step", edit->step);
  if (edit->kind == SL_EDIT_VALUE)
    {
      sl_json_add_text (w, "param", param->id);
      sl_json_add_value (w, "from", param, &edit->from);
      sl_json_add_value (w, "to", param, &edit->to);
    }
  if (edit->ended)
    sl_json_add_text (w, "run", edit->run);
  sl_json_close (w);
}

static void
write_list (SlJsonWriter *w, const char *key, const GArray *list, const SlLab *lab)
{
  sl_json_open (w, key, '[', SL_JSON_LINES);
  for (guint i = 0; i < list->len; i++)
    write_edit (w, &g_array_index (list, SlEdit, i), lab);
  sl_json_close (w);
}

char *
sl_edits_write (const SlEdits *edits, const SlLab *lab)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  write_list (&w, "undo", edits->undo, lab);
  write_list (&w, "redo", edits->redo, lab);
  return sl_json_writer_end (&w, TRUE);
}

/* ---- reading ---- */

static const char *
text_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  return member != NULL ? member->text : NULL;
}

static gboolean
read_value (const SlJson *json, const SlParam *param, SlValue *value)
{
  g_autofree char *text = json != NULL ? sl_json_value_text (json, param) : NULL;
  SlStatus         status;

  if (text == NULL)
    return FALSE;
  status = sl_param_parse (param, text, value);
  return sl_ok (&status);
}

static gboolean
read_change (const SlJson *object, const SlLab *lab, SlEdit *edit)
{
  const char *id = text_of (object, "param");
  int         param = id != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;

  if (param < 0)
    return FALSE;
  edit->param = (unsigned) param;
  return edit->ended == (lab->params[param].effect == SL_RESTART)
         && read_value (sl_json_member (object, "from"), &lab->params[param], &edit->from)
         && read_value (sl_json_member (object, "to"), &lab->params[param], &edit->to);
}

static gboolean
read_edit (const SlJson *object, const SlLab *lab, SlEdit *edit)
{
  const char *kind = text_of (object, "kind"), *run = text_of (object, "run");

  *edit = (SlEdit) { .kind = SL_N_EDIT_KINDS };
  for (int k = 0; kind != NULL && k < SL_N_EDIT_KINDS; k++)
    if (g_str_equal (kind, KINDS[k]))
      edit->kind = (SlEditKind) k;
  if (!sl_json_whole (sl_json_member (object, "step"), G_MAXINT64, &edit->step))
    return FALSE;
  edit->ended = run != NULL;
  if (run != NULL && g_uuid_string_is_valid (run))
    g_strlcpy (edit->run, run, SL_UUID);
  if (edit->kind == SL_EDIT_VALUE)
    return read_change (object, lab, edit);
  return edit->kind != SL_N_EDIT_KINDS && edit->run[0] != '\0';
}

static void
read_list (const SlJson *list, const SlLab *lab, GArray *edits)
{
  SlEdit edit;

  for (const SlJson *object = list != NULL ? list->first : NULL;
       object != NULL && edits->len < SL_EDITS_MOST; object = object->next)
    if (read_edit (object, lab, &edit))
      g_array_append_val (edits, edit);
}

void
sl_edits_read (const char *json, const SlLab *lab, SlEdits *edits)
{
  g_autoptr (SlJson) root
    = sl_json_parse_object (json, strlen (json), SL_RECIPE_BYTES, "edits", NULL);

  edits->undo = g_array_new (FALSE, FALSE, sizeof (SlEdit));
  edits->redo = g_array_new (FALSE, FALSE, sizeof (SlEdit));
  if (root == NULL)
    return;
  read_list (sl_json_member_of (root, "undo", SL_JSON_ARRAY), lab, edits->undo);
  read_list (sl_json_member_of (root, "redo", SL_JSON_ARRAY), lab, edits->redo);
}

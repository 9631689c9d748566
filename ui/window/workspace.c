/* SPDX-License-Identifier: MIT
 *
 * The workspace of the window in the store, as JSON:
 *   page      "overview"; "lab" with `lab`, the one that the window's own session shows; "closer" with
 *             `lab`, whose session of the overview is shown
 *   limit     updates to stop at, 0: none
 *   runs      the run that each lab has: lab, run (its name in the store, or before its first update its
 *             `recipe`), going (it trains, or will when its page is shown)
 *   overview  the same for the runs of the overview  */
#include "core/run/store/workspace.h"

#include "core/labs/registry.h"
#include "core/run/base/background.h"
#include "core/run/record/recipe-json.h"
#include "ui/window/controllers.h"

/* The run that a lab had. */
typedef struct
{
  const SlLab *lab;
  char         uuid[SL_UUID]; /* "": begins again by the recipe */
  gboolean     going;
  SlStoredRun  run; /* its recipe, or all of it when it was loaded */
} Entry;

typedef struct SlWindowWorkspace
{
  gboolean      written;  /* to the store; */
  char         *text;     /* what it has, or NULL */
  GArray       *overview; /* of Entry: the runs of the overview until they are there */
  GHashTable   *going;    /* sessions that were at work when the window closed; NULL: it is open */
  GCancellable *closing;
} Workspace;

static Workspace *
workspace_of (SlWindow *self)
{
  return sl_window_parts (self)->workspace;
}

static void
clear_entry (gpointer entry)
{
  sl_stored_run_clear (&((Entry *) entry)->run);
}

static GArray *
new_entries (void)
{
  GArray *entries = g_array_new (FALSE, TRUE, sizeof (Entry));

  g_array_set_clear_func (entries, clear_entry);
  return entries;
}

static Entry *
find_entry (GArray *entries, const SlLab *lab)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_array_index (entries, Entry, i).lab == lab)
      return &g_array_index (entries, Entry, i);
  return NULL;
}

/* ---- writing ---- */

static void
write_run (SlJsonWriter *w, const SlLab *lab, const char *uuid, const char *recipe, gboolean going)
{
  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "lab", lab->id);
  sl_json_add_truth (w, "going", going);
  if (uuid != NULL && uuid[0] != '\0')
    sl_json_add_text (w, "run", uuid);
  else if (recipe != NULL)
    sl_json_add_json (w, "recipe", recipe);
  sl_json_close (w);
}

static gboolean
goes (SlWindow *self, SlSession *session, gboolean now)
{
  GHashTable *going = workspace_of (self)->going;

  return going != NULL ? g_hash_table_contains (going, session) : now;
}

static void
write_session (SlJsonWriter *w, SlWindow *self, SlSession *session, gboolean going)
{
  gboolean         stored = sl_session_present (session) > 0;
  g_autofree char *recipe = stored ? NULL : sl_session_recipe (session);

  write_run (w, sl_session_lab (session), stored ? sl_session_uuid (session) : NULL, recipe,
             goes (self, session, going));
}

static void
write_labs (SlJsonWriter *w, SlWindow *self)
{
  SlSession *own = sl_window_get_own (self);

  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  if (sl_session_lab (own) != NULL)
    write_session (w, self, own, sl_window_own_goes (self));
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      gboolean    going = FALSE;
      const char *uuid
        = sl_labs[i] != sl_session_lab (own) ? sl_session_run_left (own, sl_labs[i], &going) : NULL;

      if (uuid != NULL)
        write_run (w, sl_labs[i], uuid, NULL, going);
    }
  sl_json_close (w);
}

static void
write_entries (SlJsonWriter *w, GArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry     *entry = &g_array_index (entries, Entry, i);
      g_autofree char *recipe
        = entry->run.recipe.lab != NULL ? sl_recipe_write (&entry->run.recipe) : NULL;

      write_run (w, entry->lab, entry->uuid, recipe, entry->going);
    }
}

/* Those that are not there yet are written as they were read. */
static void
write_overview (SlJsonWriter *w, SlWindow *self)
{
  SlGroup *group = sl_window_get_group (self);

  sl_json_open (w, "overview", '[', SL_JSON_LINES);
  if (workspace_of (self)->overview != NULL)
    write_entries (w, workspace_of (self)->overview);
  else
    for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
      if (sl_session_lab (sl_group_session (group, i)) != NULL)
        write_session (w, self, sl_group_session (group, i), sl_group_goes (group, i));
  sl_json_close (w);
}

static void
write_page (SlJsonWriter *w, SlWindow *self)
{
  SlSession   *own = sl_window_get_own (self), *shown = sl_window_get_session (self);
  const SlLab *lab = sl_session_lab (sl_window_is_closer (self) ? shown : own);

  if (sl_window_shows_overview (self) || lab == NULL)
    sl_json_add_text (w, "page", "overview");
  else
    {
      sl_json_add_text (w, "page", sl_window_is_closer (self) ? "closer" : "lab");
      sl_json_add_text (w, "lab", lab->id);
    }
  sl_json_add_whole (w, "limit", sl_session_info (own)->limit);
}

static char *
write_workspace (SlWindow *self)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  write_page (&w, self);
  write_labs (&w, self);
  write_overview (&w, self);
  return sl_json_writer_end (&w, TRUE);
}

/* The runs of the overview that were read are all there, or cannot be had. */
static void
look_at_group (SlWindow *self)
{
  Workspace *workspace = workspace_of (self);
  SlGroup   *group = sl_window_get_group (self);

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_session_lab (sl_group_session (group, i)) == NULL
        && sl_session_error (sl_group_session (group, i)) == NULL)
      return;
  if (group != NULL)
    g_clear_pointer (&workspace->overview, g_array_unref);
}

/* As long as the first run that is to be shown is on its way, the store has it. */
void
sl_window_keep_workspace (SlWindow *self)
{
  Workspace       *workspace = workspace_of (self);
  SlStore         *store = sl_window_get_store (self);
  g_autofree char *text = NULL;

  if (!workspace->written || store == NULL
      || (!sl_window_shows_overview (self)
          && sl_session_lab (sl_window_get_session (self)) == NULL))
    return;
  look_at_group (self);
  text = write_workspace (self);
  if (g_strcmp0 (text, workspace->text) == 0)
    return;
  sl_store_set_workspace (store, text);
  g_free (workspace->text);
  workspace->text = g_steal_pointer (&text);
}

void
sl_window_hold_workspace (SlWindow *self)
{
  GHashTable *going = g_hash_table_new (NULL, NULL);
  SlGroup    *group = sl_window_get_group (self);

  if (sl_window_own_goes (self))
    g_hash_table_add (going, sl_window_get_own (self));
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_group_goes (group, i))
      g_hash_table_add (going, sl_group_session (group, i));
  g_clear_pointer (&workspace_of (self)->going, g_hash_table_unref);
  workspace_of (self)->going = going;
}

/* ---- reading ---- */

static const char *
text_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  return member != NULL ? member->text : "";
}

static gboolean
truth_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TRUTH);

  return member != NULL && member->number != 0.0;
}

/* What this version does not know is left out. */
static GArray *
read_entries (const SlJson *root, const char *key, gboolean paused)
{
  const SlJson *list = sl_json_member_of (root, key, SL_JSON_ARRAY);
  GArray       *entries = new_entries ();

  for (const SlJson *object = list != NULL ? list->first : NULL; object != NULL;
       object = object->next)
    {
      const SlJson *recipe = sl_json_member_of (object, "recipe", SL_JSON_OBJECT);
      Entry         entry = { .lab = sl_lab_find (text_of (object, "lab")) };

      entry.going = truth_of (object, "going") && !paused;
      g_strlcpy (entry.uuid, text_of (object, "run"), sizeof entry.uuid);
      if (entry.lab == NULL || find_entry (entries, entry.lab) != NULL
          || (entry.uuid[0] != '\0'
                ? !g_uuid_string_is_valid (entry.uuid)
                : recipe == NULL || !sl_recipe_read_json (recipe, &entry.run.recipe, NULL)))
        continue;
      g_array_append_val (entries, entry);
    }
  return entries;
}

/* The runs of the labs, but for the one that is shown. */
static void
read_labs (SlWindow *self, GArray *entries, const SlLab *shown)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (entry->lab != shown && entry->uuid[0] != '\0')
        sl_session_set_left (sl_window_get_own (self), entry->lab, entry->uuid, entry->going);
    }
}

static gboolean
show_lab (SlWindow *self, const Entry *entry, uint64_t limit)
{
  SlSession *own = sl_window_get_own (self);

  if (entry == NULL)
    return FALSE;
  if (limit > 0)
    sl_session_set_limit (own, limit);
  if (entry->uuid[0] != '\0')
    sl_window_resume (self, entry->uuid, !entry->going);
  else
    sl_session_replay (own, &entry->run.recipe, entry->going);
  return TRUE;
}

static gboolean
show_page (SlWindow *self, const SlJson *root, GArray *labs)
{
  const char *page = text_of (root, "page"), *lab = text_of (root, "lab");
  uint64_t    limit = 0;

  sl_json_whole (sl_json_member (root, "limit"), G_MAXINT64, &limit);
  if (g_str_equal (page, "lab"))
    return show_lab (self, find_entry (labs, sl_lab_find (lab)), limit);
  if (g_str_equal (page, "closer"))
    return sl_window_show_closer (self, lab);
  sl_window_show_overview (self);
  return TRUE;
}

gboolean
sl_window_restore (SlWindow *self, const char *workspace, gboolean show, gboolean paused)
{
  g_autoptr (SlJson) root = NULL;
  g_autoptr (GArray) labs = NULL;
  const SlLab *shown;

  g_return_val_if_fail (SL_IS_WINDOW (self), FALSE);
  workspace_of (self)->written = TRUE;
  if (workspace != NULL)
    root = sl_json_parse_object (workspace, strlen (workspace), SL_RECIPE_BYTES, "workspace", NULL);
  if (root == NULL)
    return FALSE;
  shown = show && g_str_equal (text_of (root, "page"), "lab") ? sl_lab_find (text_of (root, "lab"))
                                                              : NULL;
  labs = read_entries (root, "runs", paused);
  read_labs (self, labs, shown);
  workspace_of (self)->overview = read_entries (root, "overview", paused);
  return show && show_page (self, root, labs);
}

/* ---- the runs of the overview ---- */

typedef struct
{
  SlStore *store;
  SlGroup *group;
  GArray  *entries;
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_object_unref (task->group);
  g_array_unref (task->entries);
  g_free (task);
}

/* One that is not there begins as if there had been none. */
static gboolean
load_runs (gpointer data, GError **error)
{
  Task *task = data;

  sl_store_flush (task->store, NULL);
  for (guint i = 0; i < task->entries->len; i++)
    {
      Entry *entry = &g_array_index (task->entries, Entry, i);

      if (entry->uuid[0] != '\0' && sl_store_is_free (task->store, entry->uuid, NULL))
        sl_store_load (task->store, entry->uuid, TRUE, UINT64_MAX, &entry->run, NULL);
    }
  return TRUE;
}

static void
on_runs (gpointer window, gpointer data, const GError *error)
{
  Task    *task = data;
  uint64_t seed = 1;
  gboolean going = FALSE;

  for (unsigned i = 0; i < sl_group_size (task->group); i++)
    {
      Entry *entry = find_entry (task->entries, sl_group_lab (task->group, i));

      if (entry == NULL || entry->run.recipe.lab == NULL)
        continue;
      seed = entry->run.recipe.seed;
      going = going || entry->going;
      sl_group_set_stored (task->group, i, &entry->run, entry->going);
    }
  sl_group_start (task->group, NULL, seed, going);
}

gboolean
sl_window_restore_group (SlWindow *self, SlGroup *group)
{
  Workspace *workspace = workspace_of (self);
  SlStore   *store = sl_window_get_store (self);
  Task      *task;

  if (workspace->overview == NULL || workspace->overview->len == 0 || store == NULL)
    return FALSE;
  task = g_new (Task, 1);
  *task = (Task) { g_object_ref (store), g_object_ref (group), new_entries () };
  for (guint i = 0; i < workspace->overview->len; i++)
    {
      Entry entry = g_array_index (workspace->overview, Entry, i);

      if (entry.run.recipe.changes != NULL)
        entry.run.recipe.changes = g_array_copy (entry.run.recipe.changes);
      g_array_append_val (task->entries, entry);
    }
  sl_background_run (load_runs, on_runs, self, workspace->closing, task, free_task);
  return TRUE;
}

void
sl_window_add_workspace (SlWindow *self)
{
  sl_window_parts (self)->workspace = g_new0 (Workspace, 1);
  workspace_of (self)->closing = g_cancellable_new ();
}

void
sl_window_drop_workspace (SlWindow *self)
{
  Workspace *workspace = g_steal_pointer (&sl_window_parts (self)->workspace);

  g_cancellable_cancel (workspace->closing);
  g_clear_object (&workspace->closing);
  g_clear_pointer (&workspace->overview, g_array_unref);
  g_clear_pointer (&workspace->going, g_hash_table_unref);
  g_free (workspace->text);
  g_free (workspace);
}

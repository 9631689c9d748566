/* SPDX-License-Identifier: MIT */
#include "app/fresh.h"

#include <glib/gstdio.h>

#include "core/run/base/temporary.h"

static char    *root;   /* of this process; NULL: no start was fresh */
static gboolean listed; /* the list of recent files is there, too */
static void (*set_property) (GObject *object, guint id, const GValue *value, GParamSpec *spec);

/* The name of its file is the only property of a list of recent files that is set. */
static void
set_private (GObject *recent, guint id, const GValue *value, GParamSpec *spec)
{
  GValue own = G_VALUE_INIT;

  g_value_init (&own, G_TYPE_STRING);
  g_value_take_string (&own, g_build_filename (root, "recently-used.xbel", NULL));
  set_property (recent, id, &own, spec);
  listed = TRUE;
  g_value_unset (&own);
}

/* GTK writes the list whenever a file is chosen in a dialog, and at the end; there is no setting for where. */
static void
begin (void)
{
  GObjectClass *recent = g_type_class_ref (GTK_TYPE_RECENT_MANAGER);

  root = sl_temporary_folder ();
  set_property = recent->set_property;
  recent->set_property = set_private;
  g_setenv ("MESA_SHADER_CACHE_DISABLE", "true", FALSE);
}

char *
sl_fresh_folder (void)
{
  static unsigned  folders;
  g_autofree char *name = g_strdup_printf ("%u", ++folders);
  char            *folder;

  if (root == NULL)
    begin ();
  else if (listed)
    gtk_recent_manager_purge_items (gtk_recent_manager_get_default (), NULL);
  folder = g_build_filename (root, name, NULL);
  g_mkdir (folder, 0700);
  return folder;
}

static void
remove_and_free (gpointer folder)
{
  sl_temporary_remove (folder);
  g_free (folder);
}

/* The object is still at work on its end. */
static void
on_gone (gpointer folder, GObject *object)
{
  g_idle_add_once (remove_and_free, folder);
}

void
sl_fresh_remove_after (GObject *object, const char *folder)
{
  g_object_weak_ref (object, on_gone, g_strdup (folder));
}

void
sl_fresh_end (void)
{
  if (root != NULL)
    sl_temporary_remove (root);
  g_clear_pointer (&root, g_free);
}

/* SPDX-License-Identifier: MIT */
#include "core/run/lesson/own.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/lesson/lesson.h"

#define ENDING ".lesson"

enum { NAME_LETTERS = 60 };

char *
sl_own_lessons_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "sluice", "lessons", NULL);
}

static int
by_name (const void *a, const void *b)
{
  return g_utf8_collate (*(const char *const *) a, *(const char *const *) b);
}

char **
sl_own_lessons (void)
{
  g_autofree char *folder = sl_own_lessons_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray  *names = g_ptr_array_new ();
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ENDING) && *name != '.' && g_utf8_validate (name, -1, NULL))
      g_ptr_array_add (names, g_strdup_printf (SL_OWN_LESSON "%.*s",
                                               (int) (strlen (name) - strlen (ENDING)), name));
  g_ptr_array_sort (names, by_name);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

char **
sl_all_lessons (void)
{
  g_auto (GStrv) program = sl_lesson_names (), own = sl_own_lessons ();
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();

  g_strv_builder_addv (all, (const char **) program);
  g_strv_builder_addv (all, (const char **) own);
  return g_strv_builder_end (all);
}

char *
sl_own_lesson_find (const char *name)
{
  g_autofree char *folder = sl_own_lessons_folder (), *file = NULL;

  if (!g_str_has_prefix (name, SL_OWN_LESSON) || strchr (name, '/') != NULL)
    return NULL;
  file = g_strconcat (name + strlen (SL_OWN_LESSON), ENDING, NULL);
  return g_build_filename (folder, file, NULL);
}

/* What any file system takes. */
static char *
file_name (const char *title)
{
  GString *name = g_string_new (NULL);

  for (unsigned n = 0; *title != '\0' && n < NAME_LETTERS; title = g_utf8_next_char (title), n++)
    {
      gunichar letter = g_utf8_get_char (title);

      if (g_unichar_isalnum (letter))
        g_string_append_unichar (name, g_unichar_tolower (letter));
      else if (name->len > 0 && name->str[name->len - 1] != '-')
        g_string_append_c (name, '-');
    }
  if (name->len > 0 && name->str[name->len - 1] == '-')
    g_string_truncate (name, name->len - 1);
  if (name->len == 0)
    g_string_assign (name, "lesson");
  return g_string_free (name, FALSE);
}

char *
sl_own_lesson_path (const char *title, GError **error)
{
  g_autofree char *folder = sl_own_lessons_folder (), *name = file_name (title);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      sl_fail (error, SL_EIO, folder, g_strerror (errno), NULL);
      return NULL;
    }
  for (unsigned n = 1;; n++)
    {
      g_autofree char *file
        = n == 1 ? g_strconcat (name, ENDING, NULL) : g_strdup_printf ("%s-%u" ENDING, name, n);
      g_autofree char *path = g_build_filename (folder, file, NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
}

/* SPDX-License-Identifier: MIT */
#include "ui/kit/file-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  GtkFileChooserNative **dialog;
  gboolean               saves;
  char                  *pattern; /* or NULL */
  SlFileChosen           chosen, refused;
  gpointer               data;
} Asked;

/* The path with the first ending of a pattern like "*.png *.jpg". */
static char *
end_with_first (const char *path, const char *pattern)
{
  g_autofree char *ending = g_strndup (pattern + 1, strcspn (pattern + 1, " "));

  return g_strconcat (path, ending, NULL);
}

char *
sl_file_dialog_ended (const char *path, const char *pattern)
{
  g_auto (GStrv) patterns = g_strsplit (pattern, " ", -1);
  g_autofree char *lower = g_ascii_strdown (path, -1), *ended = NULL;

  for (char **each = patterns; *each != NULL; each++)
    if (g_str_has_suffix (lower, *each + 1))
      return g_strdup (path);
  ended = end_with_first (path, pattern);
  return g_file_test (ended, G_FILE_TEST_EXISTS) ? NULL : g_steal_pointer (&ended);
}

/* Tells the path, or why it is refused. */
static void
save (Asked *asked, const char *path)
{
  g_autofree char *saved
    = asked->pattern != NULL ? sl_file_dialog_ended (path, asked->pattern) : g_strdup (path);

  if (saved != NULL)
    asked->chosen (asked->data, saved);
  else if (asked->refused != NULL)
    {
      g_autofree char *name = g_filename_display_basename (path);
      g_autofree char *ended = end_with_first (name, asked->pattern);
      /* Translators: the name of a file. */
      g_autofree char *sentence
        = g_strdup_printf (_ ("%s exists: choose that name to replace it"), ended);

      asked->refused (asked->data, sentence);
    }
}

static void
free_asked (Asked *asked)
{
  g_free (asked->pattern);
  g_free (asked);
}

static void
on_response (GtkNativeDialog *dialog, int response, Asked *asked)
{
  g_autoptr (GtkFileChooserNative) open = g_steal_pointer (asked->dialog);
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (open));
  path = file != NULL ? g_file_get_path (file) : NULL;
  if (path != NULL && asked->saves)
    save (asked, path);
  else if (path != NULL)
    asked->chosen (asked->data, path);
  else if (asked->refused != NULL)
    asked->refused (asked->data, asked->saves ? _ ("Only files on this computer can be written")
                                              : _ ("Only files on this computer can be opened"));
}

/* Endings in either case, as cameras write them in capitals. */
static void
offer (GtkFileChooser *dialog, const char *kind, const char *pattern)
{
  g_auto (GStrv) patterns = g_strsplit (pattern, " ", -1);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, kind);
  for (char **each = patterns; *each != NULL; each++)
    {
      g_autofree char *upper = g_ascii_strup (*each, -1);

      gtk_file_filter_add_pattern (filter, *each);
      gtk_file_filter_add_pattern (filter, upper);
    }
  gtk_file_chooser_add_filter (dialog, filter);
}

void
sl_file_dialog_open (GtkFileChooserNative **dialog, GtkWindow *parent,
                     const SlFileQuestion *question, SlFileChosen chosen, SlFileChosen refused,
                     gpointer data)
{
  gboolean saves = question->name != NULL;
  Asked   *asked;

  if (*dialog != NULL)
    return;
  *dialog = gtk_file_chooser_native_new (question->title, parent,
                                         saves              ? GTK_FILE_CHOOSER_ACTION_SAVE
                                         : question->folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                            : GTK_FILE_CHOOSER_ACTION_OPEN,
                                         question->accept != NULL ? question->accept
                                         : saves                  ? _ ("_Save")
                                                                  : _ ("_Open"),
                                         _ ("_Cancel"));
  if (question->kind != NULL)
    offer (GTK_FILE_CHOOSER (*dialog), question->kind, question->pattern);
  if (question->path != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (question->path);

      gtk_file_chooser_set_file (GTK_FILE_CHOOSER (*dialog), file, NULL);
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (*dialog), question->modal);
  if (saves)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (*dialog), question->name);
  asked = g_new (Asked, 1);
  *asked = (Asked) { .dialog = dialog,
                     .saves = saves,
                     .pattern = g_strdup (question->pattern),
                     .chosen = chosen,
                     .refused = refused,
                     .data = data };
  g_signal_connect_data (*dialog, "response", G_CALLBACK (on_response), asked,
                         (GClosureNotify) (void (*) (void)) free_asked, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (*dialog));
}

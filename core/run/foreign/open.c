/* SPDX-License-Identifier: MIT
 *
 * Files of other programs, opened by what is in them.  */
#include <string.h>

#include "core/data/read/containers/event-files.h"
#include "core/data/text/bytes.h"
#include "core/data/text/impostor.h"
#include "core/run/base/error.h"
#include "core/run/base/load.h"
#include "core/run/files/table.h"
#include "core/run/foreign/events.h"
#include "core/run/foreign/trials.h"

enum { LOOK = 1 << 16, TABLE_BYTES = 512 << 20 };

/* The folder of an event file is what TensorBoard calls the run; other trainers call all their files the same. */
static char *
title_of (const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_path_get_basename (whole);
  g_autofree char *folder = g_path_get_dirname (path);

  if ((g_str_has_prefix (name, "events.out.tfevents") || g_str_equal (name, "trainer_state.json"))
      && strcmp (folder, ".") != 0)
    return g_filename_display_basename (folder);
  return g_filename_display_name (name);
}

bool
sl_foreign_take (void *foreign, const SlEventScalar *scalar)
{
  SlForeign       *self = foreign;
  g_autofree char *name = sl_foreign_name (scalar->tag, scalar->length);
  SlForeignCurve  *curve;

  if (!scalar->number)
    {
      sl_foreign_leave_out (self, name);
      return true;
    }
  curve = sl_foreign_curve (self, name);
  return curve == NULL || sl_foreign_add (self, curve, scalar->step, scalar->value);
}

static gboolean
read_events (SlForeign *foreign, const char *path, GError **error)
{
  uint64_t cut;
  SlStatus status = sl_events_read (path, 0, sl_foreign_take, foreign, &cut);

  if (cut != UINT64_MAX)
    foreign->cut = cut;
  return sl_status_good (&status, error);
}

/* Reads an exported run of this program. */
static gboolean
read_run (SlForeign *foreign, const char *text, GError **error)
{
  SlRecord record;
  gboolean good = TRUE;

  if (!sl_table_read_json (text, &record, NULL, error))
    return FALSE;
  for (unsigned c = 0; c < record.layout.n && good; c++)
    {
      const SlSeries *series = &record.series[c];
      SlForeignCurve *curve
        = series->n > 0 ? sl_foreign_curve (foreign, record.layout.channel[c].id) : NULL;

      for (gsize i = 0; i < series->n && good; i++)
        good = sl_foreign_add (foreign, curve, series->step[i], series->value[i])
               || sl_fail (error, SL_ENOMEM, curve->name, NULL, NULL);
    }
  sl_record_clear (&record);
  return good;
}

static gboolean
read_text (SlForeign *foreign, const char *path, GError **error)
{
  gsize            length;
  g_autofree char *text = sl_load (path, TABLE_BYTES, &length, error);
  char             begin = text != NULL ? text[strspn (text, " \t\r\n")] : '\0';

  if (text == NULL)
    return FALSE;
  if (begin == '{' && strstr (text, "\"sluice-run\"") != NULL)
    return read_run (foreign, text, error);
  return begin == '{' || begin == '[' ? sl_foreign_read_log (foreign, path, text, length, error)
                                      : sl_foreign_read_table (foreign, path, text, length, error);
}

/* A file that is called so may end before its first record does. */
static gboolean
is_events (const char *path, const guint8 *head, gsize n)
{
  g_autofree char *name = g_path_get_basename (path);

  return sl_events_are_events (head, n) || strstr (name, ".tfevents.") != NULL;
}

SlForeignLook
sl_foreign_look (const char *path)
{
  g_autofree char *head = g_malloc (LOOK + 1), *trials = NULL;
  gsize            got;
  SlStatus         status = sl_bytes_head (path, head, LOOK, &got);

  if (!sl_ok (&status))
    return SL_FOREIGN_NOT;
  if (is_events (path, (const guint8 *) head, got))
    return SL_FOREIGN_EVENTS;
  /* Up to the last whole line of a file that goes on. */
  for (gboolean more = got == LOOK; more && got > 0 && head[got - 1] != '\n';)
    got--;
  head[got] = '\0';
  if (sl_foreign_is_log (head, got))
    return SL_FOREIGN_LOG;
  trials = g_memdup2 (head, got + 1);
  if (sl_trials_are (trials, got))
    return SL_FOREIGN_TRIALS;
  return sl_foreign_is_table (head, got) ? SL_FOREIGN_TABLE : SL_FOREIGN_NOT;
}

static gboolean
read_file (SlForeign *foreign, const char *path, GError **error)
{
  guint8   head[SL_IMPOSTOR_HEAD];
  gsize    got;
  SlStatus status = sl_bytes_head (path, head, sizeof head, &got);

  if (sl_ok (&status))
    status = sl_impostor_refuse (path, head, got);
  if (!sl_status_good (&status, error))
    return FALSE;
  return is_events (path, head, got) ? read_events (foreign, path, error)
                                     : read_text (foreign, path, error);
}

/* The event files of one run. */
static gboolean
read_folder (SlForeign *foreign, const char *path, GError **error)
{
  SlEventFiles files;
  SlStatus     status = sl_event_files_in (path, &files);
  gboolean     good = sl_status_good (&status, error);

  foreign->files = (guint) files.n;
  for (gsize i = 0; i < files.n && good; i++)
    good = read_file (foreign, files.file[i].path, error);
  sl_event_files_clear (&files);
  return good;
}

gboolean
sl_foreign_open (SlForeign *foreign, const char *path, GError **error)
{
  g_autofree char *title = title_of (path);

  return sl_foreign_open_as (foreign, path, title, error);
}

gboolean
sl_foreign_open_as (SlForeign *foreign, const char *path, const char *title, GError **error)
{
  gboolean good;

  sl_foreign_init (foreign, title);
  good = g_file_test (path, G_FILE_TEST_IS_DIR) ? read_folder (foreign, path, error)
                                                : read_file (foreign, path, error);
  if (good && foreign->points == 0)
    {
      SlStatus status
        = sl_status_new (SL_EFORMAT, path, sl_message ("no curve"),
                         sl_message ("scalars of TensorBoard, or a table or JSON with steps"));

      good = sl_status_good (&status, error);
    }
  if (!good)
    sl_foreign_clear (foreign);
  return good;
}

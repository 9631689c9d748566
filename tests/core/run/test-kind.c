/* SPDX-License-Identifier: MIT
 *
 * What files are taken for, by their endings and by how they begin.  */
#include <glib/gstdio.h>
#include <stdbool.h>
#include <string.h>

#include "core/run/files/kind/kind.h"
#include "core/run/foreign/folder.h"

static const struct
{
  const char *name, *text;
  SlFileKind  kind;
  bool        opens; /* by something else than what reads data */
} files[] = {
  { "a.lesson", "", SL_FILE_LESSON, true },
  { "a.sluice", "no store", SL_FILE_STORE, true },
  { "a.svg", "<svg/>", SL_FILE_FIGURE, true },
  { "A.PNG", "no picture", SL_FILE_FIGURE, true },
  { "a.gif", "", SL_FILE_FIGURE, true },
  { "a.apng", "", SL_FILE_FIGURE, true },
  { "a.py", "", SL_FILE_FIGURE, true },
  { "older.gp", "# A figure of Sluice for gnuplot\n", SL_FILE_FIGURE, true },
  { "a", "%PDF-1.5", SL_FILE_FIGURE, true },
  { "a.json", "{}", SL_FILE_FIGURE, true },
  { "a.json", "{\"sluice-run\": 1}", SL_FILE_RUN, true },
  { "a.json", "{\"sluice-style\": 1}", SL_FILE_STYLE, true },
  { "a.json", "{\"sluice-style\": 1, ", SL_FILE_STYLE, true },
  { "a.json", "{\"sluice-figures\": 1}", SL_FILE_FIGURES, true },
  { "a.json", "{\"sluice-sweep\": 1}", SL_FILE_SWEEP, true },
  { "a.json", "{\"sweep\": {\"sluice-sweep\": 1}}", SL_FILE_FIGURE, true },
  { "a.json", "{\"sluice-answers\": 1}", SL_FILE_ANSWERS, true },
  { "a.json", "{\"sluice-network\": 1}", SL_FILE_NETWORK, true },
  { "network.txt", "{\"sluice-network\": 1}", SL_FILE_NETWORK, true },
  { "plan.txt", "{\"sluice-plan\": 1}", SL_FILE_NETWORK, true },
  { "a.csv", "step,loss\n1,2\n2,3\n3,4\n", SL_FILE_TABLE, true },
  { "a.csv", "step,loss\n1,2\n", SL_FILE_TABLE, true },
  { "a.csv", "x,label\n1,a\n2,b\n", SL_FILE_DATA, false },
  { "a.txt", "Call me Ishmael.", SL_FILE_DATA, false },
  { "a.jpg", "\xff\xd8\xff\xe0", SL_FILE_PICTURE, false },
  { "a.safetensors", "", SL_FILE_WEIGHTS, false },
  { "a.npz", "", SL_FILE_DATA, false },
  { "trainer_state.json", "{\"log_history\": []}", SL_FILE_LOG, true },
  { "a.jsonl", "{\"step\": 1, \"loss\": 2}\n", SL_FILE_LOG, true },
  { "a.jsonl", "{\"layer\": 0, \"topk_ids\": [1, 2]}\n", SL_FILE_RECORDING, false },
};

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-kind-XXXXXX", NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);

      g_assert_true (g_file_set_contents (path, files[i].text, -1, NULL));
      g_test_message ("%s", files[i].name);
      g_assert_cmpint (sl_file_kind (path), ==, files[i].kind);
      g_assert_cmpint (sl_file_is_data (files[i].kind), ==, !files[i].opens);
      g_assert_false (sl_file_has_recipe (path));
      g_unlink (path);
      g_assert_cmpint (sl_file_kind (path), <, SL_N_FILE_KINDS);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Of a folder only whether there are event files in it, or in its folders. */
static void
test_folders (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-kind-XXXXXX", NULL);
  g_autofree char *within = g_build_filename (folder, "run", NULL);
  g_autofree char *events = g_build_filename (within, "events.out.tfevents.1.x", NULL);
  g_autoptr (GPtrArray) found = NULL;

  g_assert_cmpint (g_mkdir (within, 0700), ==, 0);
  g_assert_cmpint (sl_file_kind (folder), ==, SL_FILE_DATA);
  g_assert_true (g_file_set_contents (events, "", -1, NULL));
  g_assert_cmpint (sl_file_kind (folder), ==, SL_FILE_EVENTS_FOLDER);
  found = sl_foreign_runs_in (folder, NULL);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpstr (((SlForeignRun *) g_ptr_array_index (found, 0))->path, ==, within);
  g_unlink (events);
  g_rmdir (within);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kind/files", test_files);
  g_test_add_func ("/kind/folders", test_folders);
  return g_test_run ();
}

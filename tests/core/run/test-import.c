/* SPDX-License-Identifier: MIT
 *
 * A look at data files, by value, and the specifications that answers to it make.  */
#include <glib/gstdio.h>
#include <string.h>

#include "core/run/import/import.h"

static char *
path_of (const char *name)
{
  return g_strdup_printf ("%s/tests/fixtures/files/%s", g_getenv ("SLUICE_SOURCE"), name);
}

static SlImport *
look (const char *name)
{
  g_autofree char *path = path_of (name);

  return sl_import_look (path);
}

/* The same with one option more. */
static SlImport *
answer (SlImport *import, const char *id, const char *value)
{
  g_autofree char *spec = NULL;

  g_hash_table_insert (import->options, g_strdup (id), g_strdup (value));
  spec = sl_import_spec (import->path, import->options, import->likely);
  return sl_import_look (spec);
}

static const char *
fact (const SlImport *import, const char *title)
{
  for (guint i = 0; i < import->facts->len; i++)
    {
      const SlImportWords *words = g_ptr_array_index (import->facts, i);

      if (g_str_has_prefix (words->id, title))
        return words->title;
    }
  return NULL;
}

static const SlImportColumn *
column (const SlImport *import, unsigned i)
{
  g_assert_cmpuint (i, <, import->columns->len);
  return g_ptr_array_index (import->columns, i);
}

static gboolean
asks (const SlImport *import, const char *id)
{
  unsigned often;

  return g_strv_contains (sl_import_asked (import, &often), id);
}

static void
test_load_table (void)
{
  g_autoptr (SlImport) import = look ("04-csv-layer-expert-count/load.csv");

  g_assert_true (sl_ok (&import->status) && import->likely && import->recording);
  g_assert_cmpint (import->kind, ==, SL_IMPORT_TABLE);
  g_assert_cmpuint (import->columns->len, ==, 3);
  g_assert_cmpstr (column (import, 0)->name, ==, "layer");
  g_assert_cmpstr (column (import, 2)->role, ==, "loads");
  g_assert_cmpstr (fact (import, "Layers"), ==, "6");
  g_assert_cmpstr (fact (import, "Load spread (CV) of layer 0"), ==,
                   "1.406; 3 experts are never used");
  g_assert_true (asks (import, "k") && !asks (import, "class"));
}

static void
test_logits (void)
{
  g_autoptr (SlImport) import = look ("23-torch-save/router_logits.pt"), told = NULL;
  const SlImportArray *array;
  g_autoptr (GPtrArray) orders = NULL;

  g_assert_false (sl_ok (&import->status));
  g_assert_cmpstr (import->status.advice[0].option, ==, "k");
  g_assert_nonnull (import->found);
  g_assert_nonnull (import->needed);
  g_assert_cmpuint (import->facts->len, ==, 0);
  g_assert_true (asks (import, "k") && asks (import, "axes"));
  told = answer (import, "k", "2");
  g_assert_true (sl_ok (&told->status));
  g_assert_cmpstr (fact (told, "Layers"), ==, "6");
  g_assert_cmpstr (fact (told, "Tokens"), ==, "200");
  g_assert_cmpstr (fact (told, "Experts"), ==, "16, 2 for each token");
  g_assert_cmpstr (g_hash_table_lookup (told->options, "k"), ==, "2");
  array = g_ptr_array_index (told->arrays, 0);
  g_assert_nonnull (strstr (array->facts, "float32, 6 layers × 200 tokens × 16 experts"));
  orders = sl_import_values (told, "axes");
  g_assert_cmpuint (orders->len, >=, 3);
}

/* Two orders of the axes, of which the person turns one into the other. */
static void
test_axes (void)
{
  g_autoptr (SlImport) import = look ("23-torch-save/topk_ids.pt"), turned = NULL;

  g_assert_cmpstr (fact (import, "Tokens"), ==, "200");
  turned = answer (import, "axes", "ltk");
  g_assert_true (sl_ok (&turned->status));
  g_assert_cmpstr (fact (turned, "Layers"), ==, "200");
  g_assert_cmpstr (fact (turned, "Tokens"), ==, "6");
}

static void
test_class (void)
{
  g_autoptr (SlImport) import = look ("10-class-first-no-heading/spect-like.csv"), told = NULL,
                       none = NULL;
  g_autoptr (GPtrArray) columns = sl_import_values (import, "class");

  g_assert_false (sl_ok (&import->status));
  g_assert_cmpuint (import->columns->len, ==, 23);
  g_assert_cmpuint (columns->len, ==, 24);
  g_assert_cmpstr (column (import, 22)->name, ==, "column 23");
  told = answer (import, "class", "1");
  g_assert_true (sl_ok (&told->status) && column (told, 0)->chosen && !column (told, 22)->chosen);
  g_assert_cmpstr (fact (told, "Features"), ==, "22");
  none = answer (told, "class", "last");
  g_assert_true (column (none, 22)->chosen);
}

static void
test_missing (void)
{
  g_autoptr (SlImport) import = look ("13-missing-values/NA.csv"), told = NULL;
  const SlImportColumn *y = column (import, 1);
  unsigned              empty = 0;

  for (unsigned i = 0; i < SL_IMPORT_ROWS; i++)
    empty += y->cell[i] != NULL && *y->cell[i] == '\0';
  g_assert_cmpuint (empty, >, 0);
  g_assert_cmpstr (import->status.advice[0].option, ==, "missing");
  told = answer (import, "missing", "drop");
  g_assert_true (sl_ok (&told->status));
  g_assert_cmpuint (told->facts->len, ==, 3);
}

/* What Excel writes in Germany, and what it is with the wrong decimal sign. */
static void
test_german (void)
{
  g_autoptr (SlImport) import = look ("12-decimal-comma/excel-de.csv"), wrong = NULL;

  g_assert_true (sl_ok (&import->status) && !import->recording);
  g_assert_cmpuint (import->columns->len, ==, 4);
  g_assert_cmpstr (column (import, 0)->name, ==, "Länge");
  g_assert_true (column (import, 3)->chosen);
  g_assert_cmpstr (fact (import, "Features"), ==, "3");
  wrong = answer (import, "separator", "tab");
  g_assert_false (sl_ok (&wrong->status));
}

static void
test_row_numbers (void)
{
  g_autoptr (SlImport) import = look ("11-row-numbers-as-feature/pandas-index-label.csv");

  g_assert_cmpstr (column (import, 0)->role, ==, "left out: row numbers");
  g_assert_nonnull (strstr (fact (import, "Training examples"), "anna: "));
}

/* Blanks between cells, and the same file as a recording because the person says so. */
static void
test_meaning (void)
{
  g_autoptr (SlImport) import = look ("14-blanks-and-tabs/savetxt.txt"), loads = NULL, back = NULL;

  g_assert_true (sl_ok (&import->status) && !import->recording);
  g_assert_cmpstr (fact (import, "Features"), ==, "3");
  g_hash_table_insert (import->options, g_strdup ("class"), g_strdup ("4"));
  loads = answer (import, "as", "loads");
  g_assert_true (loads->recording && !loads->likely);
  g_assert_null (g_hash_table_lookup (loads->options, "class")); /* recordings have none */
  g_assert_true (asks (loads, "as"));
  back = answer (loads, "as", "examples");
  g_assert_false (back->recording);
  g_assert_true (sl_ok (&back->status));
}

static void
test_arrays (void)
{
  g_autoptr (SlImport) import = look ("01-router-logits-layers-first/ids0.npy");
  const SlImportArray *array = g_ptr_array_index (import->arrays, 0);

  g_assert_nonnull (strstr (array->facts, "6 layers"));
  g_assert_nonnull (strstr (array->facts, "200 tokens"));
  g_assert_cmpstr (fact (import, "Tokens"), ==, "200");
}

/* What is not the file that it says: a sentence, and no options that could help. */
static void
test_pointer (void)
{
  g_autoptr (SlImport) import = look ("24-downloads-as-they-come/lfs-ids.npy");

  g_assert_false (sl_ok (&import->status));
  g_assert_nonnull (strstr (import->found, "Git LFS"));
  g_assert_nonnull (strstr (import->needed, "git lfs pull"));
}

/* Of many files the one that is damaged is named. */
static void
test_damaged_picture (void)
{
  static const char *const names[] = { "a", "a/tom.png", "b", "b/rex.png" };
  g_autofree char         *folder = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  g_autoptr (SlImport) import = NULL;

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      if (i % 2 == 0)
        g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
      else
        g_assert_true (g_file_set_contents (path, "no picture", -1, NULL));
    }
  import = sl_import_look (folder);
  g_assert_false (sl_ok (&import->status));
  g_assert_true (g_str_has_prefix (import->found, "tom.png: "));
  for (unsigned i = G_N_ELEMENTS (names); i-- > 0;)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The line of Python, and nothing of the pickle is called. */
static void
test_line (void)
{
  g_autoptr (SlImport) import = look ("23-torch-save/not-a-tensor.pt");

  g_assert_nonnull (strstr (import->line, "torch.save"));
}

/* Names with what separates options, and files that are not there. */
static void
test_names (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-import-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a=b:c,d.csv", NULL);
  g_autoptr (SlImport) import = NULL, gone = NULL, again = NULL;

  g_assert_true (g_file_set_contents (
    path, "x,\"a,b\"\n1,u\n2,v\n3,u\n4,v\n5,u\n6,v\n7,u\n8,v\n9,u\n", -1, NULL));
  import = sl_import_look (path);
  g_assert_cmpstr (import->path, ==, path);
  g_assert_true (sl_ok (&import->status));
  again = answer (import, "class", "a,b");
  g_assert_true (sl_ok (&again->status) && column (again, 1)->chosen);
  g_assert_cmpstr (again->path, ==, path);
  g_assert_cmpstr (g_hash_table_lookup (again->options, "class"), ==, "a,b");
  g_assert_cmpint (g_remove (path), ==, 0);
  gone = sl_import_look (path);
  g_assert_cmpint (gone->status.code, ==, SL_EIO);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/import/load-table", test_load_table);
  g_test_add_func ("/import/logits", test_logits);
  g_test_add_func ("/import/axes", test_axes);
  g_test_add_func ("/import/class", test_class);
  g_test_add_func ("/import/missing", test_missing);
  g_test_add_func ("/import/german", test_german);
  g_test_add_func ("/import/row-numbers", test_row_numbers);
  g_test_add_func ("/import/meaning", test_meaning);
  g_test_add_func ("/import/arrays", test_arrays);
  g_test_add_func ("/import/pointer", test_pointer);
  g_test_add_func ("/import/damaged-picture", test_damaged_picture);
  g_test_add_func ("/import/line", test_line);
  g_test_add_func ("/import/names", test_names);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT
 *
 * What is not the file it says: each kind by its name, with a way out that works.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/data/text/bytes.h"
#include "core/data/text/impostor.h"

/* A file's beginning: `text` at 0 and `more` at `at`. */
typedef struct
{
  const char *text;
  gsize       n;
  gsize       at;
  const char *more, *name, *line; /* parts of the sentence and of the line; NULL: no line */
} Case;

#define ZIP(length) "PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" length "\0\0\0"
#define HEADING "MATLAB 5.0 MAT-file, Platform: GLNXA64"

static const Case refused[] = {
  { "version https://git-lfs.github.com/spec/v1\noid", 46, 0, "", "Git LFS", NULL },
  { "/annex/objects/SHA256E-s1", 25, 0, "", "git-annex", NULL },
  { "<!DOCTYPE html>\n<html>", 22, 0, "", "web page", NULL },
  { "\xef\xbb\xbf\r\n  <HTML>", 13, 0, "", "web page", NULL },
  { "<?xml version='1.0' encoding='UTF-8'?><Error><Code>", 51, 0, "", "web page", NULL },
  { "PAR1\x15\x04", 6, 0, "", "Parquet", "read_parquet(f)" },
  { "ARROW1\0\0", 8, 0, "", "Feather", "read_feather(f)" },
  { "\xff\xff\xff\xff\x78\x03\0\0\x10\0\0\0", 12, 0, "", "Arrow", "open_stream(f)" },
  { "ORC\x0a", 4, 0, "", "ORC", "read_orc(f)" },
  { "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, 0, "", "Excel", "read_excel(f)" },
  { ZIP ("\x13") "[Content_Types].xml", 49, 0, "", "Excel", "read_excel(f)" },
  { ZIP ("\x18") "xl/worksheets/sheet1.xml", 54, 0, "", "Excel", "read_excel(f)" },
  { ZIP ("\x10") "docProps/app.xml", 46, 0, "", "Excel", "read_excel(f)" },
  { ZIP ("\x08") "mimetypeapplication", 49, 0, "", "spreadsheet", "read_excel(f)" },
  { ZIP ("\x09") "train.csv", 39, 0, "", "zip", "zipfile" },
  { ZIP ("\x05") "data/", 35, 0, "", "zip", "zipfile" },
  { HEADING, sizeof HEADING - 1, 126, "IM", "MATLAB", "loadmat(f)" },
  { HEADING, sizeof HEADING - 1, 126, "MI", "MATLAB", "loadmat(f)" },
  { "MATLAB 7.3 MAT-file", 19, 126, "IM", "MATLAB 7.3", "h5py.File(f)" },
  { "\x89HDF\r\n\x1a\n", 8, 0, "", "HDF5", "h5py.File(f)" },
  { "train/a.png", 11, 257, "ustar", "tar", "tarfile" },
  { "7z\xbc\xaf\x27\x1c", 6, 0, "", "7z", NULL },
  { "Rar!\x1a\x07\x01", 7, 0, "", "RAR", NULL },
  { "BZh9\x31\x41\x59\x26\x53\x59", 10, 0, "", "bzip2", "bz2" },
  { "\xfd"
    "7zXZ\0",
    6, 0, "", "xz", "lzma" },
  { "\x28\xb5\x2f\xfd", 4, 0, "", "Zstandard", NULL },
  { "%PDF-1.7", 8, 0, "", "PDF", NULL },
};

static const Case let_through[] = {
  { "", 0, 0, "", NULL, NULL },
  { "a,b\n1,2\n", 8, 0, "", NULL, NULL },
  { "\x93NUMPY\x01\0", 8, 0, "", NULL, NULL },
  { ZIP ("\x05") "a.npy", 35, 0, "", NULL, NULL },
  { ZIP ("\x10") "archive/data.pkl", 46, 0, "", NULL, NULL },
  { ZIP ("\xff") "cut", 33, 0, "", NULL, NULL },
  { "PK\x03\x04", 4, 0, "", NULL, NULL },
  { "\0\0\x08\x03\0\0\0\x02", 8, 0, "", NULL, NULL },
  { "\xff\xff\xff\xff\x01\0\0\0\x01\0\0\0", 12, 0, "", NULL, NULL },
  { "MATLAB is a language", 20, 0, "", NULL, NULL },
  { "BZh is short", 12, 0, "", NULL, NULL },
  { "version https://git", 19, 0, "", NULL, NULL },
  { "<?xml version=\"1.0\"?>\n<svg/>", 28, 0, "", NULL, NULL },
  { "  \t\n", 4, 0, "", NULL, NULL },
};

static gsize
fill (guint8 *head, const Case *one)
{
  gsize n = MAX (one->n, one->at + strlen (one->more));

  memset (head, 0, SL_IMPOSTOR_HEAD);
  memcpy (head, one->text, one->n);
  memcpy (head + one->at, one->more, strlen (one->more));
  return n;
}

static void
test_refused (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      guint8   head[SL_IMPOSTOR_HEAD];
      gsize    n = fill (head, &refused[i]);
      char     text[1024];
      SlStatus status = sl_impostor_refuse ("given/a.csv", head, n);

      g_test_message ("%s", refused[i].name);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      sl_status_show (&status, NULL, text, sizeof text);
      g_assert_nonnull (strstr (text, refused[i].name));
      g_assert_cmpuint (status.n_advice, ==, refused[i].line != NULL);
      if (refused[i].line != NULL)
        {
          g_assert_true (g_str_has_prefix (status.advice[0].line, "f=\"given/a.csv\"; "));
          g_assert_nonnull (strstr (status.advice[0].line, refused[i].line));
        }
    }
}

static void
test_let_through (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (let_through); i++)
    {
      guint8   head[SL_IMPOSTOR_HEAD];
      gsize    n = fill (head, &let_through[i]);
      SlStatus status = sl_impostor_refuse ("a", head, n);

      g_assert_cmpint (status.code, ==, SL_OK);
    }
}

/* Whatever is cut off is nothing or what it was, and what lies behind is not read. */
static void
test_cut (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      guint8 whole[SL_IMPOSTOR_HEAD];
      gsize  n = fill (whole, &refused[i]);

      for (gsize cut = 0; cut < n; cut++)
        {
          g_autofree guint8 *head = g_memdup2 (whole, cut + 1);

          (void) sl_impostor_refuse ("a", head, cut);
        }
      g_assert_cmpint (sl_impostor_refuse ("a", whole, 2).code, ==, SL_OK);
    }
}

/* Names that would end the quotes, or have no room, are not put into the line. */
static void
test_names (void)
{
  g_autofree char *folder = g_strnfill (300, 'd');
  g_autofree char *deep = g_strdup_printf ("%s/a.parquet", folder);
  struct
  {
    const char *path, *named;
  } names[] = { { "ä b.parquet", "f=\"ä b.parquet\"; " },
                { "a\"; import os; \".parquet", "f=\"FILE\"; " },
                { "a\\", "f=\"FILE\"; " },
                { "a\nb", "f=\"FILE\"; " },
                { deep, "f=\"a.parquet\"; " },
                { folder, "f=\"FILE\"; " } };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SlStatus status = sl_impostor_refuse (names[i].path, "PAR1", 4);

      g_assert_true (g_str_has_prefix (status.advice[0].line, names[i].named));
      g_assert_true (g_str_has_suffix (status.advice[0].line, ", index=False)"));
    }
}

static gboolean
python (const char *code, const char *argument)
{
  const char *argv[] = { "python3", "-c", code, argument, NULL };
  int         code_of = -1;

  return g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                       &code_of, NULL)
         && code_of == 0;
}

/* Each line is Python; those that need nothing else are run, and leave a table that can be read. */
static void
test_lines (void)
{
  static const struct
  {
    const char *name, *makes, *left;
  } run[] = {
    { "a.zip", "import zipfile,sys; zipfile.ZipFile(sys.argv[1],'w').writestr('t.csv','a,b\\n')",
      "a.zip.files/t.csv" },
    { "a.tar.gz",
      "import tarfile,sys,io; t=tarfile.open(sys.argv[1],'w:gz'); i=tarfile.TarInfo('t.csv'); "
      "i.size=4; t.addfile(i,io.BytesIO(b'a,b\\n')); t.close()",
      "a.tar.gz.files/t.csv" },
    { "a.bz2", "import bz2,sys; bz2.open(sys.argv[1],'w').write(b'a,b\\n')", "a.bz2.out" },
    { "a.xz", "import lzma,sys; lzma.open(sys.argv[1],'w').write(b'a,b\\n')", "a.xz.out" },
  };
  g_autofree char *folder = g_dir_make_tmp ("sluice-impostor-XXXXXX", NULL);

  if (!python ("", ""))
    {
      g_test_skip ("there is no Python");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      guint8   head[SL_IMPOSTOR_HEAD];
      SlStatus status = sl_impostor_refuse ("a.csv", head, fill (head, &refused[i]));

      if (status.n_advice > 0)
        g_assert_true (python ("import ast,sys; ast.parse(sys.argv[1])", status.advice[0].line));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (run); i++)
    {
      g_autofree char *path = g_build_filename (folder, run[i].name, NULL);
      g_autofree char *left = g_build_filename (folder, run[i].left, NULL), *text = NULL;
      g_autofree char *within = g_path_get_dirname (left);
      guint8           head[SL_IMPOSTOR_HEAD];
      size_t           n;
      SlBytes         *bytes;
      SlStatus         status;

      g_assert_true (python (run[i].makes, path));
      status = sl_bytes_open (&bytes, path);
      g_assert_true (sl_ok (&status));
      status = sl_bytes_some (bytes, head, sizeof head, &n);
      g_assert_true (sl_ok (&status));
      sl_bytes_close (bytes);
      status = sl_impostor_refuse (path, head, n);
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      g_assert_true (python (status.advice[0].line, ""));
      g_assert_true (g_file_get_contents (left, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "a,b\n");
      g_unlink (left);
      g_unlink (path);
      if (!g_str_equal (within, folder))
        g_assert_cmpint (g_rmdir (within), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/impostor/refused", test_refused);
  g_test_add_func ("/impostor/let-through", test_let_through);
  g_test_add_func ("/impostor/cut", test_cut);
  g_test_add_func ("/impostor/names", test_names);
  g_test_add_func ("/impostor/lines", test_lines);
  return g_test_run ();
}

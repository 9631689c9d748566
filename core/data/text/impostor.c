/* SPDX-License-Identifier: MIT */
#include "core/data/text/impostor.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/message.h"

/* What writes the file `f` as a table, as arrays, or unpacked, beside it. */
#define TABLE(reader) "import pandas; pandas.read_" reader "(f).to_csv(f+'.csv', index=False)"
#define STREAM                                                                                     \
  "import pyarrow.ipc as p; p.open_stream(f).read_pandas().to_csv(f+'.csv', index=False)"
#define MATLAB                                                                                     \
  "import numpy,scipy.io as s; numpy.savez(f+'.npz', **{k: v for k, v in s.loadmat(f).items() "    \
  "if k[0]!='_'})"
#define HDF5(turned)                                                                               \
  "import h5py,numpy; numpy.savez(f+'.npz', **{k: v[()]" turned                                    \
  " for k, v in h5py.File(f).items() if hasattr(v,'shape')})"
#define UNPACKED(module) "import " module "; open(f+'.out','wb').write(" module ".open(f).read())"

typedef struct
{
  const char *name; /* what it is */
  const char *way;  /* what is expected in its place, or the step that gets it */
  const char *line; /* of Python, or NULL */
} Kind;

/* Bytes at a place. */
typedef struct
{
  size_t      at, n;
  const char *bytes;
} Sign;

static const struct
{
  Sign sign, also; /* `also` of length 0: none */
  Kind kind;
} kinds[] = {
  { { 0, 24, "version https://git-lfs." },
    { 0 },
    { SL_MARK ("a pointer of Git LFS"), SL_MARK ("the file: \"git lfs pull\""), NULL } },
  { { 0, 15, "/annex/objects/" },
    { 0 },
    { SL_MARK ("a pointer of git-annex"), SL_MARK ("the file: \"git annex get\""), NULL } },
  { { 0, 4, "PAR1" },
    { 0 },
    { SL_MARK ("a Parquet file"), SL_MARK ("a CSV table"), TABLE ("parquet") } },
  { { 0, 6, "ARROW1" },
    { 0 },
    { SL_MARK ("a Feather file"), SL_MARK ("a CSV table"), TABLE ("feather") } },
  { { 0, 4, "FEA1" },
    { 0 },
    { SL_MARK ("a Feather file"), SL_MARK ("a CSV table"), TABLE ("feather") } },
  { { 0, 4, "\xff\xff\xff\xff" },
    { 6, 6, "\0\0\x10\0\0\0" },
    { SL_MARK ("a stream of Arrow"), SL_MARK ("a CSV table"), STREAM } },
  { { 0, 3, "ORC" }, { 0 }, { SL_MARK ("an ORC file"), SL_MARK ("a CSV table"), TABLE ("orc") } },
  { { 0, 11, "<stata_dta>" },
    { 0 },
    { SL_MARK ("a file of Stata"), SL_MARK ("a CSV table"), TABLE ("stata") } },
  { { 0, 4, "$FL2" },
    { 0 },
    { SL_MARK ("a file of SPSS"), SL_MARK ("a CSV table"), TABLE ("spss") } },
  { { 0, 8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" },
    { 0 },
    { SL_MARK ("a spreadsheet (Excel)"), SL_MARK ("its sheet as a CSV table"), TABLE ("excel") } },
  { { 0, 11, "MATLAB 7.3 " },
    { 126, 2, "IM" },
    { SL_MARK ("a file of MATLAB 7.3"), SL_MARK ("its arrays as .npz"), HDF5 (".T") } },
  { { 0, 7, "MATLAB " },
    { 126, 2, "IM" },
    { SL_MARK ("a file of MATLAB"), SL_MARK ("its arrays as .npz"), MATLAB } },
  { { 0, 7, "MATLAB " },
    { 126, 2, "MI" },
    { SL_MARK ("a file of MATLAB"), SL_MARK ("its arrays as .npz"), MATLAB } },
  { { 0, 8, "\x89HDF\r\n\x1a\n" },
    { 0 },
    { SL_MARK ("an HDF5 file"), SL_MARK ("its arrays as .npz"), HDF5 ("") } },
  { { 257, 5, "ustar" },
    { 0 },
    { SL_MARK ("an archive (tar)"), SL_MARK ("a file that was in it"),
      "import tarfile; tarfile.open(f).extractall(f+'.files')" } },
  { { 0, 6, "7z\xbc\xaf\x27\x1c" },
    { 0 },
    { SL_MARK ("an archive (7z)"), SL_MARK ("a file in it (\"7z x\")"), NULL } },
  { { 0, 6, "Rar!\x1a\x07" },
    { 0 },
    { SL_MARK ("an archive (RAR)"), SL_MARK ("a file in it (\"unrar x\")"), NULL } },
  { { 0, 3, "BZh" },
    { 4, 6, "\x31\x41\x59\x26\x53\x59" },
    { SL_MARK ("a file packed with bzip2"), SL_MARK ("it unpacked, or packed with gzip"),
      UNPACKED ("bz2") } },
  { { 0, 6,
      "\xfd"
      "7zXZ" },
    { 0 },
    { SL_MARK ("a file packed with xz"), SL_MARK ("it unpacked, or packed with gzip"),
      UNPACKED ("lzma") } },
  { { 0, 4, "\x28\xb5\x2f\xfd" },
    { 0 },
    { SL_MARK ("a file packed with Zstandard"), SL_MARK ("it unpacked (\"zstd -d\")"), NULL } },
  { { 0, 5, "%PDF-" },
    { 0 },
    { SL_MARK ("a PDF document"), SL_MARK ("the table in it as CSV"), NULL } },
};

/* Files in a zip that are read: arrays of NumPy, and what torch.save() writes. */
static const char *const read_from_zip[]
  = { ".npy", ".pkl", "/byteorder", "/version", "/.format_version", "/.storage_alignment" };

/* By how the name of the first file in a zip begins. */
static const struct
{
  const char *begins;
  Kind        kind;
} zips[] = {
  { "[Content_Types].xml",
    { SL_MARK ("a spreadsheet (Excel)"), SL_MARK ("its sheet as a CSV table"), TABLE ("excel") } },
  { "_rels/",
    { SL_MARK ("a spreadsheet (Excel)"), SL_MARK ("its sheet as a CSV table"), TABLE ("excel") } },
  { "docProps/",
    { SL_MARK ("a spreadsheet (Excel)"), SL_MARK ("its sheet as a CSV table"), TABLE ("excel") } },
  { "xl/",
    { SL_MARK ("a spreadsheet (Excel)"), SL_MARK ("its sheet as a CSV table"), TABLE ("excel") } },
  { "mimetype",
    { SL_MARK ("a spreadsheet"), SL_MARK ("its sheet as a CSV table"), TABLE ("excel") } },
  { "",
    { SL_MARK ("an archive (zip)"), SL_MARK ("a file that was in it"),
      "import zipfile; zipfile.ZipFile(f).extractall(f+'.files')" } },
};

/* Texts that a server sends instead of a file, behind white space, in either case. */
static const char *const pages[] = { "<!doctype html",
                                     "<html",
                                     "<head",
                                     "<Error>",
                                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>",
                                     "<?xml version='1.0' encoding='UTF-8'?><Error>" };

static const Kind page = { SL_MARK ("a web page"), SL_MARK ("the file, as a browser shows"), NULL };

static bool
has (const Sign *sign, const uint8_t *head, size_t size)
{
  return sign->n == 0
         || (sign->at + sign->n <= size && memcmp (head + sign->at, sign->bytes, sign->n) == 0);
}

static const Kind *
kind_of_zip (const uint8_t *head, size_t size)
{
  enum { LENGTH = 26, NAME = 30 };
  size_t n = size >= NAME ? head[LENGTH] + 256u * head[LENGTH + 1] : 0;
  size_t i = 0;

  if (n == 0 || NAME + n > size)
    return NULL;
  for (size_t k = 0; k < sizeof read_from_zip / sizeof *read_from_zip; k++)
    {
      size_t ending = strlen (read_from_zip[k]);

      if (n >= ending && memcmp (head + NAME + n - ending, read_from_zip[k], ending) == 0)
        return NULL;
    }
  while (n < strlen (zips[i].begins)
         || memcmp (head + NAME, zips[i].begins, strlen (zips[i].begins)) != 0)
    i++;
  return &zips[i].kind;
}

static bool
is_page (const char *head, size_t size)
{
  size_t blank = size >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (blank < size && strchr (" \t\r\n", head[blank]) != NULL && head[blank] != '\0')
    blank++;
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    if (size - blank >= strlen (pages[i])
        && strncasecmp (head + blank, pages[i], strlen (pages[i])) == 0)
      return true;
  return false;
}

static const Kind *
kind_of (const uint8_t *head, size_t size)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (has (&kinds[i].sign, head, size) && has (&kinds[i].also, head, size))
      return &kinds[i].kind;
  if (has (&(Sign) { 0, 4, "PK\x03\x04" }, head, size))
    return kind_of_zip (head, size);
  return is_page ((const char *) head, size) ? &page : NULL;
}

/* Whether a text can stand between quotes of Python as it is. */
static bool
is_plain (const char *text)
{
  for (; *text != '\0'; text++)
    if ((unsigned char) *text < ' ' || *text == '"' || *text == '\\')
      return false;
  return true;
}

/* With the path, if there is room for it, else the name, else a word for it. */
static SlStatus
with_line (SlStatus status, const char *path, const char *line)
{
  const char       *slash = strrchr (path, '/');
  const char *const names[] = { path, slash != NULL ? slash + 1 : path, "FILE" };
  char              text[sizeof status.advice[0].line];

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_plain (names[i])
        && (size_t) snprintf (text, sizeof text, "f=\"%s\"; %s", names[i], line) < sizeof text)
      break;
  return sl_status_line (status, text);
}

SlStatus
sl_impostor_refuse (const char *path, const void *head, size_t size)
{
  const Kind *kind = kind_of (head, size);
  SlStatus    status;

  if (kind == NULL)
    return SL_SUCCESS;
  status
    = sl_status_new (SL_EFORMAT, path, sl_message_word (kind->name), sl_message_word (kind->way));
  return kind->line != NULL ? with_line (status, path, kind->line) : status;
}

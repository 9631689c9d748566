/* SPDX-License-Identifier: MIT
 *
 * Tables of panels that are no curves: pictures in colour and tiles with captions.  */
#include <math.h>
#include <string.h>

#include "core/lab/alive.h"
#include "core/lab/lab.h"
#include "core/run/files/table-npy.h"
#include "core/run/files/table.h"

enum { IMAGES, MAP, ALIVE, N_PANELS };

static const SlPanel panels[] = {
  [IMAGES] = { .id = "images", .kind = SL_IMAGE },
  [MAP] = { .id = "map", .kind = SL_MAP },
  [ALIVE] = { .id = "alive", .kind = SL_ALIVE },
};
static const SlLab lab
  = { .id = "kinds", .title = "Kinds", .panels = panels, .n_panels = N_PANELS };

static void
make_record (SlRecord *record)
{
  SlSettings settings = { 0 };
  SlStatus   status = sl_record_init (record, &lab, &settings, 0);

  g_assert_true (sl_ok (&status));
}

static void
assert_table (SlRecord *record, SlSnapshot *snapshot, const char *expected)
{
  g_autofree char *csv = NULL;

  g_assert_true (sl_record_show (record, snapshot));
  csv = sl_table_panel_csv (record, snapshot->panel, 0, 0);
  g_assert_cmpstr (csv, ==, expected);
}

/* A row for each colour of each tile; captions in a column of their own. */
static void
test_images (void)
{
  SlSnapshot  images = { .panel = IMAGES };
  SlRecord    record;
  double     *value;
  GBytes     *npy;
  gsize       n;
  const char *bytes;

  make_record (&record);
  value = sl_snapshot_pictures (&images, 2, 1, 2);
  for (unsigned i = 0; i < 12; i++)
    value[i] = i;
  assert_table (&record, &images,
                "tile,colour,row,0,1\n0,red,0,0,1\n0,green,0,2,3\n0,blue,0,4,5\n"
                "1,red,0,6,7\n1,green,0,8,9\n1,blue,0,10,11\n");
  npy = sl_table_panel_npy (&record, IMAGES, 0, 0);
  bytes = g_bytes_get_data (npy, &n);
  g_assert_nonnull (g_strstr_len (bytes + 10, 118, "'shape': (2, 3, 1, 2)"));
  g_assert_cmpmem (bytes + n - 12 * sizeof (double), 12 * sizeof (double), value,
                   12 * sizeof (double));
  g_bytes_unref (npy);
  value = sl_snapshot_matrix (&images, 2, 2, 1);
  for (unsigned i = 0; i < 4; i++)
    value[i] = i;
  g_strlcpy (images.names, "a cat\n", sizeof images.names); /* the second tile has none */
  assert_table (&record, &images, "tile,caption,row,0\n0,a cat,0,0\n0,a cat,1,1\n1,,0,2\n1,,1,3\n");
  sl_snapshot_clear (&images);
  sl_record_clear (&record);
}

/* A row for each unit, edge and class; nothing of what is no picture. */
static void
test_alive (void)
{
  static const double rows[] = {
    SL_ALIVE_ROW_INPUT,
    SL_ALIVE_GREY,
    1,
    1,
    9,
    SL_ALIVE_ROW_PIXEL,
    1,
    1,
    1,
    0,
    SL_ALIVE_ROW_GROUP,
    SL_ALIVE_MOSAIC,
    2,
    0,
    0,
    SL_ALIVE_ROW_CELL,
    SL_ALIVE_USED,
    0.5,
    0,
    1,
    SL_ALIVE_ROW_CELL,
    SL_ALIVE_MISSED,
    0,
    0.25,
    2,
    SL_ALIVE_ROW_EDGE,
    0,
    0,
    0.75,
    0,
    SL_ALIVE_ROW_CLASS,
    0.75,
    1,
    1,
    3,
  };
  SlSnapshot alive = { .panel = ALIVE };
  SlRecord   record;

  make_record (&record);
  memcpy (sl_snapshot_matrix (&alive, 1, 7, SL_ALIVE_COLUMNS), rows, sizeof rows);
  g_strlcpy (alive.names, "layer, 1\nbag\n", sizeof alive.names);
  assert_table (&record, &alive,
                "part,name,unit,state,value,lost\n"
                "unit,\"layer, 1\",1,used,0.5,0\n"
                "unit,\"layer, 1\",2,missed,0,0.25\n"
                "edge,\"layer, 1\",1,,0.75,0\n"
                "class,bag,3,true,0.75,0\n");
  alive.rows = 1;
  assert_table (&record, &alive, "part,name,unit,state,value,lost\n");
  sl_snapshot_clear (&alive);
  sl_record_clear (&record);
}

/* Of a line of words, a row for each word with its tint, and which one is looked at. */
static void
test_line (void)
{
  static const double rows[] = {
    SL_ALIVE_ROW_INPUT,
    SL_ALIVE_LINE,
    1,
    1,
    1,
    SL_ALIVE_ROW_TOKEN,
    0,
    0,
    0,
    0,
    SL_ALIVE_ROW_TOKEN,
    3,
    1,
    0,
    0,
    SL_ALIVE_ROW_GROUP,
    SL_ALIVE_FIELD,
    2,
    0,
    2,
    SL_ALIVE_ROW_CELL,
    0,
    1,
    0,
    1,
    SL_ALIVE_ROW_CELL,
    0,
    1,
    0,
    1,
  };
  SlSnapshot alive = { .panel = ALIVE };
  SlRecord   record;

  make_record (&record);
  memcpy (sl_snapshot_matrix (&alive, 1, 6, SL_ALIVE_COLUMNS), rows, sizeof rows);
  g_strlcpy (alive.names, "blocks\n", sizeof alive.names);
  sl_snapshot_row_name (&alive, sl_message ("letter %d", 2).packed);
  sl_snapshot_row_name (&alive, sl_message_verbatim ("a").packed);
  sl_snapshot_row_name (&alive, sl_message_verbatim ("%s=b").packed);
  assert_table (&record, &alive,
                "part,name,unit,state,value,lost\n"
                "token,a,1,,0,0\n"
                "token,%s=b,2,shown,3,0\n"
                "unit,blocks,1,used,1,0\n"
                "unit,blocks,1,used,1,0\n");
  sl_snapshot_clear (&alive);
  sl_record_clear (&record);
}

/* Units with places have names of their own, and links; pixels of pictures are left out. */
static void
test_places (void)
{
  static const double rows[][SL_ALIVE_COLUMNS] = {
    { SL_ALIVE_ROW_INPUT, SL_ALIVE_LAMP, 0, 0, 0 },
    { SL_ALIVE_ROW_GROUP, SL_ALIVE_GRAPH, 2, 0, 0 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.5, 0, 1 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_SKIPPED, 0, 0, 2 },
    { SL_ALIVE_ROW_PLACE, 0, 0, 0.25, 0.5 },
    { SL_ALIVE_ROW_PLACE, 0.5, 0.5, 0.25, 0.5 },
    { SL_ALIVE_ROW_LINK, 0, 1, 1, 0 },
    { SL_ALIVE_ROW_GROUP, SL_ALIVE_LIGHT, 1, 0, 1 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 0.75, 0.25, 1 },
    { SL_ALIVE_ROW_GROUP, SL_ALIVE_PICTURE, 1, 0, 1 },
    { SL_ALIVE_ROW_CELL, SL_ALIVE_USED, 1, 0, 1 },
    { SL_ALIVE_ROW_PIXEL, 0.1, 0.2, 0.3, 0.4 },
  };
  SlSnapshot alive = { .panel = ALIVE };
  SlRecord   record;

  make_record (&record);
  memcpy (sl_snapshot_matrix (&alive, 1, G_N_ELEMENTS (rows), SL_ALIVE_COLUMNS), rows, sizeof rows);
  g_strlcpy (alive.names, "network\nlayers\npicture\n", sizeof alive.names);
  g_strlcpy (alive.row_names, "lamp\nin\nout\n", sizeof alive.row_names);
  assert_table (&record, &alive,
                "part,name,unit,state,value,lost\n"
                "unit,in,1,used,0.5,0\n"
                "unit,out,2,skipped,0,0\n"
                "link,network,1,2,1,0\n"
                "unit,layers,1,used,0.75,0.25\n"
                "unit,picture,1,used,1,0\n");
  sl_snapshot_clear (&alive);
  sl_record_clear (&record);
}

/* A map has numbers for its rows and columns, whatever names there are. */
static void
test_map (void)
{
  SlSnapshot map = { .panel = MAP };
  SlRecord   record;

  make_record (&record);
  memcpy (sl_snapshot_matrix (&map, 1, 1, 2), (double[]) { 5, 6 }, 2 * sizeof (double));
  g_strlcpy (map.names, "one\ntwo\n", sizeof map.names);
  assert_table (&record, &map, "tile,row,0,1\n0,0,5,6\n");
  sl_snapshot_clear (&map);
  sl_record_clear (&record);
}

static void
test_formats (void)
{
  g_assert_true (sl_table_has_npy (SL_SERIES) && sl_table_has_npy (SL_HISTORY)
                 && sl_table_has_npy (SL_SHARES) && sl_table_has_npy (SL_HEATMAP)
                 && sl_table_has_npy (SL_IMAGE) && sl_table_has_npy (SL_MAP));
  g_assert_false (sl_table_has_npy (SL_PROFILE) || sl_table_has_npy (SL_BARS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table-panels/alive", test_alive);
  g_test_add_func ("/table-panels/line", test_line);
  g_test_add_func ("/table-panels/places", test_places);
  g_test_add_func ("/table-panels/images", test_images);
  g_test_add_func ("/table-panels/map", test_map);
  g_test_add_func ("/table-panels/formats", test_formats);
  return g_test_run ();
}

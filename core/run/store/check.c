/* SPDX-License-Identifier: MIT
 *
 * Whether the file of a store is whole, as SQLite sees it.  */
#include "core/run/base/error.h"
#include "core/run/store/private.h"

#include <string.h>

gboolean
sl_store_check (SlStore *store, GError **error)
{
  sqlite3_stmt *statement;
  gboolean      whole = FALSE;

  if (!sl_store_begin_reading (store, error))
    return FALSE;
  statement = sl_store_query (store, error, "PRAGMA integrity_check(1)", NULL, 0);
  if (statement != NULL && sl_store_row (store, statement, error) > 0)
    {
      const char *said = sl_store_text (statement, 0), *line = strrchr (said, '\n');

      /* What is wrong comes below a line that says in which database. */
      said = line != NULL ? line + 1 : said;

      whole = strcmp (said, "ok") == 0
              || sl_fail (error, SL_EFORMAT, store->path, said, "a database without damage");
    }
  sqlite3_finalize (statement);
  sl_store_end_reading (store);
  return whole;
}

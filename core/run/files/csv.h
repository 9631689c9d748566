/* SPDX-License-Identifier: MIT
 *
 * Tables as CSV, cell by cell.  Numbers are those of number.h; not-a-number is an empty cell, and a text is in quotes
 * where it has to be.  A row has at least one cell before it ends.  */
#pragma once

#include <glib.h>
#include <stdint.h>

void sl_csv_number (GString *csv, double value);
void sl_csv_whole (GString *csv, uint64_t value);
void sl_csv_text (GString *csv, const char *text);
void sl_csv_end (GString *csv);

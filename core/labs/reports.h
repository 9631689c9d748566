/* SPDX-License-Identifier: MIT
 *
 * What labs of this build can say about data by themselves, without a run; made from core/labs/X/meson.build.  */
#pragma once

#include "core/data/set/dataset.h"

typedef struct
{
  SlDataNeeds kind; /* of the data */

  /* All of it as JSON, by options "id=value id=value" (NULL: none); the caller g_free()s it.  SL_EINVAL (options), SL_EIO,
   * SL_EFORMAT, SL_ENOMEM.  */
  SlStatus (*write) (const SlDataset *data, const char *options, char **json);
} SlLabReport;

/* Ended by NULL. */
extern const SlLabReport *const sl_lab_reports[];

#include "core/data/read/containers/container.h"
SlStatus sl_json_open (SlArrays *arrays, const char *path, size_t most){ (void)arrays;(void)path;(void)most; return SL_SUCCESS; }

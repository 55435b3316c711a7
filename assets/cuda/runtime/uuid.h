// The type that the runtime API and the driver API share.
#pragma once

typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;

// Of both APIs.
#pragma once

typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;

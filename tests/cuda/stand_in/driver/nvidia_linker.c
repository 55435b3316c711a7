// Replaces NVIDIA's libnvJitLink in a test: LTO-IR is PTX after a magic number, and linking joins the texts.
// Its arguments are written to its information log. "refuse" in a text makes it fail.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { success = 0, unknown_option = 1, nvvm_error = 5, unknown_input = 8, not_finished = 9, lto_ir = 3 };

struct link {
  char ptx[4096], options[256];
  int completed;
};

int nvJitLinkVersion(unsigned* major, unsigned* minor) {
  *major = 13;
  *minor = 7;
  return success;
}

int nvJitLinkCreate(struct link** made, uint32_t count, const char** options) {
  struct link* link = calloc(1, sizeof *link);
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(options[i], "-nonsense") == 0) {
      free(link);
      return unknown_option;
    }
    strncat(link->options, options[i], sizeof link->options - strlen(link->options) - 2);
    strcat(link->options, " ");
  }
  *made = link;
  return success;
}

int nvJitLinkDestroy(struct link** link) {
  free(*link);
  *link = NULL;
  return success;
}

int nvJitLinkAddData(struct link* link, int type, const char* data, size_t size, const char* name) {
  (void)name;
  if (type != lto_ir || size < 4 || memcmp(data, "\xed\x43\x4e\x7f", 4) != 0) return unknown_input;
  strncat(link->ptx, data + 4, size - 4);
  return success;
}

int nvJitLinkComplete(struct link* link) {
  link->completed = strstr(link->ptx, "refuse") == NULL;
  return link->completed ? success : nvvm_error;
}

int nvJitLinkGetLinkedPtxSize(struct link* link, size_t* size) {
  if (!link->completed || strstr(link->options, "-ptx") == NULL) return not_finished;
  *size = strlen(link->ptx) + 1;
  return success;
}

int nvJitLinkGetLinkedPtx(struct link* link, char* ptx) {
  strcpy(ptx, link->ptx);
  return success;
}

int nvJitLinkGetErrorLogSize(struct link* link, size_t* size) {
  *size = link->completed ? 0 : strlen("it refuses") + 1;
  return success;
}

int nvJitLinkGetErrorLog(struct link* link, char* log) {
  if (!link->completed) strcpy(log, "it refuses");
  return success;
}

int nvJitLinkGetInfoLogSize(struct link* link, size_t* size) {
  *size = strlen(link->options) + 1;
  return success;
}

int nvJitLinkGetInfoLog(struct link* link, char* log) {
  strcpy(log, link->options);
  return success;
}

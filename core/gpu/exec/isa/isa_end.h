// Ends what isa_begin.h began.
#if WARPLENS_ISA_CODE != 0
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

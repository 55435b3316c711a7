#ifdef THRUST_VERSION
#error \
    "Thrust is a library for programs: this text has only kernels. Write a main() that calls it, and run the file as a program."
#endif

// What a launch leaves to later launches of the same program, so that they need not begin from nothing: the
// workers' blocks, the shapes of memory accesses that they learnt, how often each basic block was entered,
// and how long a block took. It changes no result and no count.
#pragma once

#include <memory>

namespace warplens::exec {

struct Crew;  // the workers of a launch: core/gpu/exec/grid.cpp

// Must not be used by two launches at a time, and not for another program.
class KeptWorkers {
 public:
  KeptWorkers();
  ~KeptWorkers();
  KeptWorkers(const KeptWorkers&) = delete;
  KeptWorkers& operator=(const KeptWorkers&) = delete;

  Crew& crew() { return *m_crew; }
  void forget();

 private:
  std::unique_ptr<Crew> m_crew;
};

}  // namespace warplens::exec

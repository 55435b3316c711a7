namespace warplens {}

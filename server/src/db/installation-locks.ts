/** Numbers of the advisory locks that apply to the whole database. Other locks have two keys, for example a tenant. */
export const installationLocks = {
  migration: 7_153_882_001,
  /** Also acquired by a trigger. Each change to a super administrator sees those committed before it. */
  superAdministrators: 7_153_882_002,
  logMove: 7_153_882_003,
  partitionStep: 7_153_882_004,
  /**
   * Separates the booking of rows from closing an hour of the log export. Transactions that book rows share the lock;
   * closing an hour requires exclusive access. Each row is visible when its hour is exported, or recorded as late.
   */
  logExport: 7_310_211,
} as const;

/**
 * Advisory lock that separates the booking of rows from closing an hour of the log export. Transactions that book
 * rows share the lock; closing an hour requires exclusive access. Each row is therefore either visible when its hour
 * is exported or recorded as late.
 */
export const logExportLock = 7_310_211;

/** Each shipper has one connection; the database accepts thousands of rows per second from it. */
const workersPerShipper = 4;
/** One each for leases, notifications, the console and the snapshot. */
export const connectionsPerWorkerMin = 4;
export const connectionsPerWorkerDefault = 7;

export function countShippers(workers: number): number {
  return Math.ceil(workers / workersPerShipper);
}

/** Returns the number of database connections per worker; the default without a cap. */
export function findConnectionsPerWorker(inAll: number | undefined, workers: number): number {
  if (inAll === undefined) return connectionsPerWorkerDefault;
  return Math.floor((inAll - countShippers(workers)) / workers);
}

/** Splits the connections of a worker, except those for leases and notifications. */
export function splitConnections(perWorker: number): { readonly console: number; readonly snapshot: number } {
  const snapshot = perWorker > connectionsPerWorkerMin + 1 ? 2 : 1;
  return { console: perWorker - 2 - snapshot, snapshot };
}

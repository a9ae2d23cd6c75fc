/** Each shipper has one connection; the database takes thousands of rows a second from it. */
const workersPerShipper = 4;
/** One for leases, one for notifications, and one each for the console and the snapshot. */
export const connectionsPerWorkerMin = 4;
export const connectionsPerWorkerDefault = 7;

export function countShippers(workers: number): number {
  return Math.ceil(workers / workersPerShipper);
}

/** How many connections of a node each of its workers gets; without a cap the default. */
export function findConnectionsPerWorker(inAll: number | undefined, workers: number): number {
  if (inAll === undefined) return connectionsPerWorkerDefault;
  return Math.floor((inAll - countShippers(workers)) / workers);
}

/** How a worker splits what it gets, beside the connections for leases and notifications. */
export function splitConnections(perWorker: number): { readonly console: number; readonly snapshot: number } {
  const snapshot = perWorker > connectionsPerWorkerMin + 1 ? 2 : 1;
  return { console: perWorker - 2 - snapshot, snapshot };
}

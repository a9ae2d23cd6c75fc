import type { MachineLimits } from '#platform/machine-limits.ts';

/**
 * Number of workers per shipper. Each shipper has one connection, through which the database accepts thousands of
 * rows per second.
 */
const workersPerShipper = 4;
/** Minimum number of connections per worker: one each for leases, notifications, the console and the snapshot. */
export const connectionsPerWorkerMin = 4;
const connectionsPerWorkerDefault = 7;

export function countShippers(workers: number): number {
  return Math.ceil(workers / workersPerShipper);
}

/** Returns the number of database connections per worker. Returns the default if there is no cap. */
export function findConnectionsPerWorker(inAll: number | undefined, workers: number): number {
  if (inAll === undefined) return connectionsPerWorkerDefault;
  return Math.floor((inAll - countShippers(workers)) / workers);
}

/** Splits the connections of a worker, without those for leases and notifications. */
export function splitConnections(perWorker: number): { readonly console: number; readonly snapshot: number } {
  const snapshot = perWorker > connectionsPerWorkerMin + 1 ? 2 : 1;
  return { console: perWorker - 2 - snapshot, snapshot };
}

export interface ConnectionCapacity {
  /** Value of `max_connections`, or the lower limit of the role or database. */
  readonly allowed: number;
  /** Connections reserved for superusers and roles with `pg_use_reserved_connections`. */
  readonly reserved: number;
  readonly used: number;
  readonly nodes: number;
}

export interface NodeConnections {
  readonly workers: number;
  readonly connectionsPerWorker: number;
}

/** Additional connections for a start, an index build and a command. */
const spareConnections = 3;

export function countConnections({ workers, connectionsPerWorker }: NodeConnections): number {
  return workers * connectionsPerWorker + countShippers(workers) + spareConnections;
}

/**
 * Fits a node into its share of the server. First reduces the connections per worker, then the number of workers.
 * @throws Error with the numbers and the fix if not even one worker fits
 */
export function fitConnections(
  workers: number,
  capacity: ConnectionCapacity,
): NodeConnections & { readonly warning: string | null } {
  const wanted = { workers, connectionsPerWorker: connectionsPerWorkerDefault };
  const usable = capacity.allowed - capacity.reserved;
  const budget = Math.min(Math.floor(usable / capacity.nodes), usable - capacity.used);
  const fitted = findFitting(workers, budget);
  if (!fitted)
    throw new Error(
      `The database cannot be used: ${formatCapacity(capacity)}. ${suggestFix(wanted, capacity)}`,
    );
  const isWhole = countConnections(fitted) === countConnections(wanted);
  const found = `${count(fitted.workers, 'worker')} with ${fitted.connectionsPerWorker} connections each`;
  return {
    ...fitted,
    warning: isWhole
      ? null
      : `${formatCapacity(capacity)}. This node runs ${found}, and would run ${workers} with ${wanted.connectionsPerWorker}. ${suggestFix(wanted, capacity)}`,
  };
}

function findFitting(workers: number, budget: number): NodeConnections | null {
  for (let fewer = workers; fewer >= 1; fewer--) {
    const perWorker = Math.floor((budget - countShippers(fewer) - spareConnections) / fewer);
    if (perWorker >= connectionsPerWorkerMin)
      return { workers: fewer, connectionsPerWorker: Math.min(perWorker, connectionsPerWorkerDefault) };
  }
  return null;
}

function formatCapacity({ allowed, reserved, used, nodes }: ConnectionCapacity): string {
  const shared = nodes === 1 ? 'this node is the only one that uses them' : `${nodes} nodes share them`;
  return `PostgreSQL allows ${allowed} connections, ${reserved} of them reserved; ${shared}, and ${used} are in use by others`;
}

function suggestFix(wanted: NodeConnections, { reserved, nodes, used }: ConnectionCapacity): string {
  const needed = Math.max(nodes * countConnections(wanted), used + countConnections(wanted)) + reserved;
  return `Set max_connections of the server to at least ${needed}, lower SLUICE_WORKERS, or put PgBouncer in between (docs/operating/postgresql.md).`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/**
 * Resident memory per kind of process in MiB (docs/operating/install.md, "What a node needs"). The worker's value
 * includes request bodies.
 */
const mebibytes = { worker: 512, shipper: 270, supervisor: 120 };
const mebibyte = 2 ** 20;
const workersMax = 256;

/**
 * Returns the number of workers for the CPU and memory limits: one per whole CPU up to `workersMax`, fewer if the
 * memory does not suffice, and at least 1.
 */
export function defaultWorkers({ cpus, memoryBytes }: MachineLimits): number {
  let workers = Math.min(Math.max(1, Math.floor(cpus)), workersMax);
  while (workers > 1 && bytesOf(workers) > memoryBytes) workers--;
  return workers;
}

function bytesOf(workers: number): number {
  const { worker, shipper, supervisor } = mebibytes;
  return (supervisor + shipper * countShippers(workers) + worker * workers) * mebibyte;
}

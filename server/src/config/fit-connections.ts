import { connectionsPerWorkerDefault, connectionsPerWorkerMin, countShippers } from './worker-connections.ts';

/** What a PostgreSQL server has to give, as one of its nodes finds it at its start. */
export interface ConnectionRoom {
  /** `max_connections`, or the lower limit of the role or the database. */
  readonly allowed: number;
  /** Of these only for superusers and roles with `pg_use_reserved_connections`. */
  readonly reserved: number;
  /** Held by others at this moment. */
  readonly used: number;
  /** Nodes that share the server, this one included. */
  readonly nodes: number;
}

/** What a node asks for. */
export interface NodeConnections {
  readonly workers: number;
  readonly connectionsPerWorker: number;
}

/** The start, a job that builds an index, and a command hold connections for a time, beside workers and shippers. */
const spareConnections = 3;

/** Returns how many connections a node holds at most. */
export function countConnections({ workers, connectionsPerWorker }: NodeConnections): number {
  return workers * connectionsPerWorker + countShippers(workers) + spareConnections;
}

/**
 * Fits a node into its share of the server: fewer connections for each worker first, then fewer workers.
 * @throws Error when not even one worker fits; the message says the numbers and the cure
 */
export function fitConnections(
  workers: number,
  room: ConnectionRoom,
): NodeConnections & { readonly warning: string | null } {
  const wanted = { workers, connectionsPerWorker: connectionsPerWorkerDefault };
  const usable = room.allowed - room.reserved;
  const budget = Math.min(Math.floor(usable / room.nodes), usable - room.used);
  const fitted = findFitting(workers, budget);
  if (!fitted) throw new Error(`The database cannot be used: ${formatRoom(room)}. ${cure(wanted, room)}`);
  const isWhole = countConnections(fitted) === countConnections(wanted);
  const found = `${count(fitted.workers, 'worker')} with ${fitted.connectionsPerWorker} connections each`;
  return {
    ...fitted,
    warning: isWhole
      ? null
      : `${formatRoom(room)}. This node runs ${found}, and would run ${workers} with ${wanted.connectionsPerWorker}. ${cure(wanted, room)}`,
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

function formatRoom({ allowed, reserved, used, nodes }: ConnectionRoom): string {
  const shared = nodes === 1 ? 'this node has them alone' : `${nodes} nodes share them`;
  return `PostgreSQL allows ${allowed} connections, ${reserved} of them reserved; ${shared}, and ${used} are in use by others`;
}

function cure(wanted: NodeConnections, { reserved, nodes, used }: ConnectionRoom): string {
  const needed = Math.max(nodes * countConnections(wanted), used + countConnections(wanted)) + reserved;
  return `Set max_connections of the server to at least ${needed}, lower SLUICE_WORKERS, or put PgBouncer in between (docs/operating/postgresql.md).`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

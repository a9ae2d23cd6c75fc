import { explainConnectionError } from '../explain-connection-error.ts';

export interface ReplicaStatus {
  readonly state: 'starting' | 'in_use' | 'behind' | 'away' | 'refused';
  /** `null` if the lag is unknown. */
  readonly lagMs: number | null;
  /** Sentence for operators; `null` while the replica is in use or its state is unknown. */
  readonly problem: string | null;
}

export interface ServerFacts {
  readonly system: string;
  readonly database: string;
  /**
   * Position flushed by the primary, or replayed by a standby; `null` if the other server was never a physical standby.
   */
  readonly position: string | null;
}

export interface StandbyFacts extends ServerFacts {
  readonly isStandby: boolean;
  /** Age of the last replayed transaction in milliseconds; `null` if none was replayed since the server started. */
  readonly replayedAgoMs: number | null;
}

/** Returns `null` if the server can replace the primary for reads. */
export function findMismatch(
  standby: StandbyFacts,
  primary: Pick<ServerFacts, 'system' | 'database'>,
): string | null {
  if (!standby.isStandby || standby.position === null)
    return 'DATABASE_READ_URL is not a standby: it was promoted, or was never a standby. Set it to a standby of DATABASE_URL.';
  if (standby.system !== primary.system)
    return 'DATABASE_READ_URL is a standby of another server. Set it to a standby of DATABASE_URL.';
  if (standby.database !== primary.database)
    return `DATABASE_READ_URL points to the database "${standby.database}". Set it to "${primary.database}", the database of DATABASE_URL.`;
  return null;
}

/** `insufficient_privilege` */
const missingPrivilege = '42501';

export function describeFailure(error: unknown, connectionString: string): ReplicaStatus {
  if (error instanceof Error && Reflect.get(error, 'code') === missingPrivilege) {
    const problem = `The login of DATABASE_READ_URL lacks a privilege: ${error.message}. Run GRANT sluice_tenant TO this login on the primary.`;
    return { state: 'refused', lagMs: null, problem };
  }
  const { message } = explainConnectionError(error, { variable: 'DATABASE_READ_URL', connectionString });
  return { state: 'away', lagMs: null, problem: message.replace(/^[^:]+: /, 'It cannot be used: ') };
}

export function describeLag(lagMs: number | null, lagMaxMs: number): ReplicaStatus {
  if (lagMs !== null && lagMs <= lagMaxMs) return { state: 'in_use', lagMs, problem: null };
  const lag = lagMs === null ? 'by an unknown time' : `by ${Math.round(lagMs / 1000)} s`;
  const problem = `It is behind the primary ${lag}, more than the ${lagMaxMs / 1000} s of DATABASE_READ_MAX_LAG.`;
  return { state: 'behind', lagMs, problem };
}

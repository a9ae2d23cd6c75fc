import pg from 'pg';

/** User and route recorded in the audit log for the changes of a transaction. */
export interface Actor {
  /** `null` if the caller is not signed in. */
  readonly userId: number | null;
  /** Name of the token, for callers that are not users. */
  readonly name?: string;
  /** Name of the route in the contract. */
  readonly action: string;
  readonly requestId: string;
  readonly address: string;
}

/**
 * Returns a statement that sets the actor for the current transaction. The setting is reset at the end of the
 * transaction.
 */
export function nameActor({ userId, name = '', action, requestId, address }: Actor): string {
  const settings = Object.entries({
    'app.actor': userId === null ? '' : String(userId),
    'app.actor_name': name,
    'app.action': action,
    'app.request_id': requestId,
    'app.address': address,
  });
  const calls = settings.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`);
  return `SELECT ${calls.join(', ')}`;
}

import pg from 'pg';

/** The user and route that the audit log records for the changes of a transaction. */
export interface Actor {
  /** `null` for callers that are not signed in. */
  readonly userId: number | null;
  /** Name of the token that makes the change, for callers that are not users. */
  readonly name?: string;
  /** Name of the called route in the contract. */
  readonly action: string;
  readonly requestId: string;
  readonly address: string;
}

/** Returns the statement that sets the actor of the running transaction; the setting is reset at its end. */
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

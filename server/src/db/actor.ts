import pg from 'pg';

export interface Actor {
  /** `null` if the caller is not signed in. */
  readonly userId: number | null;
  /** Name of the token, for callers that are not users. */
  readonly name?: string;
  readonly action: string;
  readonly requestId: string;
  readonly address: string;
}

/** Returns the SQL that attributes changes to the actor until the end of the transaction. */
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

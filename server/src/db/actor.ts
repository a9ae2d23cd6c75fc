import pg from 'pg';

/** Whom and what the audit log names for the changes of a transaction. */
export interface Actor {
  /** `null` where nobody has signed in. */
  readonly userId: number | null;
  /** The name of the contract's row that was called. */
  readonly action: string;
  readonly requestId: string;
  readonly address: string;
}

/** The statement that names the actor of the running transaction; it is forgotten at the transaction's end. */
export function nameActor({ userId, action, requestId, address }: Actor): string {
  const settings = Object.entries({
    'app.actor': userId === null ? '' : String(userId),
    'app.action': action,
    'app.request_id': requestId,
    'app.address': address,
  });
  const calls = settings.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`);
  return `SELECT ${calls.join(', ')}`;
}

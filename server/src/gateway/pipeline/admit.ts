import { GatewayError } from '#errors/gateway-error.ts';
import type { RequestJournal } from '../request-journal.ts';
import type { Planned } from './plan.ts';

export interface Admitted extends Planned {
  readonly isAdmitted: true;
}

/** Stage 8: from here on the request ends in exactly one log row, even when this process is killed. */
export async function admit(exchange: Planned, journal: RequestJournal): Promise<Admitted> {
  try {
    await journal.admit(exchange.record);
  } catch (cause) {
    throw new GatewayError('journal_full', 'The gate cannot record requests at the moment. Please retry.', {
      cause,
      retryAfterMs: 5_000,
    });
  }
  return Object.assign(exchange, { isAdmitted: true as const });
}

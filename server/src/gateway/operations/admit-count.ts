import type { Hold } from '../allowance/hold.ts';
import type { Authorized, Held } from '../exchange.ts';
import { limitTokenless } from '../metering/request-limits.ts';
import { type AdmitDeps, describeHold, journalAdmission, noteTarget, take } from '../pipeline/admit.ts';

/** Admits a count of tokens as `admit` does a request for an answer: it takes one of the hour's requests, and gets a row. */
export async function admitCount(exchange: Authorized, deps: AdmitDeps): Promise<Authorized & Held> {
  const { record, targets } = exchange;
  let hold: Hold | null = null;
  try {
    const taken = await take(exchange, limitTokenless(exchange, deps.snapshot), deps);
    hold = taken.hold;
    record.hold = describeHold(hold, 0);
    noteTarget(record, targets[0]);
    await journalAdmission(record, deps.journal);
    return Object.assign(exchange, { hold, attempts: [], outputCap: null });
  } catch (error) {
    if (hold) deps.leases.settle(hold, []);
    record.hold = null;
    throw error;
  }
}

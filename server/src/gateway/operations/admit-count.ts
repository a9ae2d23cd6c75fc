import { type Authorized, addResult, type Held } from '../exchange.ts';
import { limitTokenless } from '../metering/request-limits.ts';
import { type AdmitDeps, journalAdmission, take } from '../pipeline/admit.ts';
import { assembleAdmitted, noCharge, recordHold } from '../request-log/assemble-record.ts';

/** Admits a count of tokens as `admit` does a request for an answer: it takes one of the hour's requests, and gets a row. */
export async function admitCount(exchange: Authorized, deps: AdmitDeps): Promise<Authorized & Held> {
  const { hold } = await take(exchange, limitTokenless(exchange, deps.snapshot), deps);
  try {
    const aimed = addResult(exchange, 'admit', { firstTarget: exchange.targets[0] });
    await journalAdmission(assembleAdmitted(aimed, recordHold(hold, 0), noCharge), deps.journal);
    return addResult(aimed, 'admit', { hold, likelyInputTokens: 0, outputCap: null });
  } catch (error) {
    deps.leases.settle(hold, []);
    throw error;
  }
}

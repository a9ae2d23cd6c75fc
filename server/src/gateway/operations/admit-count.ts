import { type Authorized, addResult, type Held } from '../exchange.ts';
import { limitTokenless } from '../metering/request-limits.ts';
import { type AdmitDeps, journalAdmission, take } from '../pipeline/admit.ts';
import { assembleAdmitted, noCharge, recordHold } from '../request-log/assemble-record.ts';

/** Admits a token count like `admit`: it uses one request of the hourly limit and gets a row. */
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

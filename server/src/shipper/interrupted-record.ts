import { usedOf } from '#domain/allowance/settlement.ts';
import { countInput, sumUse } from '#gateway/metering/charge-usage.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';

/**
 * Returns the record of an admitted request whose worker died. Its provider was probably called with an unknown result,
 * so the input is charged at the cost set on admission.
 */
export function interruptedRecord(admitted: RequestRecord): RequestRecord {
  const { costNanoUsd, hold, isServiceManaged } = admitted;
  const interrupted: RequestRecord = {
    ...admitted,
    status: 'error',
    httpStatus: 500,
    errorCode: 'interrupted',
    errorMessage: 'The gate stopped before this request was finished.',
    isSent: true,
  };
  if (!hold) return interrupted;
  const usage = countInput(hold.inputTokens);
  const use = sumUse({ costNanoUsd, usage }, true, isServiceManaged);
  const parts = hold.parts.map((part) => ({ ...part, used: usedOf(part.kind, use) }));
  return { ...interrupted, usage, usageSource: 'estimated', hold: { ...hold, parts } };
}

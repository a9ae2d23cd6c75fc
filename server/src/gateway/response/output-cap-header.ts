import type { AllowanceKind } from '#domain/allowance/kind.ts';
import type { Hold } from '../allowance/hold.ts';
import type { AnswerHead } from './answer-head.ts';

/** Adds the limit that allows a shorter response than the request did, and the number of tokens. */
export function setOutputCapHeader(
  head: AnswerHead,
  hold: Hold,
  outputCap: number | null,
  { ceiling }: { readonly ceiling: number },
): void {
  if (outputCap !== null && outputCap < ceiling)
    head.set('x-sluice-output-cap', `${outputCap}; limit=${findTightest(hold)}`);
}

/**
 * A response is granted at least a quarter of what is left, so a limit with more left than that did not shorten it.
 */
const restMax = 3;

function findTightest({ parts }: Hold): AllowanceKind {
  const limited = parts.filter(({ lease }) => lease.key.kind !== 'requests_per_hour' && !lease.isUnlimited);
  const ofTokens = limited.filter(({ lease }) => lease.key.kind !== 'credits');
  const [tightest] = ofTokens.toSorted((one, other) => one.lease.left - other.lease.left);
  const isCut =
    tightest && (ofTokens.length === limited.length || tightest.lease.left <= restMax * tightest.amount);
  return isCut ? tightest.lease.key.kind : 'credits';
}

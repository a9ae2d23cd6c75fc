import type { AllowanceKind } from '#domain/allowance/kind.ts';
import type { Hold } from '../allowance/hold.ts';
import type { AnswerHead } from './answer-head.ts';

/** Tells the caller which limit allows a shorter answer than the request did, and how many tokens. */
export function setOutputCapHeader(
  head: AnswerHead,
  hold: Hold,
  outputCap: number | null,
  { ceiling }: { readonly ceiling: number },
): void {
  if (outputCap !== null && outputCap < ceiling)
    head.set('x-sluice-output-cap', `${outputCap}; limit=${findTightest(hold)}`);
}

/** An answer takes at least a quarter of what is left: a limit of which more is left than that has not cut it. */
const restMax = 3;

function findTightest({ parts }: Hold): AllowanceKind {
  const limited = parts.filter(({ lease }) => lease.key.kind !== 'requests_per_hour' && !lease.isUnlimited);
  const ofTokens = limited.filter(({ lease }) => lease.key.kind !== 'credits');
  const [tightest] = ofTokens.toSorted((one, other) => one.lease.left - other.lease.left);
  const isCut =
    tightest && (ofTokens.length === limited.length || tightest.lease.left <= restMax * tightest.amount);
  return isCut ? tightest.lease.key.kind : 'credits';
}

import type { Charge } from '../exchange.ts';
import type { AnswerHead } from './answer-head.ts';

/** Tells the caller what its request has cost, where that is known before the answer leaves. */
export function setCostHeader({ costNanoUsd }: Charge, head: AnswerHead): void {
  if (costNanoUsd !== null) head.set('x-sluice-cost', formatUsd(costNanoUsd));
}

/** Dollars in digits, as a header takes them: `0.000123`. */
function formatUsd(nanoUsd: string): string {
  const digits = nanoUsd.padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}

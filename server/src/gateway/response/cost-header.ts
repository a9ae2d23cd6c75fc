import type { Charge } from '../exchange.ts';
import type { AnswerHead } from './answer-head.ts';

/** Adds the cost of the request, if known before the response is sent. */
export function setCostHeader({ costNanoUsd }: Charge, head: AnswerHead): void {
  if (costNanoUsd !== null) head.set('x-sluice-cost', formatUsd(costNanoUsd));
}

/** Formats dollars as a decimal header value: `0.000123`. */
function formatUsd(nanoUsd: string): string {
  const digits = nanoUsd.padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}

import type { ServerResponse } from 'node:http';
import type { Charge } from '../exchange.ts';

/** Tells the caller what its request has cost, where that is known before the answer leaves. */
export function setCostHeader({ costNanoUsd }: Charge, response: ServerResponse): void {
  if (costNanoUsd !== null) response.setHeader('x-sluice-cost', formatUsd(costNanoUsd));
}

/** Dollars in digits, as a header takes them: `0.000123`. */
function formatUsd(nanoUsd: string): string {
  const digits = nanoUsd.padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}

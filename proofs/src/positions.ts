import {
  type BilledPosition,
  billedProtocols,
  billPositions,
  longText,
} from '#test/requests/billed-positions.ts';
import type { ProofResult } from './proof.ts';

/** Inserts a long text into each field of a request in each protocol, and checks the hold and the charge. */
export async function provePositions(): Promise<ProofResult> {
  const billed = await billPositions();
  return {
    title: 'text is held and charged at every position of a request',
    holds: billed.every(({ faults }) => faults.length === 0),
    text: describe(billed),
  };
}

function describe(billed: readonly BilledPosition[]): string {
  const served = billed.filter(({ charged }) => charged !== null);
  return `${longText.length} bytes of English text are put into every string of every recorded request, every request of coding tools and every request of
the tests, and into an unknown field of each of their objects; base64 media are left unchanged. The product
forwards these requests to a provider of the same protocol, which reports the tokens of the text (vocabulary
o200k) and a few more. At least the tokens of the text must be held, and all tokens that the provider reports must be charged. Rejected requests must not
reach a provider.

${served.length} positions are served, ${billed.length - served.length} refused.

${billedProtocols.map((protocol) => describeProtocol(billed, protocol)).join('\n\n')}`;
}

function describeProtocol(billed: readonly BilledPosition[], protocol: string): string {
  const rows = billed.filter((one) => one.protocol === protocol).map(formatRow);
  return `| ${protocol} | bytes sent | tokens reported | held | charged |
|---|---|---|---|---|
${rows.join('\n')}`;
}

function formatRow({ name, bytes, reported, held, charged, status, faults }: BilledPosition): string {
  const figures = charged === null ? [`refused, ${status}`, '', ''] : [reported, held, charged];
  const mark = faults.length > 0 ? ` **${faults.join('; ')}**` : '';
  return `| \`${name}\`${mark} | ${[bytes, ...figures].join(' | ')} |`;
}

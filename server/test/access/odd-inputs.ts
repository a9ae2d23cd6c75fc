import { pathOf, type RouteRow } from '@sluice/contract';
import { z } from 'zod';
import { oddValues, putOddValues } from '#protocols/testing/odd-values.ts';
import { type Attempt, createPreparer } from './attempts.ts';
import { callerKinds, mightiest } from './callers.ts';
import type { World } from './world.ts';

/** Request with a value that would cause an error in code without validation. */
export interface OddRequest {
  readonly path: string;
  readonly body: string | null;
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
}

/** Malformed values for a path or query, already percent-encoded. */
const oddWords = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    '%00',
    '%ED%A0%80',
    '%FF',
    '%25',
    '..%2F..',
  ],
  ...[
    '-1',
    '0',
    '1e400',
    'NaN',
    '0x10',
    '9'.repeat(40),
    'null',
    'true',
    '%5B%5D',
    '%7B%7D',
    "'%22%60",
    '%F0%9F%98%80',
  ],
  ...['2026-13-45', '2026-02-30', '-271821-04-20', '+275760-09-13T00:00:00.000Z', 'a'.repeat(3_000)],
];

export function* makeOddRequests(
  row: RouteRow,
  { id, input }: Pick<Attempt, 'id' | 'input'>,
): Generator<OddRequest> {
  const pathWith = (word: string) => pathOf(row).replace(/\{.*\}/, word);
  const query = new URLSearchParams(input.query);
  const address = `${pathWith(id ?? '')}${query.size > 0 ? `?${query}` : ''}`;
  const body = JSON.stringify(input.body ?? null);
  const type = row.request?.form ? 'application/x-www-form-urlencoded' : 'application/json';
  const form = new URLSearchParams(input.form).toString();
  const sent = row.request?.form ? form : input.body ? body : null;
  if (id !== null || pathOf(row).includes('{'))
    for (const word of oddWords) yield { path: pathWith(word), body: sent, type };
  for (const name of [...fieldsOf(row.request?.query), '__proto__', 'constructor'])
    for (const word of [...oddWords, `1&${name}=2`, `&${name}[a]=1`])
      yield { path: withParameter(address, name, word), body: sent, type };
  for (const name of fieldsOf(row.request?.form))
    for (const word of oddWords) yield { path: address, body: `${form}&${name}=${word}`, type };
  if (!row.request?.body) return;
  const whole = {
    ...Object.fromEntries(fieldsOf(row.request.body).map((name) => [name, undefined])),
    ...input.body,
  };
  for (const text of putOddValues(whole)) yield { path: address, body: text, type };
  for (const name of fieldsOf(row.request.body))
    for (const odd of oddValues)
      yield { path: address, body: `{${JSON.stringify(name)}:${odd},${body.slice(1)}`, type };
}

function withParameter(address: string, name: string, word: string): string {
  const [path = '', query = ''] = address.split('?');
  const others = query.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`));
  return `${path}?${[...others, `${name}=${word}`].join('&')}`;
}

function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

interface OddRun {
  readonly world: World;
  readonly origin: string;
  readonly rowName: string;
  readonly row: RouteRow;
  /** Number of malformed requests to send, evenly spaced. Defaults to all. */
  readonly sampled?: number;
}

/** Returns the responses that indicate a server error. */
export async function sendOddRequests({
  world,
  origin,
  rowName,
  row,
  sampled = Number.POSITIVE_INFINITY,
}: OddRun): Promise<{ readonly sent: number; readonly faults: readonly string[] }> {
  const kind = callerKinds.find(({ name }) => name === mightiest[row.surface]);
  const [attempt] = kind ? await createPreparer(world)({ rowName, row, kind }) : [];
  if (!attempt) throw new Error(`there is no request for ${rowName}`);
  const all = [...makeOddRequests(row, attempt)];
  const step = Math.max(1, Math.floor(all.length / sampled));
  const chosen = all.filter((_, index) => index % step === 0);
  const faults: string[] = [];
  for (const request of chosen) {
    const status = await sendOne(origin, row, request, attempt.caller.authorization);
    if (!isHonest(status))
      faults.push(`${status}: ${row.method} ${request.path} ${request.body ?? ''}`.slice(0, 1_000));
  }
  return { sent: chosen.length, faults };
}

/**
 * Accepts 501 because it is declared, 502 because the sandbox returns it, and 503 because not everything is
 * configured here.
 */
function isHonest(status: number): boolean {
  return status < 500 || (status > 500 && status <= 503);
}

async function sendOne(
  origin: string,
  { method }: RouteRow,
  { path, body, type }: OddRequest,
  authorization: string | null,
): Promise<number> {
  const hasBody = body !== null && method !== 'GET';
  const response = await fetch(origin + path, {
    method,
    headers: { ...(authorization && { authorization }), ...(hasBody && { 'content-type': type }) },
    ...(hasBody && { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

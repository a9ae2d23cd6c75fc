import type { NodeFleet, Person } from '../processes/node-fleet.ts';
import { pacedModel } from '../processes/node-fleet.ts';
import { createRowReader } from '../requests/request-rows.ts';

export const endings = {
  'revoked key': 'the API key was revoked',
  'blocked user': 'the account was blocked: a test',
  'deactivated user': 'the account was deactivated',
} as const;
export type Ending = keyof typeof endings;

export interface WithdrawnStream {
  readonly kind: Ending;
  /** Milliseconds from the response to the change until the end of the stream. */
  readonly endedAfterMs: number;
  readonly faults: readonly string[];
  readonly tokensGenerated: number;
  readonly tokensCharged: number;
}

const tokensOnTheWay = 20;

/**
 * Opens streams of different users on all nodes, revokes permissions at the first node, and checks how the streams
 * end.
 */
export async function withdrawStreams(fleet: NodeFleet, count: number): Promise<WithdrawnStream[]> {
  const kinds = Object.keys(endings) as Ending[]; // safe because the keys are those of this file's own table
  const people: Person[] = [];
  while (people.length < count) people.push(await fleet.addPerson());
  const opened = await Promise.all(
    people.map(async (person, index) => {
      const node = fleet.nodes[index % fleet.nodes.length];
      const kind = kinds[Math.floor(index / fleet.nodes.length) % kinds.length] ?? 'revoked key';
      return { kind, person, stream: await openStream(node?.origin ?? '', person) };
    }),
  );
  const judging: Promise<WithdrawnStream>[] = [];
  for (const { kind, person, stream } of opened) {
    const askedAtMs = performance.now();
    await fleet.takeAway(kind, person);
    judging.push(judge(fleet, kind, askedAtMs, stream));
  }
  return Promise.all(judging);
}

interface OpenStream {
  readonly id: string;
  /** Received text and end time of the stream. Pending until the stream ends. */
  readonly end: Promise<{ received: string; atMs: number }>;
}

async function openStream(origin: string, { apiKey }: Person): Promise<OpenStream> {
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: pacedModel,
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (response.status !== 200 || !reader)
    throw new Error(`a stream was rejected with status ${response.status}`);
  let received = (await reader.read()).value ?? '';
  const readOn = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value;
    return { received, atMs: performance.now() };
  };
  const end = readOn();
  // Prevents an unhandled rejection if something else fails first.
  end.catch(() => undefined);
  return { id: response.headers.get('x-request-id') ?? '', end };
}

async function judge(
  { pool, sandbox }: NodeFleet,
  kind: Ending,
  askedAtMs: number,
  { id, end }: OpenStream,
): Promise<WithdrawnStream> {
  const { received, atMs } = await end;
  const row = await createRowReader(pool).waitForRow(id);
  const billed = await sandbox.journal.waitFor(({ requestId }) => requestId === id);
  const lastFrame = received.trimEnd().split('\n\n').at(-1) ?? '';
  // The gateway counts the received text, whose token count may differ from the provider's.
  const isChargeNear =
    row.completion_tokens >= (billed.completionTokens - tokensOnTheWay) / 2 &&
    row.completion_tokens <= billed.completionTokens * 2;
  const checks = {
    'the last frame does not contain the reason': lastFrame.includes(endings[kind]),
    'the stream is closed as if it were complete': !received.includes('[DONE]'),
    'the row does not contain the reason': row.error_code === 'access_withdrawn',
    'the provider was not cut off': billed.outcome === 'client_closed',
    'the charge is not near the output': isChargeNear && row.prompt_tokens > 0,
  };
  return {
    kind,
    endedAfterMs: atMs - askedAtMs,
    faults: Object.entries(checks).flatMap(([fault, isFine]) => (isFine ? [] : [fault])),
    tokensGenerated: billed.completionTokens,
    tokensCharged: row.completion_tokens,
  };
}

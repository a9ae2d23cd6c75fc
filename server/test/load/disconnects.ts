import { setTimeout as pause } from 'node:timers/promises';
import { type JournalEntry, type Sandbox, startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { protocols } from '#protocols/registry.ts';
import { type Audit, auditAccounts } from '../database/audit-accounts.ts';
import { createSluice } from '../processes/sluice-process.ts';
import { costAtPrice, openPaidService } from '../providers/paid-service.ts';
import { replayStream } from '../providers/replay-stream.ts';
import { createRowReader, type RequestRow, type RowReader } from '../requests/request-rows.ts';
import { type LeaveOptions, type Leaving, leaveAtByte } from './leave-at-byte.ts';

const intervalMs = 20;
const answerTokens = 25;
const model = `sandbox-normal:tokens=${answerTokens},first_byte_ms=40,interval_ms=${intervalMs}`;
const abortLimitMs = 1_000;
const atOnce = 12;

export const places = [
  'before the first byte',
  'inside a frame',
  'between two frames',
  'in the last frames',
  'after the end mark',
] as const;
export type Place = (typeof places)[number];

export const routes = {
  'passed through': { caller: 'openai-chat', providerKey: 'custom' },
  'anthropic to openai': { caller: 'anthropic-messages', providerKey: 'custom' },
  'openai to anthropic': { caller: 'openai-chat', providerKey: 'anthropic' },
} as const;
export type RouteName = keyof typeof routes;
type CallerName = (typeof routes)[RouteName]['caller'];

export interface Departure {
  readonly route: RouteName;
  readonly place: Place;
  /** Tokens that were charged, and tokens that the provider generated before its connection was closed. */
  readonly charged: number;
  readonly generated: number;
  /** Time from the disconnect to the end of the provider's response, in milliseconds; 0 for complete responses. */
  readonly cutMs: number;
  readonly faults: readonly string[];
}

export interface DisconnectSubject {
  /**
   * Disconnects callers at the given number of positions, spread over all routes and the whole length of their
   * responses.
   */
  leave(positions: number): Promise<Departure[]>;
  /** Checks that all accounts agree and that all slots of one user are available again. */
  audit(): Promise<Audit>;
  remove(): Promise<void>;
}

/** The simulated provider runs in this process. */
export async function createDisconnectSubject(): Promise<DisconnectSubject> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const sluice = await createSluice({
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    SLUICE_CONCURRENCY: String(atOnce),
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const service = await openPaidService(sluice);
  for (const providerKey of ['custom', 'anthropic'])
    await service.addInstance({
      name: providerKey,
      providerKey,
      endpoint: providerKey === 'custom' ? `${sandbox.origin}/v1` : sandbox.origin,
      models: [model],
    });
  await service.recharge(1_000);
  const quotas = { requests_per_hour: 100_000, daily_quota: 10_000_000, monthly_quota: 100_000_000 };
  const { apiKey } = await service.addUser('leaver', quotas);
  await untilKnown(sluice.origin, apiKey);
  const pool = new pg.Pool({ connectionString: sluice.connectionString(), max: 2 });
  pool.on('error', () => undefined);
  cleanup.defer(() => pool.end());
  const stage = { port: Number(new URL(sluice.origin).port), apiKey, sandbox, rows: createRowReader(pool) };
  const running = cleanup.move();
  return {
    leave: (positions) => leaveEverywhere(stage, positions),
    async audit() {
      const full = await Promise.all(Array.from({ length: atOnce }, () => stayToTheEnd(stage)));
      const client = await pool.connect();
      try {
        const { faults, resolvedMs } = await auditAccounts(client, 1);
        return { faults: [...full.flat(), ...faults], resolvedMs };
      } finally {
        client.release();
      }
    },
    remove: () => running.disposeAsync(),
  };
}

async function untilKnown(origin: string, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  while (!(await fetch(`${origin}/api/v1/models`, { headers })).ok) await pause(50);
}

interface Stage {
  readonly port: number;
  readonly apiKey: string;
  readonly sandbox: Sandbox;
  readonly rows: RowReader;
}

let calls = 0;

async function leaveEverywhere(stage: Stage, positions: number): Promise<Departure[]> {
  const names = Object.keys(routes) as RouteName[]; // safe because the keys are those of RouteName
  const lengths = new Map<RouteName, number>();
  for (const name of names) lengths.set(name, await measure(stage, name));
  const planned = Array.from({ length: positions }, (_, index): Position => {
    const route = names[index % names.length] ?? 'passed through';
    const share = Math.floor(index / names.length) / Math.max(1, Math.ceil(positions / names.length) - 1);
    const toEventEnd = Math.floor(index / names.length) % 4 === 3;
    return { route, bytes: pickPosition(lengths.get(route) ?? 0, share), toEventEnd };
  });
  const departures: Departure[] = [];
  const leaver = async () => {
    for (let next = planned.pop(); next; next = planned.pop()) departures.push(await leaveOnce(stage, next));
  };
  await Promise.all(Array.from({ length: atOnce }, leaver));
  return departures;
}

const endBytes = 400;

/**
 * `share` runs from 0 to 1 over all callers. The first 10% disconnect before the first byte, the last 30% near the
 * end, all others in between.
 */
function pickPosition(length: number, share: number): number {
  if (share < 0.1) return 0;
  if (share < 0.7) return Math.max(1, Math.round(((share - 0.1) / 0.6) * (length - endBytes)));
  return Math.round(length - endBytes * ((1 - share) / 0.3) ** 2);
}

async function measure({ apiKey, port }: Stage, route: RouteName): Promise<number> {
  const { body, rawBytes } = await leaveAtByte(port, describeCall(route, apiKey, `measure-${calls++}`), {
    bytes: Number.POSITIVE_INFINITY,
  });
  if (body === null || !hasAll(routes[route].caller, body)) throw new Error(`incomplete response: ${body}`);
  return rawBytes;
}

async function stayToTheEnd({ apiKey, port }: Stage): Promise<string[]> {
  const { body } = await leaveAtByte(port, describeCall('passed through', apiKey, `stay-${calls++}`), {
    bytes: Number.POSITIVE_INFINITY,
  });
  return body !== null && hasAll('openai-chat', body) ? [] : ['a slot was not released'];
}

interface Position extends LeaveOptions {
  readonly route: RouteName;
}

async function leaveOnce(stage: Stage, { route, ...position }: Position): Promise<Departure> {
  const { apiKey, port, rows, sandbox } = stage;
  const clientRequestId = `leave-${calls++}`;
  const waitMs = Math.random() * 80;
  const leaving = await leaveAtByte(port, describeCall(route, apiKey, clientRequestId), {
    ...position,
    waitMs,
  });
  const row = await rows.waitForRowOf(clientRequestId);
  const entry = row.attempts > 0 ? await untilEnded(sandbox, row) : null;
  return judge(route, leaving, row, entry);
}

/** Returns `null` if the provider never received the request because the caller disconnected first. */
async function untilEnded({ journal }: Sandbox, { id }: RequestRow): Promise<JournalEntry | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, 2 * abortLimitMs, null));
  return Promise.race([journal.waitFor(({ requestId }) => requestId === id), late]);
}

function judge(
  route: RouteName,
  { body, leftAtMs }: Leaving,
  row: RequestRow & { cost_nano_usd?: string | null },
  entry: JournalEntry | null,
): Departure {
  const { caller, providerKey } = routes[route];
  const charged = row.completion_tokens;
  const generated = entry?.completionTokens ?? 0;
  const received = body === null ? 0 : countReceived(caller, body);
  const isCut = entry?.outcome === 'client_closed';
  const cutMs = isCut ? entry.endedAt - leftAtMs : 0;
  // The provider continues until its connection is closed: at most one frame per interval, and one frame in transit
  // to the gateway.
  const unseenMax = 1 + (isCut ? Math.ceil(Math.max(0, cutMs) / intervalMs) : 0);
  const hadAll = body !== null && hasAll(caller, body);
  const cost = costAtPrice(row.prompt_tokens, charged);
  const statuses = hadAll ? ['success'] : isCut || !entry ? ['client_closed'] : ['client_closed', 'success'];
  // Anthropic reports input tokens first.
  const isTold = row.usage_source === 'provider' || (providerKey === 'anthropic' && charged > 0);
  const toldPrompt = entry && isTold ? entry.promptTokens : null;
  const claims: [boolean, string][] = [
    [statuses.includes(row.status), `is ${row.status}, not ${statuses}`],
    [
      row.status !== 'success' || row.usage_source === 'provider',
      `is estimated although the response was complete`,
    ],
    [charged <= generated, 'is charged for more than was generated'],
    [charged >= received, `is not charged for all ${received} tokens that were received`],
    [charged >= generated - unseenMax, 'is charged for less than was generated'],
    [BigInt(row.cost_nano_usd ?? 0) === cost, `costs ${row.cost_nano_usd}, not ${cost}`],
    [toldPrompt === null || row.prompt_tokens === toldPrompt, `has ${row.prompt_tokens} tokens of input`],
    [cutMs <= abortLimitMs, `was cut off after ${cutMs} ms`],
  ];
  const label = `${row.client_request_id} (${row.usage_source}, ${charged} of ${generated} tokens)`;
  const faults = claims.flatMap(([holds, fault]) => (holds ? [] : [`${label} ${fault}`]));
  return { route, place: findPlace(caller, body), charged, generated, cutMs, faults };
}

function describeCall(route: RouteName, apiKey: string, clientRequestId: string): string {
  const { caller, providerKey } = routes[route];
  const body = JSON.stringify({
    model: `${providerKey}/${model}`,
    messages: [{ role: 'user', content: 'Hello there' }],
    stream: true,
    max_tokens: 100,
  });
  return [
    `POST ${caller === 'openai-chat' ? '/api/v1/chat/completions' : '/api/v1/messages'} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${apiKey}`,
    `x-request-id: ${clientRequestId}`,
    'anthropic-version: 2023-06-01',
    'content-type: application/json',
    'connection: close',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

const endMarks: Record<CallerName, string> = {
  'openai-chat': 'data: [DONE]\n\n',
  'anthropic-messages': 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
};

const hasAll = (caller: CallerName, body: string) => body.endsWith(endMarks[caller]);

function findPlace(caller: CallerName, body: string | null): Place {
  if (body === null || body === '') return 'before the first byte';
  if (hasAll(caller, body)) return 'after the end mark';
  if (countReceived(caller, body) === answerTokens) return 'in the last frames';
  return body.endsWith('\n\n') ? 'between two frames' : 'inside a frame';
}

/**
 * Returns the number of tokens in the complete frames that the caller received. The provider sends one token per
 * frame.
 */
function countReceived(caller: CallerName, body: string): number {
  const whole = body.slice(0, body.lastIndexOf('\n\n') + 2);
  const events = replayStream(protocols[caller].provider, Buffer.from(whole, 'latin1'));
  return events.filter((event) => event.type === 'text-delta' && event.text !== '').length;
}

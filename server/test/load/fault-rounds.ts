import { setTimeout as pause } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { auditAccounts } from '../database/audit-accounts.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../database/database-proxy.ts';
import {
  type Fault,
  type FaultProxy,
  type FaultyLink,
  garbledBytesMax,
  startFaultProxy,
} from '../processes/fault-proxy.ts';
import { createRandom, pickOne } from '../processes/seeded-random.ts';
import { createSluice, type SluiceProcess } from '../processes/sluice-process.ts';
import { signIn } from '../providers/outside-provider.ts';
import { openPaidService } from '../providers/paid-service.ts';
import { type Dialect, dialectNames, writeDialectRequest } from '../requests/dialects.ts';
import { type CallEnd, type OfferedCall, offerLoad } from './offered-load.ts';

export const linkNames = ['caller-node', 'node-provider', 'node-database', 'shipper-database'] as const;
export type LinkName = (typeof linkNames)[number];

const always = () => true;
const isShipper = (firstBytes: Buffer) => firstBytes.includes('sluice-shipping');
const slow = ['latency', 'single bytes', 'cut', 'half-close', 'stall'] as const;
/** Bytes change only on the link to a provider, since TCP detects changes within the gateway's own network. */
const links: Record<LinkName, FaultyLink> = {
  'caller-node': { name: 'caller-node', isOf: always, faults: slow, chance: 0.05 },
  'node-provider': { name: 'node-provider', isOf: always, faults: [...slow, 'garble'], chance: 0.05 },
  'node-database': {
    name: 'node-database',
    isOf: (firstBytes) => !isShipper(firstBytes),
    faults: [...slow, 'cut after commit'],
    chance: 0.3,
  },
  'shipper-database': {
    name: 'shipper-database',
    isOf: isShipper,
    faults: [...slow, 'cut after commit'],
    chance: 0.3,
  },
};

export interface FaultFigures {
  readonly link: LinkName;
  readonly seed: string;
  readonly calls: number;
  readonly known: number;
  readonly begun: number;
  /** Number of calls by status. `none` counts calls without a response. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Errors with status 500 or above and no error code, and calls that timed out. */
  readonly unnamed: readonly string[];
  readonly hung: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly faults: readonly string[];
  readonly ended: number;
  /** Milliseconds from the last fault until the node was ready and ten consecutive calls succeeded. */
  readonly recoveryMs: number;
}

export interface FaultSubject {
  runRound(link: LinkName, seed: string, harmMs: number): Promise<FaultFigures>;
  remove(): Promise<void>;
}

interface FaultParts {
  readonly sandbox: Sandbox;
  readonly sluice: SluiceProcess;
  readonly databaseUrl: string;
  readonly proxies: Readonly<Record<LinkName, FaultProxy>>;
  readonly authorization: string;
}

const models = ['sandbox-normal', 'sandbox-normal:tokens=30,interval_ms=10'] as const;
const ratePerSecond = 60;
const callLimitMs = 20_000;
const shipLimitMs = 30_000;
const recoveryLimitMs = 60_000;

/** Starts the product with a fault proxy between each pair of its parts. The database may be empty. */
export async function createFaultSubject(databaseUrl: string): Promise<FaultSubject> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const database: DatabaseProxy = await startDatabaseProxy(databaseUrl, [
    links['shipper-database'],
    links['node-database'],
  ]);
  cleanup.defer(() => database.close());
  const providerPort = Number(new URL(sandbox.origin).port);
  const provider = await startFaultProxy({ host: '127.0.0.1', port: providerPort }, [links['node-provider']]);
  cleanup.defer(() => provider.close());
  const sluice = await createSluice({
    DATABASE_URL: database.connectionString,
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    LOG_LEVEL: 'silent',
  });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const port = Number(new URL(sluice.origin).port);
  const callers = await startFaultProxy({ host: '127.0.0.1', port }, [links['caller-node']]);
  cleanup.defer(() => callers.close());
  const service = await openPaidService(sluice);
  const origin = `http://127.0.0.1:${provider.port}`;
  for (const providerKey of ['custom', 'anthropic'])
    await service.addInstance({
      name: providerKey,
      providerKey,
      endpoint: providerKey === 'custom' ? `${origin}/v1` : origin,
      models: [...models],
    });
  await service.recharge(1_000);
  const proxies = {
    'caller-node': callers,
    'node-provider': provider,
    'node-database': database,
    'shipper-database': database,
  };
  const { authorization = '' } = (await signIn(sluice)).headers();
  const parts = { sandbox, sluice, databaseUrl, proxies, authorization };
  const running = cleanup.move();
  let rounds = 0;
  return {
    runRound: (link, seed, harmMs) => runRound(parts, { link, seed, harmMs, name: `faults-${rounds++}` }),
    remove: () => running.disposeAsync(),
  };
}

interface Round {
  readonly link: LinkName;
  readonly seed: string;
  readonly harmMs: number;
  readonly name: string;
}

async function runRound(parts: FaultParts, round: Round): Promise<FaultFigures> {
  const { proxies, sandbox, sluice } = parts;
  const { harmMs, link, name, seed } = round;
  sandbox.journal.clear();
  const pids = listPids(sluice);
  const proxy = proxies[link];
  const begunBefore = sumOf(proxy.begun);
  const callers = createCallers(parts, name, seed);
  const load = offerLoad({
    port: proxies['caller-node'].port,
    ratePerSecond,
    connectionsMax: 500,
    durationMs: harmMs + 1_000,
    answerLimitMs: callLimitMs,
    next: callers.next,
    onEnd: callers.note,
  });
  proxy.harm(link, seed);
  // Intentional delay: the duration of the faults.
  await pause(harmMs);
  proxy.calm();
  const recoveryMs = await untilRecovered(sluice);
  await load;
  const { answered, ...told } = callers.figures();
  const known = new Set(answered);
  for (const { requestId } of sandbox.journal.entries()) if (requestId !== null) known.add(requestId);
  return {
    link,
    seed,
    begun: sumOf(proxy.begun) - begunBefore,
    known: known.size,
    ...told,
    recoveryMs,
    ...(await readBooks(parts, round, known)),
    ended: new Set(pids).difference(new Set(listPids(sluice))).size,
  };
}

const listPids = (sluice: SluiceProcess) => [
  ...sluice.pids('workers'),
  ...sluice.pids('shippers'),
  ...sluice.pids('supervisor'),
];

const sumOf = (counts: ReadonlyMap<Fault, number>) => counts.values().reduce((sum, count) => sum + count, 0);

interface Call extends OfferedCall {
  readonly dialect: Dialect | 'console';
}

/** Share of calls to the console. Unlike most other calls, each of them queries the database. */
const consoleShare = 0.2;

function createCallers({ authorization, sluice: { apiKey } }: FaultParts, name: string, seed: string) {
  const random = createRandom(`${seed} callers`);
  const answered: string[] = [];
  const statuses: Record<string, number> = {};
  const unnamed: string[] = [];
  let asked = 0;
  let calls = 0;
  let hung = 0;
  return {
    next(): Call {
      calls++;
      if (random() < consoleShare) return { dialect: 'console', request: writeConsoleRequest(authorization) };
      const dialect = pickOne(random, dialectNames);
      const model = `${pickOne(random, ['custom', 'anthropic'])}/${pickOne(random, models)}`;
      const clientRequestId = `${name}-${asked++}`;
      const stream = random() < 0.5;
      return {
        dialect,
        request: writeDialectRequest({
          dialect,
          model,
          stream,
          apiKey,
          clientRequestId,
          content: 'Hello there',
        }),
      };
    },
    note({ dialect }: Call, { id, refusal, status, tookMs }: CallEnd) {
      if (status === 200 && id !== null && dialect !== 'console') answered.push(id);
      const isNamed = dialect === 'console' ? status === 503 : refusal !== null && namesCode(refusal);
      if (refusal !== null && status !== null && status >= 500 && !isNamed)
        unnamed.push(`${dialect}: ${refusal}`);
      if (status === null && tookMs >= callLimitMs) hung++;
      statuses[String(status ?? 'none')] = (statuses[String(status ?? 'none')] ?? 0) + 1;
    },
    figures: () => ({ answered, statuses, unnamed, hung, calls }),
  };
}

const writeConsoleRequest = (authorization: string) =>
  `GET /api/v1/admin/users HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`;

/**
 * Whether an error response contains an error code. Also true for a truncated response, since its code may be
 * missing.
 */
function namesCode(refusal: string): boolean {
  const [head = '', ...body] = refusal.split('\r\n\r\n');
  const length = Number(/content-length: *(\d+)/i.exec(head)?.[1]);
  if (Buffer.byteLength(body.join(''), 'latin1') < length) return true;
  return /"(code|type|reason)": ?"(?!internal_error|INTERNAL_ERROR)\w+"/.test(body.join(''));
}

async function untilRecovered({ apiKey, origin }: SluiceProcess): Promise<number> {
  const startedMs = performance.now();
  for (let served = 0; served < 10 && performance.now() - startedMs < recoveryLimitMs; ) {
    const [ready, answer] = await Promise.all([
      fetch(`${origin}/readyz`).then(({ ok }) => ok),
      fetch(`${origin}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: `custom/${models[0]}`, messages: [{ role: 'user', content: 'Hi' }] }),
        signal: AbortSignal.timeout(recoveryLimitMs),
      }).then(async (response) => ((await response.text()) === '' ? 0 : response.status)),
    ]).catch(() => [false, 0] as const);
    served = ready && answer === 200 ? served + 1 : 0;
    await pause(20);
  }
  return performance.now() - startedMs;
}

interface Row {
  readonly id: string;
  readonly client_request_id: string | null;
  readonly status: string;
  readonly completion_tokens: number;
}

async function readBooks(
  { databaseUrl, sandbox }: FaultParts,
  { name, link }: Round,
  known: ReadonlySet<string>,
) {
  const database = new pg.Client({ connectionString: databaseUrl });
  database.on('error', () => undefined);
  await database.connect();
  try {
    const rows = await readRows(database, known);
    const { faults } = await auditAccounts(database, 1);
    const mayBeGarbled = links[link].faults.includes('garble');
    const names = rows.flatMap((row) => row.client_request_id ?? []).filter((one) => one.startsWith(name));
    return {
      lost: [...known.difference(new Set(rows.map(({ id }) => id)))],
      doubled: names.filter((one, place) => names.indexOf(one) !== place),
      faults: [...faults, ...findOvercharged(rows, sandbox, mayBeGarbled)],
    };
  } finally {
    await database.end();
  }
}

async function readRows(database: pg.Client, known: ReadonlySet<string>): Promise<Row[]> {
  for (const endsAtMs = performance.now() + shipLimitMs; ; await pause(100)) {
    const { rows } = await database.query<Row>(
      `SELECT id, client_request_id, status, completion_tokens FROM request_logs
       WHERE received_at > now() - interval '10 minutes'`,
    );
    if (known.isSubsetOf(new Set(rows.map(({ id }) => id))) || performance.now() > endsAtMs) return rows;
  }
}

/** Maximum token count of a garbled word that the provider counted as one token. */
const garbledWordTokensMax = 8;

/**
 * Returns overcharged requests. A success is charged the tokens of exactly one of its attempts, any other request at
 * most those of all attempts. A changed byte may alter the reported tokens, or break the report, so that the changed
 * text is counted.
 */
function findOvercharged(rows: readonly Row[], { journal }: Sandbox, mayBeGarbled: boolean): string[] {
  const extraMax = garbledBytesMax * garbledWordTokensMax;
  const attempts = Map.groupBy(journal.entries(), ({ requestId }) => requestId);
  return rows.flatMap(({ id, status, completion_tokens: charged }) => {
    const generated = attempts.get(id)?.map(({ completionTokens }) => completionTokens);
    if (!generated) return [];
    const sum = generated.reduce((total, tokens) => total + tokens, 0);
    const digitsMax = 10 ** String(Math.max(...generated)).length - 1;
    const isRight = mayBeGarbled
      ? charged <= Math.max(digitsMax, sum + extraMax)
      : status === 'success'
        ? generated.includes(charged)
        : charged <= sum;
    return isRight ? [] : [`${id} (${status}) is charged ${charged} tokens of ${generated.join(' + ')}`];
  });
}

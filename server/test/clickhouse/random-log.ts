import type pg from 'pg';
import { compressText } from '#domain/compressed-text.ts';
import { addPerson, addTenant } from '#test/console/console.ts';

/** Random number generator with results from 0 (inclusive) to 1 (exclusive), like those of `createRandom`. */
export type Random = () => number;

export const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  // safe because callers pass at least one value
  values[Math.floor(random() * values.length)] as Value;

/** Texts that differ in case, marks, and characters with a special meaning in patterns or JSON. */
export const words = [
  ...[
    'webhook',
    'WEBHOOK',
    'Straße',
    'STRASSE',
    'naïve',
    'NAÏVE',
    'İstanbul',
    'istanbul',
    'ΣΊΣΥΦΟΣ',
    'σίσυφος',
  ],
  ...[
    '100%',
    'snake_case',
    'C:\\temp',
    "it's",
    '"quoted"',
    'ab\ncd',
    'tab\tbed',
    '日本語',
    '🦊 fox',
    'ﬁ ligature',
    'ﬀ',
  ],
  ...['zebrafinch', 'ÅNGSTRÖM', 'ångström', 'Ǆ', 'ǆ', 'ẞ', '\u212a', 'ſ', 'e\u0301'],
];
export const models = ['gpt-5', 'gpt-4o', 'GPT-4o', 'claude_4', 'claude%4', 'llama\\3', 'mistral'];
export const providerKeys = ['openai', 'anthropic', 'custom', 'sandbox'];
export const intents = ['coding', 'testing', 'documentation', 'off_topic'];
export const errorCodes = ['model_blacklisted', 'upstream_error', 'Quota_Exceeded', 'budget_reached'];
export const labelValues = {
  cost_center: ['4711', '4712', ''],
  stage: ['prod', 'Test'],
  "o'k": ['a=b', 'ü'],
} as const;

const names = [
  'Ada Abel',
  'Änne Öz',
  'anne oz',
  'Bob_100%',
  'İlker',
  'ilker',
  'Zoë',
  'zoe',
  'Straßer',
  'STRASSER',
  '李雷',
];

export interface LogTenant {
  readonly id: number;
  readonly users: readonly number[];
  readonly tasks: readonly number[];
  readonly teams: readonly number[];
  readonly apiKeys: readonly number[];
  readonly instances: readonly number[];
}

export async function addLogTenant(pool: pg.Pool, name: string, timeZone: string): Promise<LogTenant> {
  const id = await addTenant(pool, name, { timeZone });
  const insert = async (statement: string, values: unknown[]) => {
    const { rows } = await pool.query<{ id: number }>(statement, values);
    return rows.map((row) => row.id);
  };
  const users: number[] = [];
  for (const [place, person] of names.entries()) {
    const { userId } = await addPerson(pool, id, 'user', `p${place}.${id}@names.test`);
    await pool.query('UPDATE users SET name = $2 WHERE id = $1', [userId, person]);
    users.push(userId);
  }
  const tasks = await insert(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
     SELECT $1, title, '', (ARRAY['coding', 'testing', 'other'])[1 + place % 3], 'beginner', 1
     FROM unnest($2::text[]) WITH ORDINALITY t (title, place) RETURNING id`,
    [id, words.slice(0, 12).map((word) => `Task ${word}`)],
  );
  const teams = await insert(
    'INSERT INTO teams (tenant_id, name) SELECT $1, name FROM unnest($2::text[]) name RETURNING id',
    [id, ['Blue', 'blueberry', 'Röt', '100%']],
  );
  const keyNames = ['Laptop', 'laptop 2', 'CI_100%'];
  const apiKeys = await insert(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
     SELECT $1, user_id, name, decode(md5(random()::text), 'hex'), 'wxyz', '{models}'
     FROM unnest($2::integer[], $3::text[]) key (user_id, name) RETURNING id`,
    [id, users.slice(0, keyNames.length), keyNames],
  );
  const instances = [id * 100 + 1, id * 100 + 2, id * 100 + 3];
  return { id, users, tasks, teams, apiKeys, instances };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Relative times in tests of filters: 90m, 12h, 1d, 3d, 7d. */
const relativeTimesMs = [1.5 * hourMs, 12 * hourMs, dayMs, 3 * dayMs, 7 * dayMs];

export interface RandomRows {
  readonly count: number;
  readonly days: number;
  readonly nowMs: number;
}

/** Most rows have texts. Returns the row ids. */
export async function insertRandomRows(
  pool: pg.Pool,
  tenant: LogTenant,
  random: Random,
  { count, days, nowMs }: RandomRows,
): Promise<string[]> {
  const ids: string[] = [];
  const batch = 2_000;
  for (let from = 0; from < count; from += batch) {
    const made = Array.from({ length: Math.min(batch, count - from) }, () =>
      makeRow(tenant, random, nowMs - drawAgeMs(random, days)),
    );
    ids.push(...made.map(({ log }) => log.id));
    await pool.query(
      'INSERT INTO request_logs SELECT * FROM jsonb_populate_recordset(NULL::request_logs, $1)',
      [JSON.stringify(made.map(({ log }) => log))],
    );
    await pool.query(
      'INSERT INTO request_log_bodies SELECT * FROM jsonb_populate_recordset(NULL::request_log_bodies, $1)',
      [JSON.stringify(made.flatMap(({ body }) => body ?? []))],
    );
  }
  return ids;
}

/** The hour after each relative time has no rows, so that queries during that hour find the same rows. */
function drawAgeMs(random: Random, days: number): number {
  const ageMs = Math.floor(random() * days * dayMs);
  const isInGap = relativeTimesMs.some((timeMs) => ageMs > timeMs - hourMs && ageMs <= timeMs);
  return isInGap ? ageMs + hourMs : ageMs;
}

const maybe = <Value>(random: Random, share: number, value: () => Value): Value | null =>
  random() < share ? value() : null;

function makeRow(tenant: LogTenant, random: Random, ms: number) {
  const one = <Value>(values: readonly Value[]) => pick(random, values);
  const id = makeId(random, ms);
  const log = {
    id,
    tenant_id: tenant.id,
    user_id: maybe(random, 0.9, () => one(tenant.users)),
    api_key_id: maybe(random, 0.6, () => one(tenant.apiKeys)),
    task_id: maybe(random, 0.6, () => one(tenant.tasks)),
    team_id: maybe(random, 0.5, () => one(tenant.teams)),
    labels: maybe(random, 0.4, () => makeLabels(random)),
    llm_provider_id: maybe(random, 0.8, () => one(tenant.instances)),
    provider_key: maybe(random, 0.8, () => one(providerKeys)),
    provider_instance_name: maybe(random, 0.8, () => one(['Main', 'Zweite', "O'Hara"])),
    protocol: 'openai-chat',
    operation: one(['chat.completions', 'embeddings', 'tokens.count']),
    model_requested: maybe(random, 0.9, () => one(models)),
    downgraded_by_budget_id: maybe(random, 0.1, () => 7),
    model: maybe(random, 0.9, () => one(models)),
    is_stream: random() < 0.5,
    provider_calls: maybe(random, 0.1, () => [makeCall(random)]),
    received_at: new Date(ms + Math.floor(random() * 3)).toISOString(),
    client_request_id: maybe(random, 0.2, () => `client-${Math.floor(random() * 1e9)}`),
    ...makeOutcome(random),
    ...makeUsage(random),
    ...makeJudgment(random),
  };
  return { log, body: random() < 0.9 ? makeBody(random, tenant, id) : null };
}

function makeId(random: Random, ms: number): string {
  const digits = Array.from({ length: 20 }, () => Math.floor(random() * 16).toString(16)).join('');
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(1, 4)}-8${digits.slice(5, 8)}-${digits.slice(8)}`;
}

const makeText = (random: Random) =>
  Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, words)).join(' ');

function makeOutcome(random: Random) {
  const status = pick(random, [
    'success',
    'success',
    'success',
    'error',
    'client_closed',
    'refused',
  ] as const);
  const isFailed = status !== 'success';
  return {
    status,
    http_status: isFailed ? pick(random, [400, 403, 429, 502]) : 200,
    error_code: isFailed ? maybe(random, 0.9, () => pick(random, errorCodes)) : null,
    error_message: isFailed ? maybe(random, 0.8, () => makeText(random)) : null,
    attempts: status === 'refused' ? 0 : Math.floor(random() * 3),
    repeats: status === 'refused' ? 1 + Math.floor(random() * 4) : 1,
    first_byte_ms: maybe(random, 0.5, () => random() * 1000),
    response_time_ms: pick(random, [0, 12.5, 5000, Math.fround(random() * 20_000)]),
  };
}

function makeUsage(random: Random) {
  const whole = (max: number) => Math.floor(random() * max);
  const cached = whole(50);
  return {
    prompt_tokens: 50 + whole(1000),
    cache_read_tokens: cached,
    cache_write_tokens: whole(50 - cached),
    completion_tokens: whole(900),
    reasoning_tokens: whole(10),
    usage_source: pick(random, ['provider', 'partial', 'estimated', 'capped', 'none']),
    cost_nano_usd: maybe(random, 0.7, () => pick(random, [0, 15_000, 10_000_000, whole(5e9)])),
    is_service_managed: random() < 0.5,
    price: maybe(random, 0.5, () => ({ input: 2, output: 3.5, markup_percentage: 10 })),
  };
}

function makeJudgment(random: Random) {
  const isScored = random() < 0.5;
  const [before, delta] = [random(), random() / 10];
  return {
    intent_classification: maybe(random, 0.7, () => pick(random, intents)),
    confidence_score: maybe(random, 0.7, random),
    user_score_before: isScored ? before : null,
    user_score_after: isScored ? before + delta : null,
    deviation_score_delta: isScored ? delta : null,
    deviation_receipts: isScored ? makeReceipts(random, delta) : null,
  };
}

const makeReceipts = (random: Random, delta: number) => [
  { name: 'off_topic', amount: delta / 2, value: 1, weight: delta / 2 },
  { name: pick(random, ['wording', 'time']), amount: delta / 2, value: delta / 4 },
];

function makeLabels(random: Random): Record<string, string> {
  const given = Object.entries(labelValues).filter(() => random() < 0.5);
  const chosen = given.length > 0 ? given : [['stage', labelValues.stage] as const];
  return Object.fromEntries(chosen.map(([name, values]) => [name, pick<string>(random, values)]));
}

const makeCall = (random: Random) => ({
  provider_instance_name: 'Main',
  provider_key: 'openai',
  model: pick(random, models),
  started_ms: 1.5,
  duration_ms: 2.5,
  http_status: 502,
  error_code: 'upstream_error',
  cause: null,
  message: pick(random, words),
});

function makeBody(random: Random, tenant: LogTenant, id: string) {
  const text = () => makeText(random);
  const prompt = maybe(random, 0.9, () => (random() < 0.05 ? text().repeat(300) : text()));
  const isKept = random() < 0.7;
  const body = JSON.stringify({ messages: [{ role: 'user', content: prompt }], note: text() });
  return {
    id,
    tenant_id: tenant.id,
    prompt,
    response: maybe(random, 0.8, text),
    request_body_zstd: isKept ? `\\x${compressText(body, prompt).toString('hex')}` : null,
    request_bytes: Buffer.byteLength(body),
    request_sha256: random() < 0.1 ? `\\x${'ab'.repeat(32)}` : null,
    response_bytes: Math.floor(random() * 1000),
    prompt_privacy: pick(random, ['full', 'redacted', 'metadata']),
  };
}

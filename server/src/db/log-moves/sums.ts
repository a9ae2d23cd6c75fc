import { logStatuses } from '@sluice/contract';
import type { TenantSums } from './move-side.ts';

interface Dialect {
  countIf(condition: string): string;
  sum(value: string): string;
  /** Returns an expression for a text's length in bytes. */
  bytes(column: string): string;
  /** Last 60 bits of the row id. */
  readonly idBits: string;
  /** Last 60 bits of the id of the object that contains the texts. */
  readonly objectBits: string;
  /** Time of receipt in microseconds since 1970-01-01. */
  readonly receivedAt: string;
}

/**
 * Returns the expressions that sum a tenant's day. Texts are compared by length and ids by sums of their random bits.
 * The names must differ from column names.
 */
function listSums({ countIf, sum, bytes, idBits, objectBits, receivedAt }: Dialect): Record<string, string> {
  const totals = ['repeats', 'attempts', 'http_status', 'user_id', 'request_bytes', 'response_bytes'];
  const tokens = ['prompt', 'cache_read', 'cache_write', 'completion', 'reasoning'].map(
    (kind) => `${kind}_tokens`,
  );
  const texts = ['prompt', 'response', 'error_message'];
  return {
    rows: countIf('true'),
    ...Object.fromEntries(logStatuses.map((status) => [status, countIf(`status = '${status}'`)])),
    ids: sum(idBits),
    total_received_at: sum(receivedAt),
    total_cost: sum('cost_nano_usd'),
    costs: countIf('cost_nano_usd IS NOT NULL'),
    scored: countIf('user_score_after IS NOT NULL'),
    texts: countIf('prompt_privacy IS NOT NULL'),
    ...Object.fromEntries([...totals, ...tokens].map((column) => [`total_${column}`, sum(column)])),
    ...Object.fromEntries(texts.map((column) => [`${column} length`, sum(bytes(column))])),
    bodies: countIf('request_body IS NOT NULL'),
    objects: sum(objectBits),
    placed: countIf('body_object IS NOT NULL'),
    total_body_offset: sum('body_offset'),
    total_body_length: sum('body_length'),
    cut: countIf('body_object IS NOT NULL AND is_cut'),
  };
}

const selectList = (sums: Record<string, string>) =>
  Object.entries(sums)
    .map(([name, sql]) => `${sql} AS "${name}"`)
    .join(', ');

export const postgresSums = selectList(
  listSums({
    countIf: (condition) => `(count(*) FILTER (WHERE ${condition}))::text`,
    sum: (value) => `coalesce(sum(${value}), 0)::text`,
    bytes: (column) => `octet_length(${column})`,
    idBits: "('x' || right(replace(id::text, '-', ''), 15))::bit(60)::bigint",
    objectBits: "('x' || right(replace(body_object::text, '-', ''), 15))::bit(60)::bigint",
    receivedAt: '(extract(epoch FROM received_at) * 1000000)::bigint',
  }),
);

export const clickhouseSums = selectList(
  listSums({
    countIf: (condition) => `toString(countIf(${condition}))`,
    sum: (value) => `toString(coalesce(sum(toInt128(${value})), 0))`,
    bytes: (column) => `length(${column})`,
    idBits: "id % toUInt128('1152921504606846976')",
    objectBits:
      "reinterpretAsUInt64(reverse(unhex(concat('0', right(replaceAll(body_object, '-', ''), 15)))))",
    receivedAt: 'toUnixTimestamp64Micro(received_at)',
  }),
);

export function byTenant(
  rows: readonly ({ readonly tenant: number } & Readonly<Record<string, unknown>>)[],
): Map<number, TenantSums> {
  return new Map(
    rows.map(({ tenant, ...sums }) => [
      tenant,
      Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, String(sum)])),
    ]),
  );
}

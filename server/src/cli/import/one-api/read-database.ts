import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { withSourceDatabase } from '../source-database.ts';

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const text = optional(z.coerce.string());
const count = optional(z.coerce.number());
/** Boolean, which SQLite stores as 0 or 1. */
const flag = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 1);

const channelRow = z.object({
  id: z.number(),
  type: z.number(),
  key: text,
  status: count,
  name: text,
  base_url: text,
  models: text,
  group: text,
  model_mapping: text,
  priority: count,
});
const tokenRow = z.object({
  id: z.number(),
  user_id: z.number(),
  key: z.string().trim(),
  status: count,
  name: text,
  expired_time: count,
  remain_quota: count,
  used_quota: count,
  unlimited_quota: flag,
  models: text,
  subnet: text,
  model_limits_enabled: z.unknown().optional(),
  model_limits: text,
  allow_ips: text,
  group: text,
  deleted_at: z.unknown().optional(),
});
const userRow = z.object({
  id: z.number(),
  username: text,
  display_name: text,
  role: count,
  status: count,
  email: text,
  quota: count,
  used_quota: count,
  group: text,
  deleted_at: z.unknown().optional(),
});
const optionRow = z.object({ key: z.string(), value: text });

export type ChannelRow = z.output<typeof channelRow>;
export type TokenRow = z.output<typeof tokenRow>;
export type UserRow = z.output<typeof userRow>;

export interface OneApiSource {
  /** Whether the source is New API, which numbers the channel types differently. */
  readonly isNewApi: boolean;
  readonly channels: readonly ChannelRow[];
  readonly tokens: readonly TokenRow[];
  readonly users: readonly UserRow[];
  readonly options: Readonly<Record<string, string>>;
}

type ReadTable = (table: string) => Promise<unknown[]>;

/** @throws Error for the URL or DSN of a MySQL database */
export function requireNoMysql(database: string): void {
  if (/^mysql:/i.test(database) || /@tcp\(/.test(database))
    throw new Error(
      'MySQL is not supported. Copy the database to PostgreSQL with pgloader, and import from there (docs/operating/move-from-one-api.md).',
    );
}

/** Reads the tables of One API or New API from PostgreSQL, or from an SQLite file. */
export async function readOneApi(database: string): Promise<OneApiSource> {
  requireNoMysql(database);
  if (/^postgres(ql)?:/i.test(database))
    return withSourceDatabase(database, 'One API', (source) =>
      readTables(async (table) => {
        const { rows } = await source.execute<{ row: unknown }>(
          sql`SELECT to_jsonb(t) AS row FROM ${sql.identifier(table)} t`,
        );
        return rows.map(({ row }) => row);
      }),
    );
  return readSqlite(database);
}

async function readSqlite(path: string): Promise<OneApiSource> {
  if (!existsSync(path)) throw new Error(`There is no SQLite file ${path}. Check --database.`);
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    return await readTables(async (table) => file.prepare(`SELECT * FROM "${table}"`).all());
  } finally {
    file.close();
  }
}

async function readTables(readTable: ReadTable): Promise<OneApiSource> {
  const read = async <Row extends z.ZodType<{ id: number }>>(table: string, row: Row) => {
    const rows = await readTable(table).catch((cause: unknown) => {
      throw new Error(
        `The table ${table} cannot be read. Check that --database is the database of One API.`,
        {
          cause,
        },
      );
    });
    return rows.map((found) => row.parse(found)).sort((one, other) => one.id - other.id);
  };
  const tokens = await read('tokens', tokenRow);
  const options = (await readTable('options').catch(() => [])).map((row) => optionRow.parse(row));
  return {
    isNewApi: tokens.some(({ model_limits_enabled }) => model_limits_enabled !== undefined),
    channels: await read('channels', channelRow),
    tokens: tokens.filter(({ deleted_at }) => deleted_at == null),
    users: (await read('users', userRow)).filter(({ deleted_at }) => deleted_at == null),
    options: Object.fromEntries(options.map(({ key, value }) => [key, value ?? ''])),
  };
}

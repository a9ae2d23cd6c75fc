import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

const folder = join(import.meta.dirname, 'migrations');

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Hexadecimal SHA-256 of the text. */
  readonly checksum: string;
}

export type AppliedMigration = Pick<Migration, 'name' | 'checksum'>;

export function readMigrations(): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

export async function readApplied(client: Pick<pg.Client | pg.Pool, 'query'>): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query(
    "SELECT FROM to_regclass('schema_migrations') t WHERE t IS NOT NULL",
  );
  if (tables.length === 0) return [];
  const { rows } = await client.query<AppliedMigration>(
    'SELECT name, checksum FROM schema_migrations ORDER BY name',
  );
  return rows;
}

export interface MigrationState {
  readonly pending: Migration[];
  /** Name of a migration that only exists in a newer version. */
  readonly newer: string | undefined;
  /** Name of a migration whose text was edited after it ran. */
  readonly edited: string | undefined;
}

export function compareMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): MigrationState {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const known = new Set(migrations.map(({ name }) => name));
  const isEdited = ({ name, checksum }: Migration) => checksums.has(name) && checksums.get(name) !== checksum;
  return {
    pending: migrations.filter(({ name }) => !checksums.has(name)),
    newer: applied.find(({ name }) => !known.has(name))?.name,
    edited: migrations.find(isEdited)?.name,
  };
}

import type pg from 'pg';
import { quoteName } from './tables.ts';

export interface Constraint {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Drops all foreign keys, so that tables can be filled in any order. A partition's foreign keys are dropped with
 * those of its parent.
 */
export async function dropConstraints(client: pg.Client): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(
    `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of rows) {
    await client.query(`ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(name)}`);
  }
  return rows;
}

/**
 * Checks the foreign keys against all rows.
 * @throws DatabaseError if a row has a dangling reference
 */
export async function restoreConstraints(
  client: pg.Client,
  constraints: readonly Constraint[],
): Promise<void> {
  for (const { table, name, definition } of constraints) {
    await client.query(`ALTER TABLE ${quoteName(table)} ADD CONSTRAINT ${quoteName(name)} ${definition}`);
  }
}

/** Triggers must not run again for restored rows. */
export async function setTriggers(
  client: pg.Client,
  tables: readonly { readonly name: string }[],
  verb: 'ENABLE' | 'DISABLE',
): Promise<void> {
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoteName(name)} ${verb} TRIGGER USER`);
}

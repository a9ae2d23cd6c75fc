import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { type Actor, nameActor } from './actor.ts';
import { withConnection } from './held-connection.ts';

/** Crosses tenants: the login owns the tables. A layering rule names the few places that may import this. */
export type SystemDatabase = NodePgDatabase;

export function createSystemDatabase(pool: pg.Pool): SystemDatabase {
  const database = drizzle({ client: pool });
  // Drizzle's own would keep a connection for ever whose BEGIN fails, until the pool has none left.
  database.transaction = (work, config) =>
    withConnection(pool, (client) => drizzle({ client }).transaction(work, config));
  return database;
}

/** One transaction across tenants, whose changes the audit log puts down to an actor. */
export function changeAs<Result>(
  database: SystemDatabase,
  actor: Actor,
  work: (tx: SystemDatabase) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx.execute(sql.raw(nameActor(actor)));
    return work(tx);
  });
}

/** Returns the database's time now, as text with microseconds; clocks of nodes differ, this one is shared. */
export async function readClock(database: SystemDatabase): Promise<string> {
  const { rows } = await database.execute<{ now: string }>(sql`SELECT clock_timestamp()::text AS now`);
  if (!rows[0]) throw new Error('clock_timestamp() returned no row');
  return rows[0].now;
}

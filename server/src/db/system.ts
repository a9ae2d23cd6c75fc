import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { type Actor, nameActor } from './actor.ts';
import { withConnection } from './held-connection.ts';

/**
 * Database access that is not restricted to a tenant: its login owns the tables. A layering rule lists the few
 * modules that may import this file.
 */
export type SystemDatabase = NodePgDatabase;

export function createSystemDatabase(pool: pg.Pool): SystemDatabase {
  const database = drizzle({ client: pool });
  // Drizzle's `transaction` leaks the connection if BEGIN fails, which would exhaust the pool.
  database.transaction = (work, config) =>
    withConnection(pool, (client) => drizzle({ client }).transaction(work, config));
  return database;
}

/** Runs a transaction across tenants. The audit log attributes its changes to the actor. */
export function changeAs<Result>(
  database: SystemDatabase,
  actor: Actor,
  work: (tx: SystemDatabase) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await attributeTo(tx, actor);
    return work(tx);
  });
}

/**
 * Attributes later changes of a transaction to an actor, for callers that identify the actor within the transaction.
 */
export async function attributeTo(tx: SystemDatabase, actor: Actor): Promise<void> {
  await tx.execute(sql.raw(nameActor(actor)));
}

/**
 * Returns the current time of the database, as text with microseconds. All nodes share this time, unlike their local
 * clocks.
 */
export async function readClock(database: SystemDatabase): Promise<string> {
  const { rows } = await database.execute<{ now: string }>(sql`SELECT clock_timestamp()::text AS now`);
  if (!rows[0]) throw new Error('clock_timestamp() returned no row');
  return rows[0].now;
}

import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { type Actor, nameActor } from './actor.ts';

/** Crosses tenants: the login owns the tables. A layering rule names the few places that may import this. */
export type SystemDatabase = NodePgDatabase;

export function createSystemDatabase(pool: pg.Pool): SystemDatabase {
  return drizzle({ client: pool });
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

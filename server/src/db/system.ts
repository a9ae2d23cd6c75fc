import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';

/** Crosses tenants: the login owns the tables. A layering rule names the few places that may import this. */
export type SystemDatabase = NodePgDatabase;

export function createSystemDatabase(pool: pg.Pool): SystemDatabase {
  return drizzle({ client: pool });
}

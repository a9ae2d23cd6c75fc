import type { IntentName, RoleName, taskCategories } from '@sluice/contract';
import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { apiKeys } from '#db/schema/api-keys.ts';
import { intentCorrections } from '#db/schema/governance.ts';
import { providerRegistry } from '#db/schema/llm-providers.ts';
import { tasks } from '#db/schema/tasks.ts';
import { roles, users } from '#db/schema/users.ts';
import type { ChosenRows } from '#domain/request-log/chosen-rows.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { FoundNames } from './conditions.ts';

const namedMax = 50_000;

/**
 * Returns the ids of users and tasks that match the patterns.
 * @throws ConsoleError 422 if a pattern matches too many of them
 */
export async function findNames(
  tx: NodePgDatabase,
  tenantId: number,
  { user_like, task_like, search_like }: ChosenRows,
): Promise<FoundNames> {
  const usersLike = (pattern: string | undefined) =>
    selectIds(tx, 'users', tenantId, pattern, [users.name, users.email]);
  return {
    users: await usersLike(user_like),
    tasks: await selectIds(tx, 'tasks', tenantId, task_like, [tasks.title]),
    searchedUsers: await usersLike(search_like),
  };
}

async function selectIds(
  tx: NodePgDatabase,
  table: 'users' | 'tasks',
  tenantId: number,
  pattern: string | undefined,
  columns: readonly PgColumn[],
): Promise<number[]> {
  if (pattern === undefined) return [];
  const isLike = columns.map((column) => sql`search_key(${column}) LIKE search_key(${pattern})`);
  const { rows } = await tx.execute<{ id: number }>(
    sql`SELECT id FROM ${sql.identifier(table)} WHERE tenant_id = ${tenantId} AND (${sql.join(isLike, sql` OR `)})
      LIMIT ${namedMax + 1}`,
  );
  if (rows.length > namedMax) {
    throw new ConsoleError(
      422,
      `The text matches more than ${namedMax.toLocaleString('en')} ${table}. Use a longer text.`,
    );
  }
  return rows.map(({ id }) => id);
}

export interface RowNames {
  readonly users: ReadonlyMap<number, { readonly name: string; readonly email: string }>;
  readonly tasks: ReadonlyMap<number, string>;
  readonly apiKeys: ReadonlyMap<number, string>;
  readonly corrections: ReadonlyMap<string, IntentName>;
}

interface Referring {
  readonly id: string;
  readonly userId: number | null;
  readonly taskId: number | null;
  readonly apiKeyId: number | null;
}

/** Reads the names that these rows reference, and corrections of their intents. */
export async function readNames(tx: NodePgDatabase, rows: readonly Referring[]): Promise<RowNames> {
  const idsOf = (read: (row: Referring) => number | null) => [
    ...new Set(rows.flatMap((row) => read(row) ?? [])),
  ];
  const named = await tx
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(
      isOneOf(
        users.id,
        idsOf(({ userId }) => userId),
      ),
    );
  const titled = await tx
    .select({ id: tasks.id, title: tasks.title })
    .from(tasks)
    .where(
      isOneOf(
        tasks.id,
        idsOf(({ taskId }) => taskId),
      ),
    );
  const keys = await tx
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(
      isOneOf(
        apiKeys.id,
        idsOf(({ apiKeyId }) => apiKeyId),
      ),
    );
  const corrected = await tx
    .select({ id: intentCorrections.requestId, intent: intentCorrections.intent })
    .from(intentCorrections)
    .where(
      inArray(
        intentCorrections.requestId,
        rows.map(({ id }) => id),
      ),
    );
  return {
    users: new Map(named.map(({ id, ...user }) => [id, user])),
    tasks: new Map(titled.map(({ id, title }) => [id, title])),
    apiKeys: new Map(keys.map(({ id, name }) => [id, name])),
    corrections: new Map(corrected.map(({ id, intent }) => [id, intent])),
  };
}

const isOneOf = (column: PgColumn, ids: readonly number[]): SQL =>
  sql`${column} = ANY (${`{${ids.join()}}`}::integer[])`;

export async function readRoles(tx: NodePgDatabase, tenantId: number): Promise<Map<number, RoleName>> {
  const rows = await tx
    .select({ id: users.id, role: roles.name })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(eq(users.tenantId, tenantId));
  return new Map(rows.map(({ id, role }) => [id, role]));
}

export async function readCategories(tx: NodePgDatabase, tenantId: number) {
  const rows = await tx
    .select({ id: tasks.id, category: tasks.category })
    .from(tasks)
    .where(eq(tasks.tenantId, tenantId));
  return new Map<number, (typeof taskCategories)[number] | null>(
    rows.map(({ id, category }) => [id, category]),
  );
}

export async function readProviderNames(tx: NodePgDatabase): Promise<Map<string, string>> {
  const rows = await tx
    .select({ key: providerRegistry.providerKey, name: providerRegistry.displayName })
    .from(providerRegistry);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Returns the smallest row id for an instant computed by PostgreSQL. */
export async function readFloor(tx: NodePgDatabase, instant: SQL): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(sql`SELECT uuid_floor(${instant})::text AS id`);
  if (!rows[0]) throw new Error('uuid_floor() returned no row');
  return rows[0].id;
}

import type { AuditEntryDetails } from '@sluice/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { AuditRow } from './store.ts';

interface Linked {
  readonly table: string;
  readonly name: SQL;
}

const users = { table: 'users', name: sql`name` };
const teams = { table: 'teams', name: sql`name` };
const apiKeys = { table: 'api_keys', name: sql`name` };

const budgetSubject = sql`coalesce(
  (SELECT name FROM users WHERE users.id = budgets.user_id), (SELECT name FROM teams WHERE teams.id = budgets.team_id),
  (SELECT provider_instance_name FROM llm_providers WHERE llm_providers.id = budgets.llm_provider_id),
  (SELECT title FROM tasks WHERE tasks.id = budgets.task_id), (SELECT name FROM api_keys WHERE api_keys.id = budgets.api_key_id),
  'Organization')`;

/** Objects to which audited columns refer. Columns that end with `_by` refer to users unless listed here. */
const linkedColumns: Readonly<Record<string, Linked>> = {
  role_id: { table: 'roles', name: sql`name` },
  user_id: users,
  actor_id: users,
  team_id: teams,
  owner_team_id: teams,
  task_id: { table: 'tasks', name: sql`title` },
  llm_provider_id: { table: 'llm_providers', name: sql`provider_instance_name` },
  provider_registry_id: { table: 'provider_registry', name: sql`display_name` },
  api_key_id: apiKeys,
  replaced_by: apiKeys,
  minted_by: apiKeys,
  identity_provider_id: { table: 'identity_providers', name: sql`name` },
  score_event_id: { table: 'score_events', name: sql`kind` },
  budget_id: { table: 'budgets', name: budgetSubject },
  mail_id: { table: 'mails', name: sql`subject` },
  plan_id: { table: 'plans', name: sql`name` },
  user_ids: users,
};

/** Returns the table and name column to which an audited column refers, if its ids have names. */
export const findLinked = (column: string): Linked | undefined =>
  linkedColumns[column] ?? (column.endsWith('_by') ? users : undefined);

/**
 * Returns the current names of the objects to which an entry refers, by column and id. Objects that are deleted or not
 * visible to the tenant are missing.
 */
export async function readLinkNames(
  tx: TenantTransaction,
  { before, after }: Pick<AuditRow, 'before' | 'after'>,
): Promise<AuditEntryDetails['link_names']> {
  const names: AuditEntryDetails['link_names'] = {};
  for (const column of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const linked = findLinked(column);
    const ids = [before?.[column], after?.[column]].flat().filter((id) => Number.isInteger(id));
    if (!linked || ids.length === 0) continue;
    const { rows } = await tx.execute<{ id: number; name: string }>(sql`
      SELECT id, ${linked.name} AS name FROM ${sql.identifier(linked.table)}
      WHERE id = ANY (${sql.param(ids)}::integer[])`);
    if (rows.length > 0) names[column] = Object.fromEntries(rows.map(({ id, name }) => [id, name]));
  }
  return names;
}

import type { AuditEntryDetails } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { AuditRow } from './store.ts';

interface Linked {
  readonly table: string;
  readonly name: string;
}

const users = { table: 'users', name: 'name' };
const teams = { table: 'teams', name: 'name' };
const apiKeys = { table: 'api_keys', name: 'name' };

/** Objects to which audited columns refer. Columns that end with `_by` refer to users unless listed here. */
const linkedColumns: Readonly<Record<string, Linked>> = {
  role_id: { table: 'roles', name: 'name' },
  user_id: users,
  actor_id: users,
  team_id: teams,
  owner_team_id: teams,
  task_id: { table: 'tasks', name: 'title' },
  llm_provider_id: { table: 'llm_providers', name: 'provider_instance_name' },
  provider_registry_id: { table: 'provider_registry', name: 'display_name' },
  api_key_id: apiKeys,
  replaced_by: apiKeys,
  minted_by: apiKeys,
  identity_provider_id: { table: 'identity_providers', name: 'name' },
  score_event_id: { table: 'score_events', name: 'kind' },
  mail_id: { table: 'mails', name: 'subject' },
  plan_id: { table: 'plans', name: 'name' },
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
      SELECT id, ${sql.identifier(linked.name)} AS name FROM ${sql.identifier(linked.table)}
      WHERE id = ANY (${sql.param(ids)}::integer[])`);
    if (rows.length > 0) names[column] = Object.fromEntries(rows.map(({ id, name }) => [id, name]));
  }
  return names;
}

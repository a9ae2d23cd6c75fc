import type { LlmProviderDeletionImpact } from '@sluice/contract';
import { holdLock } from '#console/advisory-lock.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { deleteProvider, selectAffectedTeams, selectAffectedUsers, selectProviders } from './store.ts';

const listedMax = 100;

export async function getLlmProviderDeletionImpact(
  tx: TenantTransaction,
  { tenantId }: Author,
  id: number,
): Promise<LlmProviderDeletionImpact> {
  const [provider] = await selectProviders(tx, tenantId, id);
  if (!provider) throw notFound('Provider');
  const users = await selectAffectedUsers(tx, tenantId, id);
  const teams = await selectAffectedTeams(tx, tenantId, id);
  return {
    provider_name: provider.name,
    message: formatImpact(provider.name, users.length, teams.length),
    has_impact: users.length + teams.length > 0,
    impact: {
      affected_users: users.length,
      affected_teams: teams.length,
      user_list: users.slice(0, listedMax),
      team_list: teams.slice(0, listedMax),
    },
  };
}

function formatImpact(name: string, users: number, teams: number): string {
  if (users + teams === 0) return `No user or team has access to '${name}'.`;
  const parts = [
    [users, 'user'],
    [teams, 'team'],
  ] as const;
  const affected = parts
    .filter(([total]) => total > 0)
    .map(([total, noun]) => `${total} ${noun}${total === 1 ? '' : 's'}`);
  return `Deleting '${name}' removes the access of ${affected.join(' and ')}.`;
}

/** Log rows keep the instance's name. */
export async function deleteLlmProvider(
  tx: TenantTransaction,
  author: Author,
  id: number,
): Promise<undefined> {
  const { tenantId, role } = author;
  await holdLock(tx, 'llmProviders', tenantId);
  const [row] = await selectProviders(tx, tenantId, id);
  if (!row) throw notFound('Provider');
  if (row.isServiceManaged && role !== 'super_admin') {
    throw new ConsoleError(403, 'Only a super administrator may delete a service-managed provider');
  }
  await deleteProvider(tx, tenantId, id);
  return undefined;
}

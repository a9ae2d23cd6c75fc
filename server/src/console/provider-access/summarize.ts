import type { AccessSummary } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { countGrantees, countGrantsByInstance } from './store.ts';

export function getAccessSummary({ principal, inTenant }: SignedInContext): Promise<AccessSummary> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    const usage = await countGrantsByInstance(tx, tenantId);
    const grantees = await countGrantees(tx, tenantId);
    return {
      total_user_accesses: usage.reduce((total, row) => total + row.user_access_count, 0),
      total_team_accesses: usage.reduce((total, row) => total + row.team_access_count, 0),
      total_unique_users_with_access: grantees.users,
      total_unique_teams_with_access: grantees.teams,
      provider_usage_stats: usage.map((row) => ({
        ...row,
        total_access_count: row.user_access_count + row.team_access_count,
      })),
    };
  });
}

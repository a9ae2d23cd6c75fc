import type { Team, TeamMember } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { requireTeam } from './require-team.ts';
import { type MemberRow, selectMembers, type TeamRow } from './store.ts';

export function getTeam({ principal, inTenant }: SignedInContext, teamId: number): Promise<Team> {
  return inTenant(async (tx) => {
    const team = await requireTeam(tx, principal, teamId);
    return { ...toTeam(team), members: await readMembers(tx, principal.tenantId, teamId) };
  });
}

export function listTeamMembers(
  { principal, inTenant }: SignedInContext,
  teamId: number,
): Promise<TeamMember[]> {
  return inTenant(async (tx) => {
    await requireTeam(tx, principal, teamId);
    return readMembers(tx, principal.tenantId, teamId);
  });
}

async function readMembers(tx: TenantTransaction, tenantId: number, teamId: number): Promise<TeamMember[]> {
  return (await selectMembers(tx, tenantId, [teamId])).map(toTeamMember);
}

export function toTeam(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
    member_count: row.memberCount,
    admin_count: row.adminCount,
  };
}

export function toTeamMember(row: MemberRow): TeamMember {
  return {
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    role: row.role,
    is_active: row.isActive,
    joined_at: row.joinedAt.toISOString(),
  };
}

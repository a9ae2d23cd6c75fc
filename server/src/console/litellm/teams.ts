import type { LitellmKey, LitellmTeam, litellmRoutes } from '@sluice/contract';
import { getLabelsOf, setLabelsOf } from '#console/labels/labels.ts';
import { grantTeamAccess } from '#console/provider-access/grant.ts';
import { listGrantableProviders, listTeamAccess } from '#console/provider-access/read.ts';
import { addTeamMember, createTeam } from '#console/teams/change.ts';
import { getTeam } from '#console/teams/read.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { invalidField } from '#errors/console-error.ts';
import { requirePermission } from '#http/authorize.ts';
import type { RouteInput } from '#http/console-route.ts';
import { listKeysOf, requireTeamId, requireUserId } from './keys.ts';
import { listLimits, setLimits, showLimits, toNewLimits } from './limits.ts';
import { selectAccountsOfTeam } from './store.ts';

type Input<Row extends keyof typeof litellmRoutes> = RouteInput<(typeof litellmRoutes)[Row]>;

const roles = { user: 'member', admin: 'admin' } as const;

export async function createLitellmTeam(
  tx: TenantTransaction,
  author: Principal,
  body: Input<'createLitellmTeam'>['body'],
): Promise<LitellmTeam> {
  const { members_with_roles: members, metadata, models, team_alias: name } = body;
  const { id: teamId } = await createTeam(tx, author, { name });
  for (const { role, user_email, user_id } of members ?? []) {
    const userId = await requireUserId(tx, author, user_id ?? user_email ?? '');
    await addTeamMember(tx, author, { teamId, body: { user_id: userId, role: roles[role] } });
  }
  if (metadata) await setLabelsOf('Team')(tx, author, { id: teamId, body: { labels: metadata } });
  await setLimits(tx, author, { subject_type: 'team', subject_id: teamId }, toNewLimits(body));
  if (models) await grantModels(tx, author, teamId, models);
  return showTeam(tx, author, teamId);
}

async function grantModels(
  tx: TenantTransaction,
  author: Principal,
  teamId: number,
  models: readonly string[],
): Promise<void> {
  requirePermission(author, 'provider_access.write');
  const providers = (await listGrantableProviders(tx, author)).filter(({ is_active }) => is_active);
  const unknown = models.filter(
    (model) => !providers.some(({ enabled_models }) => enabled_models.includes(model)),
  );
  if (unknown.length > 0)
    throw invalidField('models', `No provider has these models enabled: ${unknown.join(', ')}`);
  for (const { enabled_models, id } of providers) {
    const allowed = models.filter((model) => enabled_models.includes(model));
    if (allowed.length === 0) continue;
    await grantTeamAccess(tx, author, { team_id: teamId, llm_provider_id: id, allowed_models: allowed });
  }
}

const grantsMax = 200;

async function showTeam(tx: TenantTransaction, author: Principal, teamId: number): Promise<LitellmTeam> {
  const team = await getTeam(tx, author, teamId);
  const limits = await listLimits(tx, author, { subject_type: 'team', subject_id: teamId });
  const { body: grants } = await listTeamAccess(tx, author, { team_id: teamId, skip: 0, limit: grantsMax });
  const { labels } = await getLabelsOf('Team')(tx, author, teamId);
  return {
    team_id: String(teamId),
    team_alias: team.name,
    models: [...new Set(grants.flatMap(({ allowed_models }) => allowed_models))],
    members_with_roles: (team.members ?? [])
      .filter(({ is_active }) => is_active)
      .map(({ role, user_email, user_id }) => ({
        role: role === 'admin' ? 'admin' : 'user',
        user_id: String(user_id),
        user_email,
      })),
    metadata: labels,
    ...showLimits(limits, team.spend_usd_month),
    blocked: !team.is_active,
    created_at: team.created_at,
  };
}

export async function getLitellmTeam(
  tx: TenantTransaction,
  author: Principal,
  { team_id: reference }: Input<'getLitellmTeam'>['query'],
) {
  const teamId = await requireTeamId(tx, author, reference);
  const keys: LitellmKey[] = [];
  if (isAllowed(author, 'users.read')) {
    for (const { id } of await selectAccountsOfTeam(tx, author.tenantId, teamId))
      keys.push(...(await listKeysOf(tx, author, id)));
  }
  return { team_id: String(teamId), team_info: await showTeam(tx, author, teamId), keys };
}

import type { LitellmKey, LitellmUser, litellmRoutes, User } from '@sluice/contract';
import type { KeysKeyring } from '#console/api-keys/named-keys.ts';
import { setLabelsOf } from '#console/labels/labels.ts';
import { listRoles } from '#console/roles/list.ts';
import { addTeamMember } from '#console/teams/change.ts';
import { createUser } from '#console/users/create.ts';
import { readUser } from '#console/users/read.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { requirePermission } from '#http/authorize.ts';
import type { RouteInput } from '#http/console-route.ts';
import { makeUnmatchableHash } from '#platform/password.ts';
import { createKeyOf, listKeysOf, requireTeamId, requireUserId } from './keys.ts';
import { listLimits, setLimits, showLimits, toNewLimits } from './limits.ts';
import { selectTeamsOf } from './store.ts';

type Input<Row extends keyof typeof litellmRoutes> = RouteInput<(typeof litellmRoutes)[Row]>;

interface NewLitellmUser extends LitellmUser, Pick<LitellmKey, 'expires'> {
  readonly key: string | null;
  readonly key_alias: string | null;
  readonly token_id: string | null;
}

/**
 * Creates a user without a password. Also creates a key unless `auto_create_key` is false. The limits apply to the
 * user.
 */
export async function createLitellmUser(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  body: Input<'createLitellmUser'>['body'],
): Promise<NewLitellmUser> {
  const { user_email: email, user_alias: alias, user_role: role, teams, metadata } = body;
  const roleName = role === 'proxy_admin' ? 'admin' : 'user';
  const roleId = (await listRoles(tx, author)).find(({ name }) => name === roleName)?.id ?? 0;
  const { id: userId } = await createUser(tx, author, {
    email,
    name: alias ?? email.slice(0, email.lastIndexOf('@')),
    role_id: roleId,
    passwordHash: makeUnmatchableHash(),
  });
  if (teams && teams.length > 0) requirePermission(author, 'teams.manage');
  for (const team of new Set(teams)) {
    const teamId = await requireTeamId(tx, author, team);
    await addTeamMember(tx, author, { teamId, body: { user_id: userId, role: 'member' } });
  }
  if (metadata) await setLabelsOf('User')(tx, author, { id: userId, body: { labels: metadata } });
  await setLimits(tx, author, { subject_type: 'user', subject_id: userId }, toNewLimits(body));
  const created = await createFirstKey(keyring, tx, author, { userId, body });
  const user = await showUser(tx, author, await readUser(tx, author.tenantId, userId));
  return {
    ...user,
    key: created?.secret ?? null,
    key_alias: created?.key.key_alias ?? null,
    token_id: created?.key.token_id ?? null,
    expires: created?.key.expires ?? null,
  };
}

async function createFirstKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { userId, body }: { readonly userId: number; readonly body: Input<'createLitellmUser'>['body'] },
) {
  if (body.auto_create_key === false) return null;
  requirePermission(author, 'api_keys.write');
  const { duration, key_alias } = body;
  return createKeyOf(keyring, tx, author, { userId, fields: { duration, key_alias } });
}

async function showUser(tx: TenantTransaction, author: Principal, user: User): Promise<LitellmUser> {
  const teams = await selectTeamsOf(tx, author.tenantId, user.id);
  const limits = await listLimits(tx, author, { subject_type: 'user', subject_id: user.id });
  return {
    user_id: String(user.id),
    user_email: user.email,
    user_alias: user.name,
    user_role: user.role_name === 'user' ? 'internal_user' : 'proxy_admin',
    teams: teams.map(({ id }) => String(id)),
    ...showLimits(limits, user.spend_usd_month),
    created_at: user.created_at,
  };
}

export async function getLitellmUser(
  tx: TenantTransaction,
  author: Principal,
  { user_id: reference }: Input<'getLitellmUser'>['query'],
) {
  const userId = reference === undefined ? author.userId : await requireUserId(tx, author, reference);
  const user = await readUser(tx, author.tenantId, userId);
  const teams = await selectTeamsOf(tx, author.tenantId, userId);
  return {
    user_id: String(userId),
    user_info: await showUser(tx, author, user),
    keys: await listKeysOf(tx, author, userId),
    teams: teams.map(({ id, name }) => ({ team_id: String(id), team_alias: name })),
  };
}

import { randomBytes } from 'node:crypto';
import {
  type ApiKeyScope,
  apiKeyScopes,
  permissionsOfRole,
  type RoleName,
  type RouteRow,
  scopesAllow,
} from '@sluice/contract';
import { formatApiKey } from '#domain/api-key.ts';
import { formatScimToken } from '#domain/scim-token.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { testKeyring } from '../console/console-server.ts';
import { addMember, addTeam, type TestTenant, type World } from './world.ts';

export interface CallerKind {
  readonly name: string;
  readonly role: RoleName | null;
  readonly credential: 'none' | 'session' | 'scim' | readonly ApiKeyScope[];
  readonly state?: 'blocked' | 'inactive';
  /** Whether the caller administers a team without objects, which grants no permission outside the team. */
  readonly isTeamAdmin?: true;
  /** Whether the caller is a plain member of every team of another user. */
  readonly joinsTeams?: true;
  /** Whether the caller belongs to the other tenant. */
  readonly isForeign?: true;
}

export const callerKinds: readonly CallerKind[] = [
  { name: 'anonymous', role: null, credential: 'none' },
  { name: 'user', role: 'user', credential: 'session' },
  { name: 'team admin', role: 'user', credential: 'session', isTeamAdmin: true },
  { name: 'team member', role: 'user', credential: 'session', joinsTeams: true },
  { name: 'admin', role: 'admin', credential: 'session' },
  { name: 'super_admin', role: 'super_admin', credential: 'session' },
  { name: 'blocked user', role: 'user', credential: 'session', state: 'blocked' },
  { name: 'blocked admin', role: 'admin', credential: 'session', state: 'blocked' },
  { name: 'blocked super_admin', role: 'super_admin', credential: 'session', state: 'blocked' },
  { name: 'inactive user', role: 'user', credential: 'session', state: 'inactive' },
  { name: 'inactive super_admin', role: 'super_admin', credential: 'session', state: 'inactive' },
  { name: 'API key of an admin', role: 'admin', credential: apiKeyScopes },
  { name: 'API key for models only', role: 'user', credential: ['models'] },
  { name: 'API key of a blocked user', role: 'user', credential: apiKeyScopes, state: 'blocked' },
  { name: 'API key of a blocked admin', role: 'admin', credential: apiKeyScopes, state: 'blocked' },
  { name: 'API key of an inactive admin', role: 'admin', credential: apiKeyScopes, state: 'inactive' },
  { name: 'admin of another tenant', role: 'admin', credential: 'session', isForeign: true },
  { name: 'SCIM token', role: null, credential: 'scim' },
  { name: 'SCIM token of another tenant', role: null, credential: 'scim', isForeign: true },
];

/** Names of the caller kinds that may use every route, by surface. */
export const mightiest = {
  public: 'API key of an admin',
  management: 'super_admin',
  scim: 'SCIM token',
} as const;

/** Returns `allowed` if the contract allows a caller to use a route, otherwise the status of the rejection. */
export function judge(kind: CallerKind, row: RouteRow): 'allowed' | 401 | 403 {
  if (row.surface === 'scim') return kind.credential === 'scim' ? 'allowed' : 401;
  if (row.permission === 'anyone') return 'allowed';
  const isKey = typeof kind.credential !== 'string';
  if (kind.role === null || (kind.state === 'inactive' && !isKey)) return 401;
  // API keys are for the gateway. The console accepts API keys on few routes, regardless of their scopes.
  if (isKey && row.surface === 'management') {
    if (!row.acceptsApiKey) return 401;
    return kind.state === undefined ? 'allowed' : 403;
  }
  if (kind.state === 'inactive') return 403;
  if (kind.state === 'blocked' && row.permission !== 'account.read') return 403;
  // safe because isKey is true only for a list of scopes
  if (isKey && !scopesAllow(kind.credential as readonly ApiKeyScope[], row.permission)) return 403;
  return permissionsOfRole(kind.role).includes(row.permission) ? 'allowed' : 403;
}

export interface Caller {
  readonly tenant: TestTenant;
  /** `null` for an anonymous caller. */
  readonly userId: number | null;
  readonly email: string | null;
  readonly authorization: string | null;
  readonly joinsTeams: boolean;
  readonly role: RoleName | null;
}

export async function addCaller(world: World, kind: CallerKind): Promise<Caller> {
  const tenant = kind.isForeign ? world.foreign : world.home;
  if (kind.role === null) {
    const token = kind.credential === 'scim' ? await addScimToken(world, tenant) : null;
    const authorization = token && `Bearer ${token}`;
    return { tenant, userId: null, email: null, authorization, joinsTeams: false, role: null };
  }
  const { userId, email } = await addMember(world, tenant, kind.role);
  if (kind.state === 'inactive') await setUser(world, userId, 'is_active = false');
  if (kind.isTeamAdmin) await makeTeamAdmin(world, tenant, userId);
  if (kind.state === 'blocked') await setUser(world, userId, "is_blocked = true, blocked_reason = 'a test'");
  const secret =
    typeof kind.credential === 'string'
      ? await signSession(userId)
      : await addApiKey(world, tenant, userId, kind.credential);
  const { joinsTeams = false } = kind;
  return { tenant, userId, email, authorization: `Bearer ${secret}`, joinsTeams, role: kind.role };
}

function signSession(userId: number): Promise<string> {
  const claims = { userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  return signSessionToken(testKeyring.sessionKey, claims, Date.now());
}

export async function addApiKey(
  { pool }: World,
  tenant: TestTenant,
  userId: number,
  scopes: readonly ApiKeyScope[],
): Promise<string> {
  const apiKey = formatApiKey(randomBytes(64));
  await pool.query(
    'INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes) VALUES ($1, $2, $3, $4, $5, $6)',
    [tenant.id, userId, tenant.marker, testKeyring.hashApiKey(apiKey), apiKey.slice(-4), scopes],
  );
  return apiKey;
}

export async function addScimToken(
  { pool }: Pick<World, 'pool'>,
  { id: tenantId }: Pick<TestTenant, 'id'>,
  { canAssignRoles = false, expiresIn = '1 day' } = {},
): Promise<string> {
  const token = formatScimToken(randomBytes(64));
  await pool.query(
    `INSERT INTO scim_tokens (tenant_id, name, token_hash, last4, can_assign_roles, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6::interval)`,
    [
      tenantId,
      `token ${token.slice(-8)}`,
      testKeyring.hashApiKey(token),
      token.slice(-4),
      canAssignRoles,
      expiresIn,
    ],
  );
  return token;
}

async function makeTeamAdmin(world: World, tenant: TestTenant, userId: number): Promise<void> {
  await world.pool.query(
    "INSERT INTO team_members (tenant_id, team_id, user_id, role) VALUES ($1, $2, $3, 'admin')",
    [tenant.id, await addTeam(world, tenant), userId],
  );
}

async function setUser({ pool }: World, userId: number, assignments: string): Promise<void> {
  await pool.query(`UPDATE users SET ${assignments} WHERE id = $1`, [userId]);
}

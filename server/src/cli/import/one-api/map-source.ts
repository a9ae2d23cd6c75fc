import { createHash } from 'node:crypto';
import { apiKeyLimits, parseEmail } from '@sluice/contract';
import { cleanName } from '../clean-text.ts';
import { createFindings, type Findings } from '../findings.ts';
import type { FoundAccount, FoundBudget, FoundKey, FoundMember, FoundUser, Inventory } from '../inventory.ts';
import { listParts, mapChannels } from './map-channels.ts';
import type { OneApiSource, TokenRow, UserRow } from './read-database.ts';

/** Default quota per dollar, which the operator can change. */
const defaultUnit = 500_000;
const enabled = 1;
/** Status of a token whose quota is used up. The token is valid again when its quota is raised. */
const exhausted = 4;
const adminRole = 10;

const groupRef = (name: string) => `group ${name}`;
const userRef = (id: number) => `user ${id}`;

/** Maps groups to teams, tokens to keys, and quotas to budgets without a window. */
export function mapOneApi(source: OneApiSource, nowMs: number): Inventory {
  const findings = createFindings();
  const { groups, instances } = mapChannels(source, findings);
  const unit = Number(source.options.QuotaPerUnit) || defaultUnit;
  const active = source.users.filter((user) => {
    if (user.status !== enabled)
      findings.leaveOut('users', user.username ?? String(user.id), 'the user is disabled');
    return user.status === enabled;
  });
  const owners = mapUsers(active, groups);
  const byId = new Map(active.map((user) => [user.id, user]));
  const keys = source.tokens.flatMap((token) => {
    const key = mapToken(token, byId.get(token.user_id), { findings, nowMs });
    return key ? [{ key, token }] : [];
  });
  const names = new Set([...groups.keys(), ...active.map(groupOf)]);
  return {
    origin: 'one_api',
    instances,
    ...owners,
    teams: [...names].map((name) => ({ ref: groupRef(name), name: teamName(name), isActive: true })),
    grants: [...groups].map(([name, models]) => ({
      grantee: 'team',
      ref: groupRef(name),
      models: [...models],
    })),
    keys: keys.map(({ key }) => key),
    budgets: [
      ...active
        .filter(({ role }) => (role ?? 1) < adminRole)
        .map((user) => ({
          subject: 'owner' as const,
          ref: userRef(user.id),
          ...toTotal(user.quota, user.used_quota, unit),
        })),
      ...keys
        .filter(({ token }) => !token.unlimited_quota)
        .map(({ key, token }) => ({
          subject: 'api_key' as const,
          ref: key.ref,
          ...toTotal(token.remain_quota, token.used_quota, unit),
        })),
    ],
    findings,
  };
}

const groupOf = ({ group }: UserRow) => group || 'default';
const teamName = (group: string) => cleanName(`Group ${group}`, 'Group');

function toTotal(
  remaining: number | null,
  used: number | null,
  unit: number,
): Omit<FoundBudget, 'subject' | 'ref'> {
  const dollars = (quota: number) => Number((quota / unit).toFixed(9));
  const limit = dollars(Math.max(0, (remaining ?? 0) + (used ?? 0)));
  return { measure: 'usd', window: 'total', action: 'refuse', limit, spent: dollars(Math.max(0, used ?? 0)) };
}

function mapUsers(rows: readonly UserRow[], groups: ReadonlyMap<string, unknown>) {
  const users: FoundUser[] = [];
  const accounts: FoundAccount[] = [];
  const members: FoundMember[] = [];
  for (const row of rows) {
    const ref = userRef(row.id);
    const email = parseEmail(row.email ?? '');
    const name = cleanName(row.display_name || row.username, `User ${row.id}`);
    const team = groups.has(groupOf(row)) ? groupRef(groupOf(row)) : null;
    if (email === null) {
      const account = cleanName(`One API ${row.username ?? row.id}`, `One API user ${row.id}`);
      accounts.push({ ref, name: account, teamRef: team });
    } else {
      users.push({ ref, email, name, role: (row.role ?? 1) >= adminRole ? 'admin' : 'user' });
      if (team) members.push({ teamRef: team, userRef: ref, role: 'member' });
    }
  }
  return { users, accounts, members };
}

function mapToken(
  token: TokenRow,
  owner: UserRow | undefined,
  { findings, nowMs }: { readonly findings: Findings; readonly nowMs: number },
): FoundKey | null {
  const last4 = token.key.slice(-4);
  const name = cleanName(token.name, `Token ${last4}`);
  const expiresMs = token.expired_time === null || token.expired_time < 0 ? null : token.expired_time * 1_000;
  const obstacle = findObstacle(token, owner, expiresMs, nowMs);
  if (obstacle !== null) {
    findings.leaveOut('API keys', name, obstacle);
    return null;
  }
  if (token.group && owner && token.group !== groupOf(owner))
    findings.approximate(
      'API keys',
      name,
      'the token has a different group than its user; the key uses the group of the user',
    );
  const isLimited =
    token.model_limits_enabled === undefined || [true, 1].includes(token.model_limits_enabled as never);
  const listed = listParts(token.models ?? (isLimited ? token.model_limits : null));
  const models = apiKeyLimits.models.safeParse(listed.length > 0 ? listed : null);
  const nets = listParts(token.subnet || token.allow_ips);
  const networks = apiKeyLimits.allowed_networks.safeParse(nets.length > 0 ? nets : null);
  if (!models.success || !networks.success) {
    findings.leaveOut('API keys', name, 'its models or networks are not valid in Sluice');
    return null;
  }
  return {
    ref: `token ${token.id}`,
    // The database stores the key without the prefix that clients send.
    sha256: createHash('sha256').update(`sk-${token.key}`).digest('hex'),
    name,
    last4,
    ownerRef: userRef(token.user_id),
    models: models.data,
    networks: networks.data,
    expiresAt: expiresMs === null ? null : new Date(expiresMs),
    labels: {},
  };
}

function findObstacle(
  { key, status }: TokenRow,
  owner: UserRow | undefined,
  expiresMs: number | null,
  nowMs: number,
): string | null {
  if (!owner) return 'its user does not exist or is disabled';
  if (expiresMs !== null && expiresMs <= nowMs) return 'it has expired';
  if (status !== enabled && status !== exhausted) return 'it is disabled';
  return /^[!-~]{1,250}$/.test(key) ? null : 'it contains characters that a key cannot have';
}

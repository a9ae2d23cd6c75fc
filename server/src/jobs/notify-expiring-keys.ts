import type { RoleName } from '@sluice/contract';
import { and, eq, gt, isNull, lt, lte, ne, notExists, sql } from 'drizzle-orm';
import { apiKeyExpiryNotices, apiKeys } from '#db/schema/api-keys.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import { maskApiKey } from '#domain/api-key.ts';
import { formatUtcTime } from '#domain/format-time.ts';
import { type Mailbox, mailWords } from '#mail/mailbox.ts';
import type { Job } from './job.ts';

/** Time before the expiry. Keys with a shorter lifetime need no notice. */
const notice = sql`interval '3 days'`;
const keysMax = 100;

/**
 * Notifies the owner of a key once, three days before it expires: the user of the key, or the administrators of the
 * team or tenant that owns the service account.
 */
export function createNotifyExpiringKeys({
  mailbox,
  publicUrl,
}: {
  readonly mailbox: Pick<Mailbox, 'putNotice'>;
  /** Public URL without a trailing slash. */
  readonly publicUrl: string;
}): Job {
  return {
    name: 'notify-expiring-keys',
    pattern: '*/30 * * * * *',
    async run(tx) {
      for (const key of await takeExpiringKeys(tx)) {
        const notices =
          key.kind === 'person'
            ? [noticeForUser(key)]
            : (await selectOwners(tx, key)).map((owner) => noticeForOwner(key, owner));
        for (const { path, ...notice } of notices) {
          const { tenantId, expiresAt } = key;
          const link = { origin: publicUrl, path };
          await mailbox.putNotice(tx, { effect: 'key_notice', tenantId, expiresAt, link, ...notice });
        }
      }
    },
  };
}

type ExpiringKey = Awaited<ReturnType<typeof takeExpiringKeys>>[number];

const formatEnd = ({ expiresAt }: ExpiringKey) => formatUtcTime(expiresAt);

function noticeForUser(key: ExpiringKey) {
  return {
    to: key.email,
    subject: mailWords`Your API key expires soon`,
    body: mailWords`Hello ${key.name},\n\nyour API key ${maskApiKey(key.last4)} (${key.keyName}) expires on ${formatEnd(key)}. After that, requests that use it are refused.\n\nAsk your administrator to regenerate it before then. The previous key can stay valid for some days, so you have time to replace it.`,
    action: 'View your API key',
    path: '/dashboard/api-keys',
    opensRole: key.role,
  };
}

function noticeForOwner(key: ExpiringKey, owner: Owner) {
  const isAdministrator = owner.role !== 'user';
  return {
    to: owner.email,
    subject: mailWords`An API key of the service account ${key.name} expires soon`,
    body: mailWords`Hello ${owner.name},\n\nthe API key ${maskApiKey(key.last4)} (${key.keyName}) of the service account ${key.name} expires on ${formatEnd(key)}. After that, requests that use it are refused.\n\nAn administrator can rotate it under Service accounts. The previous key can stay valid for some days, so you have time to replace it.`,
    action: isAdministrator ? 'View the service account' : 'View the team',
    path: isAdministrator
      ? `/admin/service-accounts?open=${key.userId}`
      : `/admin/teams?open=${key.ownerTeamId}`,
    opensRole: owner.role,
  };
}

interface Owner extends Record<string, unknown> {
  readonly email: string;
  readonly name: string;
  readonly role: RoleName;
}

const ownersMax = 20;

/** Returns the active administrators of the team that owns a service account, or else those of the tenant. */
async function selectOwners(tx: SystemDatabase, { tenantId, ownerTeamId }: ExpiringKey): Promise<Owner[]> {
  const { rows } = await tx.execute<Owner>(sql`
    WITH people AS (
      SELECT u.id, u.email, u.name, r.name AS role, EXISTS (
        SELECT FROM team_members m
        WHERE m.team_id = ${ownerTeamId}::integer AND m.user_id = u.id AND m.role = 'admin' AND m.is_active) AS "ownsTeam"
      FROM users u JOIN roles r ON r.id = u.role_id
      WHERE u.tenant_id = ${tenantId} AND u.account_kind = 'person' AND u.is_active AND NOT u.is_blocked)
    SELECT email, name, role FROM people
    WHERE CASE WHEN EXISTS (SELECT FROM people WHERE "ownsTeam") THEN "ownsTeam" ELSE role <> 'user' END
    ORDER BY id LIMIT ${ownersMax}`);
  return rows;
}

/** Once the transaction commits, the owners of these keys count as notified. */
async function takeExpiringKeys(tx: SystemDatabase) {
  const noticed = tx
    .select({ id: apiKeyExpiryNotices.apiKeyId })
    .from(apiKeyExpiryNotices)
    .where(eq(apiKeyExpiryNotices.apiKeyId, apiKeys.id));
  const rows = await tx
    .select({
      id: apiKeys.id,
      tenantId: apiKeys.tenantId,
      keyName: apiKeys.name,
      last4: apiKeys.last4,
      expiresAt: sql<Date>`${apiKeys.expiresAt}`.mapWith(apiKeys.createdAt),
      userId: users.id,
      kind: users.kind,
      ownerTeamId: users.ownerTeamId,
      name: users.name,
      email: users.email,
      role: roles.name,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.supersededAt),
        ne(apiKeys.kind, 'task'),
        gt(apiKeys.expiresAt, sql`now()`),
        lte(apiKeys.expiresAt, sql`now() + ${notice}`),
        lt(apiKeys.createdAt, sql`${apiKeys.expiresAt} - ${notice}`),
        notExists(noticed),
      ),
    )
    .orderBy(apiKeys.expiresAt)
    .limit(keysMax);
  if (rows.length > 0) {
    await tx.insert(apiKeyExpiryNotices).values(rows.map(({ id }) => ({ apiKeyId: id })));
  }
  return rows;
}

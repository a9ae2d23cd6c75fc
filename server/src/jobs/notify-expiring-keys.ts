import { and, eq, gt, isNull, lt, lte, ne, notExists, sql } from 'drizzle-orm';
import { apiKeyExpiryNotices, apiKeys } from '#db/schema/api-keys.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import { maskApiKey } from '#domain/api-key.ts';
import { type Mailbox, mailWords } from '#mail/mailbox.ts';
import type { Job } from './job.ts';

/** Time before the expiry; a key with a shorter lifetime needs no notice. */
const notice = sql`interval '3 days'`;
const keysMax = 100;

/** Notifies the owner of a key once, three days before it expires. */
export function createNotifyExpiringKeys({
  mailbox,
  publicUrl,
}: {
  readonly mailbox: Pick<Mailbox, 'putNotice'>;
  /** The public URL, without a trailing slash. */
  readonly publicUrl: string;
}): Job {
  return {
    name: 'notify-expiring-keys',
    pattern: '*/30 * * * * *',
    async run(tx) {
      for (const { last4, expiresAt, ...key } of await takeExpiringKeys(tx)) {
        const end = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
        await mailbox.putNotice(tx, {
          effect: 'key_notice',
          tenantId: key.tenantId,
          to: key.email,
          subject: mailWords`Your API key expires soon`,
          body: mailWords`Hello ${key.name},\n\nyour API key ${maskApiKey(last4)} (${key.keyName}) expires on ${end}. After that, requests that use it are rejected.\n\nAsk your administrator to regenerate it before then. The previous key can stay valid for some days, so you have time to replace it.`,
          action: 'View your API key',
          link: { origin: publicUrl, path: '/dashboard/api-keys' },
          opensRole: key.role,
          expiresAt,
        });
      }
    },
  };
}

/** Selects the keys whose owners are due for a notice; they count as notified when the transaction commits. */
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

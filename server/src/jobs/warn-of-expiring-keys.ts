import { eq, sql } from 'drizzle-orm';
import { apiKeys } from '#db/schema/api-keys.ts';
import { roles } from '#db/schema/roles.ts';
import { users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import { maskApiKey } from '#domain/api-key.ts';
import type { Mailbox } from '#mail/mailbox.ts';
import type { Job } from './job.ts';

/** How long before its end; a key that is made for no longer than that needs no notice. */
const notice = sql`interval '3 days'`;
const keysMax = 100;

/** Tells the owner of a key, once, that it expires in three days. */
export function createWarnOfExpiringKeys({
  mailbox,
  publicUrl,
}: {
  readonly mailbox: Pick<Mailbox, 'put'>;
  /** The address that people use, without a slash at its end. */
  readonly publicUrl: string;
}): Job {
  return {
    name: 'warn-of-expiring-keys',
    pattern: '*/30 * * * * *',
    async run(tx) {
      for (const { last4, expiresAt, ...key } of await takeExpiringKeys(tx)) {
        const end = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
        await mailbox.put(tx, {
          tenantId: key.tenantId,
          to: key.email,
          subject: 'Your API key expires soon',
          body: `Hello ${key.name},\n\nyour API key ${maskApiKey(last4)} expires on ${end}. Requests that use it are refused from then on.\n\nAsk your administrator to regenerate it before that. The former key can stay valid for some days, so that you have time to replace it.`,
          action: 'See your API key',
          link: `${publicUrl}/dashboard/api-keys`,
          opensRole: key.role,
          expiresAt,
        });
      }
    },
  };
}

/** The keys whose owners are to be told now; they count as told when the transaction commits. */
async function takeExpiringKeys(tx: SystemDatabase) {
  const due = sql`SELECT id FROM api_keys
    WHERE revoked_at IS NULL AND superseded_at IS NULL AND expiry_notice_at IS NULL
      AND expires_at > now() AND expires_at <= now() + ${notice} AND created_at < expires_at - ${notice}
    ORDER BY expires_at LIMIT ${keysMax} FOR UPDATE SKIP LOCKED`;
  const rows = await tx
    .update(apiKeys)
    .set({ expiryNoticeAt: sql`now()` })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(sql`${apiKeys.id} IN (${due}) AND ${users.id} = ${apiKeys.userId}`)
    .returning({
      tenantId: apiKeys.tenantId,
      last4: apiKeys.last4,
      expiresAt: apiKeys.expiresAt,
      name: users.name,
      email: users.email,
      role: roles.name,
    });
  return rows.flatMap(({ expiresAt, ...row }) => (expiresAt ? [{ ...row, expiresAt }] : []));
}

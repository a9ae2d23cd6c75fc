import { and, eq, sql } from 'drizzle-orm';
import { lowerBanner, raiseBanner } from '#banners/banners.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import { type Mailbox, MailWords, mailWords } from '#mail/mailbox.ts';
import type { Job } from './job.ts';

/** Number of days after which an unsent mail is outdated. */
const mailDays = 7;
const dayMs = 86_400_000;

interface NotifyDeps {
  readonly mailbox: Pick<Mailbox, 'putNotice'>;
  /** Public URL without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Notifies a tenant's administrators when credits reach the threshold and when credits are used up. Each case sends
 * one mail and shows a banner until the balance is above the threshold. Tenants that never had credits are skipped.
 */
export function createNotifyLowCredits({ mailbox, publicUrl }: NotifyDeps): Job {
  return {
    name: 'notify-low-credits',
    pattern: '*/30 * * * * *',
    async run(tx) {
      for (const { tenantId, name, level, shown } of await findChanges(tx)) {
        const id = `low-credits-${tenantId}`;
        if (level === null) {
          await lowerBanner(tx, id);
          continue;
        }
        const { severity, message } = notices[level];
        await raiseBanner(tx, { id, severity, message, audience: 'admin', tenantId });
        // A notice of low credits is redundant after the notice that credits are used up.
        if (shown === 'error') continue;
        for (const admin of await selectAdmins(tx, tenantId)) {
          await mailbox.putNotice(tx, {
            effect: 'credit_notice',
            tenantId,
            to: admin.email,
            subject: mailWords`The credits of ${name} are ${level === 'zero' ? 'used up' : 'low'}`,
            body: mailWords`Hello ${admin.name},\n\n${new MailWords(message)}`,
            action: 'Recharge the credits',
            link: { origin: publicUrl, path: '/admin/tenant-credits' },
            opensRole: admin.role,
            expiresAt: new Date(Date.now() + mailDays * dayMs),
          });
        }
      }
    },
  };
}

const notices = {
  low: {
    severity: 'warning',
    message:
      'The credits of your organization are low. Recharge them under Tenant Credits: at zero, requests to service-managed models are refused.',
  },
  zero: {
    severity: 'error',
    message:
      'The credits of your organization are used up. Requests to service-managed models are refused until you recharge them under Tenant Credits; models that use your own provider keys continue to work.',
  },
} as const;

interface Change {
  readonly tenantId: number;
  readonly name: string;
  /** Level of the balance; `null` above the threshold. */
  readonly level: keyof typeof notices | null;
  readonly shown: 'warning' | 'error' | null;
}

async function findChanges(tx: SystemDatabase): Promise<Change[]> {
  const { rows } = await tx.execute<{ [Name in keyof Change]: Change[Name] }>(sql`
    SELECT * FROM (
      SELECT t.id AS "tenantId", t.name,
        CASE WHEN a.limit_amount - a.settled <= 0 THEN 'zero'
          WHEN a.limit_amount - a.settled <= t.low_balance_threshold THEN 'low' END AS level,
        b.severity AS shown
      FROM tenants t
      JOIN allowances a ON a.kind = 'credits' AND a.subject_id = t.id AND a.window_start = '-infinity'
      LEFT JOIN banners b ON b.id = 'low-credits-' || t.id
      WHERE a.limit_amount > 0
    ) seen
    WHERE shown IS DISTINCT FROM CASE level WHEN 'zero' THEN 'error' WHEN 'low' THEN 'warning' END
    ORDER BY "tenantId"`);
  return rows;
}

function selectAdmins(tx: SystemDatabase, tenantId: number) {
  return tx
    .select({ email: users.email, name: users.name, role: roles.name })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.tenantId, tenantId),
        eq(users.kind, 'person'),
        eq(users.isActive, true),
        eq(users.isBlocked, false),
        sql`${roles.name} <> 'user'`,
      ),
    )
    .orderBy(users.id);
}

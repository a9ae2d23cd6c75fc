import { and, asc, eq, inArray, isNotNull, isNull, lte, notExists, or, sql } from 'drizzle-orm';
import { subscriptionNotices, subscriptions } from '#db/schema/subscriptions.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import { formatUtcTime } from '#domain/format-time.ts';
import { findStanding } from '#domain/subscription-standing.ts';
import { type Mailbox, type MailWords, mailWords } from '#mail/mailbox.ts';
import { showSubscription, trialNoticeDays } from '#payments/show-subscription.ts';
import type { Job } from './job.ts';

type Subscription = typeof subscriptions.$inferSelect;

const subscriptionsMax = 50;
/** Number of days for which a link to the card form is useful. */
const linkDays = 30;

interface NotifyDeps {
  readonly mailbox: Pick<Mailbox, 'putNotice'>;
  /** Public URL without a trailing slash. */
  readonly publicUrl: string;
}

/** Notifies administrators once about each end of a trial without a card, and once about each failed renewal. */
export function createNotifySubscriptions({ mailbox, publicUrl }: NotifyDeps): Job {
  return {
    name: 'notify-subscriptions',
    pattern: '*/30 * * * * *',
    async run(tx) {
      for (const subscription of await takePending(tx)) {
        await showSubscription(tx, subscription, new Date());
        const mail = writeMail(subscription);
        for (const { email, name, role } of await findAdministrators(tx, subscription.tenantId)) {
          await mailbox.putNotice(tx, {
            effect: 'subscription_notice',
            tenantId: subscription.tenantId,
            to: email,
            subject: mail.subject,
            body: mailWords`Hello ${name},\n\n${mail.body}`,
            action: 'Open Tenant Credits',
            link: { origin: publicUrl, path: '/admin/tenant-credits' },
            opensRole: role,
            expiresAt: new Date(Date.now() + linkDays * 86_400_000),
          });
        }
      }
    },
  };
}

const kindOf = ({ status }: Subscription) => (status === 'trialing' ? 'trial_ends' : 'renewal_failed');
const happensAt = sql`CASE ${subscriptions.status} WHEN 'trialing' THEN ${subscriptions.trialEndsAt} ELSE ${subscriptions.unpaidSince} END`;

/** The notices count as sent when the transaction commits. */
async function takePending(tx: SystemDatabase): Promise<Subscription[]> {
  const { status, trialEndsAt, unpaidSince, endsAt, hasPaymentMethod } = subscriptions;
  const noticed = tx
    .select({ kind: subscriptionNotices.kind })
    .from(subscriptionNotices)
    .where(
      and(
        eq(subscriptionNotices.tenantId, subscriptions.tenantId),
        eq(subscriptionNotices.happensAt, sql`date_trunc('milliseconds', ${happensAt})`),
        sql`${subscriptionNotices.kind} = CASE ${status} WHEN 'trialing' THEN 'trial_ends' ELSE 'renewal_failed' END`,
      ),
    );
  const rows = await tx
    .select()
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.subscriptionId),
        or(
          and(
            eq(status, 'trialing'),
            eq(hasPaymentMethod, false),
            isNull(endsAt),
            lte(trialEndsAt, sql`now() + ${trialNoticeDays} * interval '1 day'`),
          ),
          and(eq(status, 'past_due'), isNotNull(unpaidSince)),
        ),
        notExists(noticed),
      ),
    )
    .orderBy(asc(subscriptions.tenantId))
    .limit(subscriptionsMax);
  for (const row of rows) {
    const instant = row.status === 'trialing' ? row.trialEndsAt : row.unpaidSince;
    if (instant)
      await tx
        .insert(subscriptionNotices)
        .values({ tenantId: row.tenantId, kind: kindOf(row), happensAt: instant })
        .onConflictDoNothing();
  }
  return rows;
}

function findAdministrators(tx: SystemDatabase, tenantId: number) {
  return tx
    .select({ email: users.email, name: users.name, role: roles.name })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.tenantId, tenantId),
        eq(users.kind, 'person'),
        users.isActive,
        inArray(roles.name, ['admin', 'super_admin']),
      ),
    )
    .orderBy(asc(users.id));
}

function writeMail(subscription: Subscription): { subject: MailWords; body: MailWords } {
  const { suspendsAt } = findStanding(subscription, new Date());
  const end = suspendsAt ? formatUtcTime(suspendsAt) : 'now';
  if (subscription.status === 'trialing')
    return {
      subject: mailWords`Your trial of Sluice ends soon`,
      body: mailWords`the trial of your organization ends on ${end}, and no card is on file to pay for the first month. From then on new requests are refused; users can still sign in and read.\n\nAdd a card before then to avoid an interruption.`,
    };
  const failure = subscription.failure ? mailWords`: ${subscription.failure}` : mailWords`.`;
  return {
    subject: mailWords`The payment for your Sluice plan failed`,
    body: mailWords`the payment for your organization's plan failed${failure}\n\nPay under Tenant Credits, or add another card. Starting ${end}, new requests are refused; users can still sign in and read.`,
  };
}

import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { formatWait } from '#domain/format-time.ts';
import {
  limitsOf,
  type OutboundEffect,
  type OutboundEffectName,
  type OutboundLimit,
  type OutboundScope,
  outboundEffects,
  windowSeconds,
} from '#domain/outbound-effects.ts';
import { ConsoleError } from '#errors/console-error.ts';

export interface EffectUse {
  readonly effect: OutboundEffectName;
  /** Tenant that causes the effect; `null` if no tenant causes it. */
  readonly tenantId: number | null;
  /** User who causes the effect; `null` for jobs and unauthenticated callers. */
  readonly actorId: number | null;
  readonly recipient: string;
  /** Whether the effect is for an administrator, who may have to resolve a suspension. */
  readonly isForAdministrator?: boolean;
}

type Refusal =
  | { readonly reason: 'suspended' }
  | {
      readonly reason: 'limit';
      readonly scope: OutboundScope;
      readonly limit: OutboundLimit;
      readonly waitSeconds: number;
    };

/**
 * Counts one outbound effect, in the transaction that queues the effect or right before the call.
 * @throws ConsoleError 429 if a limit is reached, 403 for a suspended tenant
 */
export async function requireEffect(tx: TenantTransaction, use: EffectUse): Promise<void> {
  const refusal = await takeEffect(tx, use);
  if (!refusal) return;
  if (refusal.reason === 'suspended') {
    throw new ConsoleError(
      403,
      'Your organization is suspended, so no emails are sent and no connections are tested. Reactivate the organization first.',
    );
  }
  const { scope, limit, waitSeconds } = refusal;
  const { noun } = outboundEffects[use.effect];
  throw new ConsoleError(
    429,
    `Limit for ${noun} ${scopeWords[scope]} reached: ${limit.max} of ${limit.max} per ${limit.per}. Try again in ${formatWait(waitSeconds)}.`,
    waitSeconds,
  );
}

const scopeWords: Readonly<Record<OutboundScope, string>> = {
  tenant: 'of your organization',
  actor: 'of your account',
  recipient: 'to this recipient',
};

/** Counts one outbound effect. Returns the reason if the effect is rejected, or `null`. */
export async function takeEffect(tx: TenantTransaction, use: EffectUse): Promise<Refusal | null> {
  const effect: OutboundEffect = outboundEffects[use.effect];
  const status = await readStatus(tx, use.tenantId);
  const isServed = effect.isForSuspended === true && use.isForAdministrator === true;
  if (status === 'suspended' && !isServed) return { reason: 'suspended' };
  const limits = limitsOf(effect, status === 'trial').filter(([scope]) => subjectOf(use, scope) !== null);
  const scopes = limits.map(([scope]) => scope);
  const subjects = scopes.map((scope) => subjectOf(use, scope));
  const windows = limits.map(([, { per }]) => windowSeconds[per]);
  const maxima = limits.map(([, { max }]) => max);
  const { rows } = await tx.execute<{ exceeded: OutboundScope | null; wait_seconds: number }>(
    sql`SELECT * FROM take_outbound(${use.effect}, ${sql.param(scopes)}::text[], ${sql.param(subjects)}::text[],
      ${sql.param(windows)}::integer[], ${sql.param(maxima)}::integer[])`,
  );
  const { exceeded = null, wait_seconds: waitSeconds = 0 } = rows[0] ?? {};
  const limit = limits.find(([scope]) => scope === exceeded)?.[1];
  return exceeded && limit ? { reason: 'limit', scope: exceeded, limit, waitSeconds } : null;
}

async function readStatus(tx: TenantTransaction, tenantId: number | null) {
  if (tenantId === null) return null;
  const [tenant] = await tx
    .select({ status: tenants.status })
    .from(tenants)
    .where(sql`${tenants.id} = ${tenantId}`);
  return tenant?.status ?? null;
}

function subjectOf({ tenantId, actorId, recipient }: EffectUse, scope: OutboundScope): string | null {
  if (scope === 'recipient') return hashRecipient(recipient);
  const id = scope === 'tenant' ? tenantId : actorId;
  return id === null ? null : String(id);
}

/** Identifies a recipient by a hash of the email address, since most recipients have no account id. */
function hashRecipient(recipient: string): string {
  const [name = '', domain] = recipient.toLowerCase().split('@');
  const mailbox = domain === undefined ? name : foldMailbox(name.replace(/\+.*$/, ''), domain);
  return createHash('sha256').update(mailbox).digest('hex');
}

/** Removes dots in Gmail addresses and unifies the domain, since Google delivers all these addresses to one mailbox. */
function foldMailbox(name: string, domain: string): string {
  if (!/^(gmail|googlemail)\.com$/.test(domain)) return `${name}@${domain}`;
  return `${name.replaceAll('.', '')}@gmail.com`;
}

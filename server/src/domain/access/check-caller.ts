import type { ErrorCode } from '@sluice/contract';
import type { AllowanceKind } from '../allowance/window.ts';
import type { Refusal } from './refusal.ts';

/** Inactive users only reach this check with an API key, because their sessions have ended. */
export function checkUser(person: { isActive: boolean; blockedReason: string | null }): Refusal | null {
  if (!person.isActive) {
    return {
      rule: 'user',
      code: 'account_blocked',
      message: 'Your account is inactive. Ask your administrator.',
    };
  }
  if (person.blockedReason === null) return null;
  return {
    rule: 'user',
    code: 'account_blocked',
    message: `Your account is blocked: ${person.blockedReason || 'no reason was given'}. Ask your administrator.`,
  };
}

export interface TenantStanding {
  readonly status: 'trial' | 'active' | 'suspended';
  readonly suspensionReason: string | null;
}

/** Also rejects requests of an unknown tenant. */
export function checkTenant(tenant: TenantStanding | undefined): Refusal | null {
  if (tenant?.status === 'trial' || tenant?.status === 'active') return null;
  return {
    rule: 'tenant',
    code: 'tenant_suspended',
    message: `Your organization is suspended${because(tenant?.suspensionReason)}. An administrator can pay its bill in the console.`,
  };
}

/** Formats a reason as `: {reason}` without a final period. Returns an empty string if there is no reason. */
export function because(reason: string | null | undefined): string {
  return reason ? `: ${reason.replace(/[.\s]+$/, '')}` : '';
}

/** Amounts are in requests, tokens or, for credits, nano-dollars. */
export interface LimitStanding {
  readonly kind: AllowanceKind;
  /** `null` means unlimited. */
  readonly limit: number | null;
  readonly left: number | null;
  /** Reason why the limit rejects requests regardless of its remaining amount. */
  readonly shutReason?: string;
}

const kinds: Readonly<Record<AllowanceKind, { readonly code: ErrorCode; readonly name: string }>> = {
  requests_per_hour: { code: 'requests_per_hour_exceeded', name: 'requests this hour' },
  tokens_per_day: { code: 'tokens_per_day_exceeded', name: 'tokens today' },
  tokens_per_month: { code: 'tokens_per_month_exceeded', name: 'tokens this month' },
  task_tokens: { code: 'task_tokens_exceeded', name: 'tokens of the task' },
  credits: { code: 'insufficient_credits', name: 'credits' },
  usd_budget: { code: 'budget_exceeded', name: 'dollars of a budget' },
  token_budget: { code: 'budget_exceeded', name: 'tokens of a budget' },
  request_budget: { code: 'budget_exceeded', name: 'requests of a budget' },
  parallel_requests: { code: 'too_many_at_once', name: 'parallel requests' },
};

/** The gateway may also reject a request that needs more than the remaining amount, which is not checked here. */
export function checkLimits(standings: readonly LimitStanding[]): Refusal | null {
  const spent = standings.find(({ left, shutReason }) => shutReason !== undefined || (left ?? 1) <= 0);
  if (!spent) return null;
  return { rule: 'limits', code: kinds[spent.kind].code, message: formatStanding(spent) };
}

export function formatStanding({ kind, left, limit, shutReason }: LimitStanding): string {
  const { name } = kinds[kind];
  if (shutReason !== undefined) return `${shutReason}.`;
  if (limit === null || left === null) return `Unlimited ${name}.`;
  const [shown, whole] = [left, limit].map((amount) => formatAmount(kind, amount));
  return kind === 'credits' ? `${shown} of ${name} left.` : `${shown} of ${whole} ${name} left.`;
}

function formatAmount(kind: AllowanceKind, amount: number): string {
  const left = Math.max(0, amount);
  if (kind !== 'credits') return left.toLocaleString('en-US');
  return (amount / 1e9).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 4,
  });
}

import type { Refusal } from './refusal.ts';

/** Whether the gate is open for a person. Of an inactive one only keys are good: their sessions have ended. */
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

/** What of a tenant decides whether its requests are answered. */
export interface TenantStanding {
  readonly status: 'trial' | 'active' | 'suspended';
  readonly suspensionReason: string | null;
}

/** Whether a tenant may have requests answered; one that is not known may not. */
export function checkTenant(tenant: TenantStanding | undefined): Refusal | null {
  if (tenant?.status === 'trial' || tenant?.status === 'active') return null;
  return {
    rule: 'tenant',
    code: 'tenant_suspended',
    message: `Your organisation is suspended${because(tenant?.suspensionReason)}. An administrator can pay its bill in the console.`,
  };
}

/** `: the reason`, without a full stop of its own, or nothing. */
export function because(reason: string | null | undefined): string {
  return reason ? `: ${reason.replace(/[.\s]+$/, '')}` : '';
}

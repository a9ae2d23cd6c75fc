import type { Refusal } from './refusal.ts';

/**
 * Checks whether a user may send requests. Inactive users reach this with API keys only, since their sessions have
 * ended.
 */
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

/** The properties of a tenant that decide whether its requests are served. */
export interface TenantStanding {
  readonly status: 'trial' | 'active' | 'suspended';
  readonly suspensionReason: string | null;
}

/** Checks whether a tenant's requests are served; an unknown tenant's are rejected. */
export function checkTenant(tenant: TenantStanding | undefined): Refusal | null {
  if (tenant?.status === 'trial' || tenant?.status === 'active') return null;
  return {
    rule: 'tenant',
    code: 'tenant_suspended',
    message: `Your organisation is suspended${because(tenant?.suspensionReason)}. An administrator can pay its bill in the console.`,
  };
}

/** Returns `: the reason` without a period at its end, or an empty string. */
export function because(reason: string | null | undefined): string {
  return reason ? `: ${reason.replace(/[.\s]+$/, '')}` : '';
}

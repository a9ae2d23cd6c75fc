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

/** Whether a tenant may have requests answered; one that is not known may not. */
export function checkTenant(status: 'trial' | 'active' | 'suspended' | undefined): Refusal | null {
  if (status === 'trial' || status === 'active') return null;
  return {
    rule: 'tenant',
    code: 'tenant_suspended',
    message: 'Your organisation is suspended. An administrator can pay its bill in the console.',
  };
}

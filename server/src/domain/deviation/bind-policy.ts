import type { DeviationPolicy, RoleName } from '@sluice/contract';
import { mayManage } from '../role.ts';

/**
 * A tenant's policy as it binds a person of a role. An administrator sets it, so it may shut out only whom an
 * administrator may block by hand; all others it warns.
 */
export function bindPolicy(policy: DeviationPolicy, role: RoleName): DeviationPolicy {
  return policy.mode !== 'block' || mayBlock(role) ? policy : { ...policy, mode: 'warn' };
}

/** Whether a tenant's policy may block a person of this role. */
export function mayBlock(role: RoleName): boolean {
  return mayManage('admin', role);
}

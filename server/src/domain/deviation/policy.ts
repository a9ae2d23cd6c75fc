import {
  type DeviationPolicy,
  defaultDeviationPolicy,
  deviationPolicy,
  type RoleName,
} from '@sluice/contract';
import { mayManage } from '../role.ts';

/**
 * Applies a tenant's policy to a role. Because administrators set the policy, it may only block users whom an
 * administrator may block. Other users are only warned.
 */
export function bindPolicy(policy: DeviationPolicy, role: RoleName): DeviationPolicy {
  return policy.mode !== 'block' || mayBlock(role) ? policy : { ...policy, mode: 'warn' };
}

/** Whether a tenant's policy may block users with this role. */
export function mayBlock(role: RoleName): boolean {
  return mayManage('admin', role);
}

/** Parses a stored policy. Returns the default policy if it is missing or invalid. */
export function readPolicy(stored: unknown): DeviationPolicy {
  return deviationPolicy.safeParse(stored).data ?? defaultDeviationPolicy;
}

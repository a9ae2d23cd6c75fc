import {
  type DeviationPolicy,
  defaultDeviationPolicy,
  deviationPolicy,
  type RoleName,
} from '@sluice/contract';
import { mayManage } from '../role.ts';

/**
 * Applies a tenant's policy to a role. Administrators set policies, so a policy may block only users whom an
 * administrator may block; other users are only warned.
 */
export function bindPolicy(policy: DeviationPolicy, role: RoleName): DeviationPolicy {
  return policy.mode !== 'block' || mayBlock(role) ? policy : { ...policy, mode: 'warn' };
}

/** Whether a tenant's policy may block users with this role. */
export function mayBlock(role: RoleName): boolean {
  return mayManage('admin', role);
}

/** Reads a stored policy; missing or invalid policies become the default. */
export function readPolicy(stored: unknown): DeviationPolicy {
  return deviationPolicy.safeParse(stored).data ?? defaultDeviationPolicy;
}

import {
  type DeviationPolicy,
  defaultDeviationPolicy,
  deviationPolicy,
  type RoleName,
} from '@sluice/contract';
import { mayManage } from '../role.ts';

/**
 * Because administrators set the policy, it may only block users whom an administrator may block. Other users are
 * only warned.
 */
export function bindPolicy(policy: DeviationPolicy, role: RoleName): DeviationPolicy {
  return policy.mode !== 'block' || mayBlock(role) ? policy : { ...policy, mode: 'warn' };
}

export function mayBlock(role: RoleName): boolean {
  return mayManage('admin', role);
}

/** Returns the default policy if the stored one is missing or invalid. */
export function readPolicy(stored: unknown): DeviationPolicy {
  return deviationPolicy.safeParse(stored).data ?? defaultDeviationPolicy;
}

import { findMaintenance, type ProviderInstance, type Target } from '../provider-instance.ts';

/** The targets of a user that can be called now, and the reasons why the others cannot. */
export interface CallableTargets<Instance extends ProviderInstance> {
  /** In the order in which they are tried. */
  readonly callable: readonly Target<Instance>[];
  readonly inMaintenance: readonly Target<Instance>[];
  readonly inCooldown: readonly { readonly target: Target<Instance>; readonly cooldownMs: number }[];
}

/**
 * Sorts targets by availability. `cooldownMsOf` returns the remaining cooldown of a failing target; `null` if there is
 * none.
 */
export function sortOutTargets<Instance extends ProviderInstance>(
  usable: readonly Target<Instance>[],
  cooldownMsOf: (target: Target<Instance>) => number | null,
  nowMs: number,
): CallableTargets<Instance> {
  const callable: Target<Instance>[] = [];
  const inMaintenance: Target<Instance>[] = [];
  const inCooldown: { target: Target<Instance>; cooldownMs: number }[] = [];
  for (const target of usable) {
    const cooldownMs = cooldownMsOf(target);
    if (findMaintenance(target.instance, nowMs)) inMaintenance.push(target);
    else if (cooldownMs !== null) inCooldown.push({ target, cooldownMs });
    else callable.push(target);
  }
  return { callable, inMaintenance, inCooldown };
}

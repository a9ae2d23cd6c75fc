import { findMaintenance, type ProviderInstance, type Target } from '../provider-instance.ts';

/** Which of the targets that a person may use are called at this moment, and why the others are not. */
export interface CallableTargets<Instance extends ProviderInstance> {
  /** In the order in which they are asked. */
  readonly callable: readonly Target<Instance>[];
  readonly inMaintenance: readonly Target<Instance>[];
  readonly inCooldown: readonly { readonly target: Target<Instance>; readonly cooldownMs: number }[];
}

/** `cooldownMsOf`: how long a target that keeps failing is still in cooldown; `null` when it is not. */
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

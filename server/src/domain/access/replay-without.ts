import type { ProviderInstance, Target } from '../resolve-model.ts';
import { checkModel, findTargetBlock, type ModelRights, sortOutTargets } from './check-model.ts';

/**
 * Reason why a request could not be served: no other instance has the model, the user may not use the model there, the
 * instance does not support the request, or the model is currently unavailable.
 */
export type ReplayFailure =
  | 'no_fallback'
  | 'blacklisted'
  | 'not_granted'
  | 'cannot_carry'
  | 'in_maintenance'
  | 'in_cooldown';

export type Replay<Instance extends ProviderInstance> =
  | { readonly target: Target<Instance>; readonly failure: null }
  | { readonly target: null; readonly failure: ReplayFailure };

export interface ReplayedWorld<Instance extends ProviderInstance> {
  /** Id of the instance that is assumed to be unavailable. */
  readonly downId: number;
  readonly rights: ModelRights<Instance>;
  /** Whether a target supports the request and the tenant can pay for it. */
  readonly canCarry: (target: Target<Instance>) => boolean;
  readonly cooldownMsOf: (target: Target<Instance>) => number | null;
  readonly nowMs: number;
}

/**
 * Returns the target that would serve the model if instance `downId` were unavailable, or the reason why none would.
 * Applies the gateway's rules in the gateway's order.
 */
export function replayWithout<Instance extends ProviderInstance>(
  name: string,
  { downId, rights, canCarry, cooldownMsOf, nowMs }: ReplayedWorld<Instance>,
): Replay<Instance> {
  const isUp = ({ instance }: Target) => instance.id !== downId;
  const usable = checkModel(name, rights).usable.filter(isUp);
  const carrying = usable.filter(canCarry);
  const { callable, inCooldown } = sortOutTargets(carrying, cooldownMsOf, nowMs);
  const [target] = callable;
  if (target) return { target, failure: null };
  if (carrying.length > 0) return fail(inCooldown.length > 0 ? 'in_cooldown' : 'in_maintenance');
  if (usable.length > 0) return fail('cannot_carry');
  const offered = rights.directory.resolve(name).filter(isUp);
  if (offered.length === 0) return fail('no_fallback');
  const isBlocked = (one: Target) => findTargetBlock(name, one, rights.blocks) !== undefined;
  return fail(offered.every(isBlocked) ? 'blacklisted' : 'not_granted');
}

function fail(failure: ReplayFailure) {
  return { target: null, failure };
}

import type { Principal } from '#domain/principal.ts';
import { resolveModel, type Target } from '#domain/provider-instance.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { InstanceEntry } from '../snapshot/entries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Bound } from './bind-task.ts';

export interface Authorized extends Bound {
  /** Instances that may serve this request, best first; never empty. */
  readonly targets: readonly [Target<InstanceEntry>, ...Target<InstanceEntry>[]];
}

/** Stage 5: which of the instances that offer the model this principal may use. */
export function authorize(exchange: Bound, snapshot: Snapshot): Authorized {
  const { completion, principal } = exchange;
  const offered = resolveModel(completion.model, snapshot.instances.find(principal.tenantId));
  const [first, ...others] = offered.filter((target) => mayUse(principal, target, snapshot));
  if (!first) {
    const reason =
      offered.length === 0 ? 'does not exist or is not enabled here' : 'has not been granted to you';
    throw new GatewayError(
      'model_not_found',
      `The model '${completion.model}' ${reason}. GET /api/v1/models lists what you may use.`,
      {
        param: 'model',
      },
    );
  }
  return Object.assign(exchange, { targets: [first, ...others] as const });
}

/** Administrators use every instance of their tenant; a user needs a grant that names the model. */
export function mayUse(principal: Principal, target: Target, snapshot: Snapshot): boolean {
  if (principal.role !== 'user') return true;
  return snapshot.grants
    .find(principal.userId)
    .some(({ instanceId, models }) => instanceId === target.instance.id && models.has(target.model));
}

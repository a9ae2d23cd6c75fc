import { checkTenant } from '#domain/access/check-caller.ts';
import { checkModel } from '#domain/access/check-model.ts';
import type { Refusal } from '#domain/access/refusal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { type Authorized, addResult, type Bound, type Classified } from '../exchange.ts';
import { readModelRights } from '../snapshot/model-rights.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Stage 6: finds the instances that offer the model and that this principal may use. */
export function authorize(exchange: Bound, snapshot: Snapshot): Authorized {
  const { completion, principal } = exchange;
  const suspension = checkTenant(snapshot.tenants.get(principal.tenantId));
  if (suspension) throw modelAccessError(suspension);
  const { usable, refusal } = checkModel(completion.model, readModelRights(principal, snapshot));
  if (refusal) throw modelAccessError(refusal);
  return addResult(exchange, 'authorize', { targets: usable });
}

/** Returns `null` if the principal may not use this model. */
export function authorizeInstead(exchange: Classified, model: string, snapshot: Snapshot): Classified | null {
  const { usable, refusal } = checkModel(model, readModelRights(exchange.principal, snapshot));
  if (refusal) return null;
  // Safe because nothing was reserved at or sent to the previous instances.
  const unauthorized: Bound & Omit<Classified, 'targets'> = exchange;
  return addResult(unauthorized, 'authorize', { targets: usable });
}

export function modelAccessError({ rule, code, message }: Refusal): GatewayError {
  return new GatewayError(code, message, { param: rule === 'tenant' ? null : 'model' });
}

import { judgeTenant } from '#domain/access/judge-caller.ts';
import { judgeModel } from '#domain/access/judge-model.ts';
import type { Refusal } from '#domain/access/refusal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { type Authorized, addResult, type Bound } from '../exchange.ts';
import { readModelRights } from '../snapshot/model-rights.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Stage 6: which of the instances that offer the model this principal may use. */
export function authorize(exchange: Bound, snapshot: Snapshot): Authorized {
  const { completion, principal } = exchange;
  const suspension = judgeTenant(snapshot.tenants.get(principal.tenantId)?.status);
  if (suspension) throw describeRefusal(suspension);
  const { usable, refusal } = judgeModel(completion.model, readModelRights(principal, snapshot));
  if (refusal) throw describeRefusal(refusal);
  return addResult(exchange, { targets: usable });
}

export function describeRefusal({ rule, code, message }: Refusal): GatewayError {
  return new GatewayError(code, message, { param: rule === 'tenant' ? null : 'model' });
}

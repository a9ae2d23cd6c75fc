import type { Target } from '#domain/provider-instance.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Authorized, ProviderRequest } from '../exchange.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

/**
 * Returns an error if a request cannot be paid with credits: prices cover only a model's tokens, while a search, a
 * hosted tool or a faster service tier costs the operator more. Translated requests never include these.
 */
export function paidExtraError(
  { completion }: Authorized,
  { instance }: Target<InstanceEntry>,
  { isPassThrough }: ProviderRequest,
): GatewayError | null {
  if (!instance.isServiceManaged || !isPassThrough) return null;
  const param = completion.findPaidExtra();
  if (param === null) return null;
  const message = `'${param}' may cost more than the tokens of the model, and "${instance.name}" is paid with credits, which have no price for it. Leave it out, or ask for an instance that your organisation manages itself.`;
  return new GatewayError('invalid_request', message, { param });
}

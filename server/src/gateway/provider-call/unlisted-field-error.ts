import type { Target } from '#domain/resolve-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { ProviderRequest } from '../exchange.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

/**
 * Returns an error for a field that may refer to data stored in the operator's provider account, which tenants share:
 * only fields known to be self-contained may be sent there.
 */
export function unlistedFieldError(
  { instance }: Target<InstanceEntry>,
  { findUnlistedField }: Pick<ProviderRequest, 'findUnlistedField'>,
): GatewayError | null {
  const path = instance.isServiceManaged ? findUnlistedField() : null;
  if (path === null) return null;
  const param = path.replace(/(\[\d+\])+$/, '').replace(/^.*\./, '');
  const message = `'${path}' cannot go to "${instance.name}", whose account other organisations share: it may name what that account keeps. Send the content itself, or leave the field out.`;
  return new GatewayError('invalid_request', message, { param });
}

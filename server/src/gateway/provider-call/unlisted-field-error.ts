import type { Target } from '#domain/resolve-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { ProviderRequest } from '../exchange.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

/**
 * Rejects fields that may reference data stored in the operator's provider account, which tenants share. Only fields
 * known to be self-contained may be sent there.
 */
export function unlistedFieldError(
  { instance }: Target<InstanceEntry>,
  request: Pick<ProviderRequest, 'findUnlistedField'>,
): GatewayError | null {
  const path = instance.isServiceManaged ? request.findUnlistedField() : null;
  if (path === null) return null;
  const param = path.replace(/(\[\d+\])+$/, '').replace(/^.*\./, '');
  const message = `'${path}' cannot be sent to "${instance.name}", because other organizations share its provider account and the field may refer to data stored there. Send the content itself, or omit the field.`;
  return new GatewayError('invalid_request', message, { param });
}

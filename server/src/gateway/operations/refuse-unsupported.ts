import { GatewayError } from '#errors/gateway-error.ts';
import type { Authenticated } from '../exchange.ts';
import { supportedEndpoints } from '../routes.ts';

/** No provider supports these OpenAI endpoints. */
export function refuseUnsupported({ route }: Authenticated): never {
  throw unsupportedError(route.row.path);
}

/** Returns an error that lists the supported endpoints and suggests `meant`, if known. */
export function unsupportedError(endpoint: string, meant: string | null = null): GatewayError {
  const named = endpoint.length > endpointMaxLength ? `${endpoint.slice(0, endpointMaxLength)}...` : endpoint;
  const hint = meant === null ? '' : ` Did you mean POST ${meant}? Check the base URL of your client.`;
  return new GatewayError(
    'not_supported',
    `${named} is not supported here.${hint} Supported endpoints: ${supportedEndpoints.join(', ')}.`,
  );
}

/** Leaves room in the message for the list of endpoints. */
const endpointMaxLength = 200;

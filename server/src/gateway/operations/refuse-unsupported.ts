import { GatewayError } from '#errors/gateway-error.ts';
import type { Authenticated } from '../exchange.ts';
import { supportedEndpoints } from '../routes.ts';

/** Rejects OpenAI endpoints that no provider supports. */
export function refuseUnsupported({ route }: Authenticated): never {
  throw new GatewayError(
    'not_supported',
    `${route.row.path} is not supported here. What is: ${supportedEndpoints.join(', ')}.`,
  );
}

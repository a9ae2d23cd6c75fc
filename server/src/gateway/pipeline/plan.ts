import { GatewayError } from '#errors/gateway-error.ts';
import { findProvider } from '#providers/registry.ts';
import type { InstanceEntry } from '../snapshot/entries.ts';
import type { Authorized } from './authorize.ts';

/** One try at one instance: where to send what. */
export interface Attempt {
  readonly instance: InstanceEntry;
  readonly model: string;
  readonly url: URL;
  /** The built-in sandbox, whose origin is held in code and not in any row. */
  readonly isBuiltIn: boolean;
}

export interface Planned extends Authorized {
  readonly attempts: readonly Attempt[];
}

/** Stage 7: the targets as a flat list of attempts. */
export function plan(exchange: Authorized, sandboxOrigin: string | null): Planned {
  const attempts = exchange.targets.flatMap(({ instance, model }) => {
    const provider = findProvider(instance.providerKey);
    const isBuiltIn = instance.providerKey === 'sandbox';
    const endpoint = isBuiltIn
      ? sandboxOrigin && `${sandboxOrigin}/v1`
      : (instance.endpoint ?? provider?.defaultEndpoint);
    return provider && endpoint
      ? [{ instance, model, url: new URL(endpoint + provider.chat.path), isBuiltIn }]
      : [];
  });
  if (attempts.length === 0) {
    throw new GatewayError(
      'upstream_error',
      'The provider of this model has no address here. Ask your administrator.',
    );
  }
  return Object.assign(exchange, { attempts });
}

import type { Target } from '#domain/provider-instance.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Protocol } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import type { Provider } from '#providers/provider.ts';
import { findProvider } from '#providers/registry.ts';
import { createEncoder, type ProviderRequest } from '../encode-for-provider.ts';
import type { InstanceEntry } from '../snapshot/entries.ts';
import type { Authorized } from './authorize.ts';

/** One try at one instance: where to send what, and how to read the answer. */
export interface Attempt extends ProviderRequest {
  readonly instance: InstanceEntry;
  readonly model: string;
  readonly url: URL;
  /** What signs the call. */
  readonly headers: Readonly<Record<string, string>>;
  /** The built-in provider's origin is held in code and not in any row, so its address is not checked. */
  readonly isBuiltIn: boolean;
  readonly protocol: Protocol;
}

export interface Planned extends Authorized {
  readonly attempts: readonly Attempt[];
}

/** Stage 7: the targets that can carry this request, as a flat list of attempts. */
export function plan(exchange: Authorized, sandboxOrigin: string | null): Planned {
  const { completion, targets } = exchange;
  const encode = createEncoder(completion);
  const attempts: Attempt[] = [];
  let refusal: GatewayError | null = null;
  for (const target of targets) {
    const provider = findProvider(target.instance.providerKey);
    const url = provider && findUrl(target, provider, completion.isStream, sandboxOrigin);
    if (!url) continue;
    const encoded = encode(target.model, provider.chat);
    if (encoded instanceof GatewayError) {
      refusal ??= encoded;
      continue;
    }
    const { isBuiltIn = false, chat } = provider;
    const headers = isBuiltIn ? provider.authorize('sandbox') : target.instance.headers;
    attempts.push({ ...target, url, headers, isBuiltIn, protocol: protocols[chat.protocol], ...encoded });
  }
  if (attempts.length === 0)
    throw (
      refusal ??
      new GatewayError(
        'upstream_error',
        'The provider of this model has no address here. Ask your administrator.',
      )
    );
  return Object.assign(exchange, { attempts });
}

function findUrl(
  { instance, model }: Target<InstanceEntry>,
  provider: Provider,
  isStream: boolean,
  sandboxOrigin: string | null,
): URL | null {
  const endpoint = provider.isBuiltIn ? sandboxOrigin : (instance.endpoint ?? provider.defaultEndpoint);
  return endpoint === null ? null : new URL(endpoint + provider.chat.path(model, isStream));
}

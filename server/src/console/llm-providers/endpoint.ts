import type { TenantTransaction } from '#db/tenant.ts';
import { normalizeEndpoint } from '#domain/provider-endpoint.ts';
import { invalidField } from '#errors/console-error.ts';
import type { Provider } from '#providers/provider.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { findVendor } from './store.ts';

export type CheckEndpointUrl = (text: string) => { ok: true; url: URL } | { ok: false; reason: string };

/**
 * Returns the endpoint to store. `null` means the provider's default endpoint, which is always used for the sandbox.
 * @throws ConsoleError 422 if the endpoint is missing, not allowed or specified for the sandbox
 */
export function resolveEndpoint(
  checkEndpointUrl: CheckEndpointUrl,
  { isBuiltIn, defaultEndpoint, endpointForm }: Provider,
  given: string | null | undefined,
): string | null {
  if (isBuiltIn) {
    if (given)
      throw invalidField(
        'api_endpoint',
        'The sandbox does not have a configurable endpoint. Omit the endpoint.',
      );
    return null;
  }
  if (!given) {
    if (defaultEndpoint === null)
      throw invalidField('api_endpoint', 'Endpoint is required for this provider');
    return null;
  }
  // The only allowed query parameter is `api-version` in Azure URLs.
  const [, apiVersion] = (endpointForm === 'azure' && /\?api-version=([\w.-]+)$/.exec(given)) || [];
  const verdict = checkEndpointUrl(apiVersion === undefined ? given : given.slice(0, given.indexOf('?')));
  if (!verdict.ok) throw invalidField('api_endpoint', verdict.reason);
  if (apiVersion !== undefined) verdict.url.searchParams.set('api-version', apiVersion);
  return normalizeEndpoint(verdict.url, endpointForm, defaultEndpoint);
}

export interface RegisteredProvider extends Provider {
  readonly key: string;
  readonly registryId: number;
}

/** @throws ConsoleError 422 if the provider is disabled or not supported by this version */
export async function requireProvider(
  tx: TenantTransaction,
  reference: number | string,
): Promise<RegisteredProvider> {
  const vendor = await findVendor(tx, reference);
  const provider = vendor && toVendorProvider(vendor);
  if (!vendor || !provider) throw invalidField('provider_registry_id', 'This provider is not available');
  return { ...provider, key: vendor.providerKey, registryId: vendor.id };
}

import { normaliseEndpoint } from '#domain/provider-endpoint.ts';
import { invalidField } from '#errors/console-error.ts';
import type { Provider } from '#providers/provider.ts';

/** Whether an endpoint may be stored at all: the outbound guard's judgement of its text. */
export type CheckEndpointUrl = (text: string) => { ok: true; url: URL } | { ok: false; reason: string };

/**
 * The endpoint to store; `null` means the vendor's own. The sandbox lives at an address that only code knows.
 * @throws ConsoleError 422 for one that is missing, not allowed, or given to the sandbox.
 */
export function resolveEndpoint(
  checkEndpointUrl: CheckEndpointUrl,
  { isBuiltIn, defaultEndpoint, endpointForm }: Provider,
  given: string | null | undefined,
): string | null {
  if (isBuiltIn) {
    if (given) throw invalidField('api_endpoint', 'The sandbox has no endpoint of its own');
    return null;
  }
  if (!given) {
    if (defaultEndpoint === null)
      throw invalidField('api_endpoint', 'Endpoint is required for this provider');
    return null;
  }
  // The only query that an address may have, where it is a part of the vendor's addresses.
  const [, apiVersion] = (endpointForm === 'azure' && /\?api-version=([\w.-]+)$/.exec(given)) || [];
  const verdict = checkEndpointUrl(apiVersion === undefined ? given : given.slice(0, given.indexOf('?')));
  if (!verdict.ok) throw invalidField('api_endpoint', verdict.reason);
  if (apiVersion !== undefined) verdict.url.searchParams.set('api-version', apiVersion);
  return normaliseEndpoint(verdict.url, endpointForm, defaultEndpoint);
}

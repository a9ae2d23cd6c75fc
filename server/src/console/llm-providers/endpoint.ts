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
  { key, defaultEndpoint }: { key: string } & Pick<Provider, 'defaultEndpoint'>,
  given: string | undefined,
): string | null {
  if (key === 'sandbox') {
    if (given) throw invalidField('api_endpoint', 'The sandbox has no endpoint of its own');
    return null;
  }
  if (!given) {
    if (defaultEndpoint === null)
      throw invalidField('api_endpoint', 'Endpoint is required for this provider');
    return null;
  }
  const verdict = checkEndpointUrl(given);
  if (!verdict.ok) throw invalidField('api_endpoint', verdict.reason);
  return normaliseEndpoint(verdict.url, defaultEndpoint);
}

import type { ConnectionTest, testLlmProviderBody } from '@sluice/contract';
import type { z } from 'zod';
import { noteConnectionTest } from '#console/first-steps/note-connection-test.ts';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type DiscoverModelsDeps, tryConnection } from './discover-models.ts';
import { type CheckEndpointUrl, resolveEndpoint } from './endpoint.ts';
import { requireProvider } from './require-provider.ts';

/** Tests a connection from a form; stores only that one of the tenant's own providers was reached. */
export async function testLlmProvider(
  deps: DiscoverModelsDeps & { readonly checkEndpointUrl: CheckEndpointUrl },
  ctx: SignedInContext,
  body: z.output<typeof testLlmProviderBody>,
): Promise<ConnectionTest> {
  const provider = await ctx.inTenant((tx) => requireProvider(tx, body.provider_registry_id));
  const endpoint = resolveEndpoint(deps.checkEndpointUrl, provider, body.api_endpoint);
  if (!body.api_key && !provider.isKeyOptional) throw invalidField('api_key', 'API key is required');
  const test = await tryConnection(deps, ctx, {
    provider,
    endpoint,
    apiKey: body.api_key || null,
  });
  if (test.success && !provider.isBuiltIn) await noteConnectionTest(ctx);
  return test;
}

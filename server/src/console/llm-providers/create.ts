import type { createLlmProviderBody, LlmProvider } from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import { requirePrices } from '#console/credits/require-prices.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { AuthorContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { providerKeyPlace, sealSecret } from '#platform/seal-secret.ts';
import { type CheckEndpointUrl, resolveEndpoint } from './endpoint.ts';
import { toLlmProvider } from './list.ts';
import { requireModels } from './require-models.ts';
import { requireProvider } from './require-provider.ts';
import { clearDefault, insertProvider, selectProviders, setSealedApiKey } from './store.ts';
import { timeoutColumns } from './timeout-columns.ts';

export interface CreateLlmProviderDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  readonly checkEndpointUrl: CheckEndpointUrl;
}

type Body = z.output<typeof createLlmProviderBody>;

/** Adds an instance. Locks out other changes of the tenant's instances, so that names and defaults stay unique. */
export async function createLlmProvider(
  deps: CreateLlmProviderDeps,
  ctx: AuthorContext,
  body: Body,
): Promise<LlmProvider> {
  const { tenantId, userId, role } = ctx.principal;
  if (body.is_service_managed && role !== 'super_admin') {
    throw new ConsoleError(403, 'Only a super administrator may create a service-managed provider');
  }
  return ctx.inTenant(async (tx) => {
    await holdLock(tx, 'llmProviders', tenantId);
    const provider = await requireProvider(tx, body.provider_registry_id);
    const apiEndpoint = resolveEndpoint(deps.checkEndpointUrl, provider, body.api_endpoint);
    if (!body.api_key && !provider.isKeyOptional) throw invalidField('api_key', 'API key is required');
    const models = await requireModels(tx, tenantId, {
      enabledModels: body.enabled_models,
      defaultModel: body.default_model ?? null,
      aliases: body.model_aliases ?? {},
    });
    if (body.is_service_managed) await requirePrices(tx, tenantId, { providerKey: provider.key, ...models });
    if (body.is_default) await clearDefault(tx, tenantId, provider.registryId);
    const id = await insertProvider(tx, {
      tenantId,
      providerRegistryId: provider.registryId,
      providerInstanceName: body.provider_instance_name,
      apiEndpoint,
      ...models,
      availableModels: [...new Set(body.available_models)],
      isDefault: body.is_default,
      isActive: body.is_active,
      isServiceManaged: body.is_service_managed,
      ...timeoutColumns(body),
      createdBy: userId,
    });
    if (id === undefined) {
      throw invalidField('provider_instance_name', 'A provider with this name already exists');
    }
    if (body.api_key) {
      const place = providerKeyPlace(tenantId, id);
      await setSealedApiKey(tx, id, sealSecret(deps.keyring.sealingKey, place, body.api_key));
    }
    const [row] = await selectProviders(tx, tenantId, id);
    if (!row) throw new Error('a new row is gone');
    return toLlmProvider(row);
  });
}

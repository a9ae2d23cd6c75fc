import { isDeepStrictEqual } from 'node:util';
import type { LlmProvider, RoleName, updateLlmProviderBody } from '@sluice/contract';
import type { z } from 'zod';
import { requirePrices } from '#console/credits/require-prices.ts';
import { ConsoleError, invalidField, requireUnchanged } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { providerKeyPlace, sealSecret } from '#platform/seal-secret.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { changeProvider } from './change-provider.ts';
import type { CreateLlmProviderDeps } from './create.ts';
import { resolveEndpoint } from './endpoint.ts';
import { toLlmProvider } from './list.ts';
import { requireModels } from './require-models.ts';
import { noFormerKey, requireKeyRight } from './rotate-key.ts';
import { clearDefault, isNameTaken, type ProviderRow } from './store.ts';
import { timeoutColumns } from './timeout-columns.ts';

type Body = z.output<typeof updateLlmProviderBody>;

/** Changes only the given fields. Locks out other changes of the tenant's instances. */
export async function updateLlmProvider(
  deps: CreateLlmProviderDeps,
  ctx: SignedInContext,
  id: number,
  body: Body,
): Promise<LlmProvider> {
  const { tenantId, role } = ctx.principal;
  return changeProvider(ctx, id, async (row, tx) => {
    const fixed = toLlmProvider(row);
    requireUnchanged(['provider_registry_id', 'provider_key', 'is_service_managed'], fixed, body);
    const isKeyed = body.api_key !== undefined || changesEndpoint(row, body);
    if (isKeyed) requireKeyRight(row, role);
    const name = body.provider_instance_name;
    if (name !== undefined && (await isNameTaken(tx, tenantId, name, id))) {
      throw invalidField('provider_instance_name', 'A provider with this name already exists');
    }
    if (row.isServiceManaged && changesModels(row, body)) requireOperator(role);
    const models = await requireModels(tx, tenantId, mergeModels(row, body), id);
    // A missing price must not prevent disabling the instance.
    if (row.isServiceManaged && models.enabledModels.some((model) => !row.enabledModels.includes(model)))
      await requirePrices(tx, tenantId, { id, providerKey: row.providerKey, ...models });
    if (body.is_default) await clearDefault(tx, tenantId, row.registryId);
    return {
      ...models,
      ...timeoutColumns(body),
      ...keyChanges(deps, tenantId, row, body),
      availableModels: body.available_models ? [...new Set(body.available_models)] : row.availableModels,
      providerInstanceName: name ?? row.name,
      isDefault: body.is_default ?? row.isDefault,
      isActive: body.is_active ?? row.isActive,
    };
  });
}

function mergeModels(row: ProviderRow, body: Body) {
  return {
    enabledModels: body.enabled_models ?? row.enabledModels,
    defaultModel: body.default_model === undefined ? row.defaultModel : body.default_model,
    aliases: body.model_aliases ?? row.modelAliases,
  };
}

/** The operator pays for these models. Forms send unchanged fields too. */
function changesModels(row: ProviderRow, body: Body): boolean {
  const { aliases, defaultModel, enabledModels } = mergeModels(row, body);
  const before = [row.enabledModels, row.availableModels, row.defaultModel, row.modelAliases, row.isDefault];
  const after = [
    enabledModels,
    body.available_models ?? row.availableModels,
    defaultModel,
    aliases,
    body.is_default ?? row.isDefault,
  ];
  return !isDeepStrictEqual(before, after);
}

function requireOperator(role: RoleName): void {
  if (role === 'super_admin') return;
  throw new ConsoleError(
    403,
    'Only a super administrator may change the models, aliases and defaults of a service-managed provider',
  );
}

function changesEndpoint(row: ProviderRow, { api_endpoint: given }: Body): boolean {
  return given !== undefined && (given || null) !== row.apiEndpoint;
}

// A key belongs to the endpoint it was given for, so changing one requires the other.
function keyChanges(deps: CreateLlmProviderDeps, tenantId: number, row: ProviderRow, body: Body) {
  const provider = toVendorProvider({
    providerKey: row.providerKey,
    displayName: row.vendorName,
    apiEndpoint: row.vendorEndpoint,
  });
  if (!provider) throw new ConsoleError(409, 'This version does not know the vendor of this provider');
  const { api_endpoint: given, api_key: apiKey } = body;
  const apiEndpoint = changesEndpoint(row, body)
    ? resolveEndpoint(deps.checkEndpointUrl, provider, given)
    : row.apiEndpoint;
  const sealed = apiKey && sealSecret(deps.keyring.sealingKey, providerKeyPlace(tenantId, row.id), apiKey);
  if (apiEndpoint !== row.apiEndpoint && row.hasApiKey && !sealed) {
    throw invalidField('api_key', 'Enter the API key again to change the endpoint');
  }
  return { apiEndpoint, ...(sealed && { sealedApiKey: sealed, ...noFormerKey }) };
}

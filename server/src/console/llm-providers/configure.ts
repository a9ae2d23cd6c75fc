import { isDeepStrictEqual } from 'node:util';
import type {
  createLlmProviderBody,
  LlmProvider,
  ProviderTimeoutField,
  RoleName,
  updateLlmProviderBody,
} from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import { requirePrices } from '#console/credits/price-book.ts';
import { reserveId } from '#db/reserve-id.ts';
import { llmProviders } from '#db/schema/llm-providers.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { findModelProblem, type InstanceModels } from '#domain/find-model-problem.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, requireUnchanged } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import { providerKeyPlace, sealSecret } from '#platform/seal-secret.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { changeProvider } from './change-provider.ts';
import { type CheckEndpointUrl, requireProvider, resolveEndpoint } from './endpoint.ts';
import { toLlmProvider } from './list.ts';
import { noFormerKey, requireKeyRight } from './rotate-key.ts';
import {
  clearDefault,
  findTakenAlias,
  insertProvider,
  isNameTaken,
  type ProviderRow,
  selectProviders,
} from './store.ts';

type Given = Partial<Record<ProviderTimeoutField, number | null>>;

/** Absent timeouts do not change. */
const timeoutColumns = (body: Given) => ({
  connectTimeoutMs: body.connect_timeout_ms,
  firstByteTimeoutMs: body.first_byte_timeout_ms,
  idleTimeoutMs: body.idle_timeout_ms,
  totalTimeoutMs: body.total_timeout_ms,
  streamTotalTimeoutMs: body.stream_total_timeout_ms,
});

export interface CreateLlmProviderDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  readonly checkEndpointUrl: CheckEndpointUrl;
  /**
   * Whether the instance may share aliases with other instances, like model groups in other gateways. The instances
   * are then tried in order.
   */
  readonly sharesAliases?: boolean;
}

type NewProvider = z.output<typeof createLlmProviderBody>;

/** Prevents concurrent changes of the tenant's instances, so that names and defaults remain unique. */
export async function createLlmProvider(
  deps: CreateLlmProviderDeps,
  tx: TenantTransaction,
  author: Author,
  body: NewProvider,
): Promise<LlmProvider> {
  const { tenantId, userId, role } = author;
  if (body.is_service_managed && role !== 'super_admin') {
    throw new ConsoleError(403, 'Only a super administrator may create a service-managed provider');
  }
  await holdLock(tx, 'llmProviders', tenantId);
  const provider = await requireProvider(tx, body.provider_registry_id);
  const apiEndpoint = resolveEndpoint(deps.checkEndpointUrl, provider, body.api_endpoint);
  if (!body.api_key && !provider.isKeyOptional) throw invalidField('api_key', 'API key is required');
  const models = await requireModels(
    tx,
    tenantId,
    {
      enabledModels: body.enabled_models,
      defaultModel: body.default_model ?? null,
      aliases: body.model_aliases ?? {},
    },
    deps.sharesAliases ? null : [],
  );
  if (body.is_service_managed) await requirePrices(tx, tenantId, { providerKey: provider.key, ...models });
  if (body.is_default) await clearDefault(tx, tenantId, provider.registryId);
  const id = await reserveId(tx, llmProviders);
  const sealedApiKey = body.api_key
    ? sealSecret(deps.keyring.sealingKey, providerKeyPlace(tenantId, id), body.api_key)
    : null;
  const isNew = await insertProvider(tx, {
    id,
    sealedApiKey,
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
  if (!isNew) throw invalidField('provider_instance_name', 'A provider with this name already exists');
  const [row] = await selectProviders(tx, tenantId, id);
  if (!row) throw new Error('the inserted row was not found');
  return toLlmProvider(row);
}

/**
 * Returns the distinct models of an instance. Aliases not in `ownAliases` must not be used by other instances; a
 * value of `null` allows shared aliases.
 * @throws ConsoleError 422 if an alias has no target or is used by another instance of the tenant
 */
async function requireModels(
  tx: TenantTransaction,
  tenantId: number,
  models: InstanceModels,
  ownAliases: readonly string[] | null,
) {
  const { defaultModel, aliases: modelAliases } = models;
  const enabledModels = [...new Set(models.enabledModels)];
  const fault = findModelProblem({ ...models, enabledModels });
  if (fault) throw invalidField(fault.field, fault.problem);
  const added = ownAliases && Object.keys(modelAliases).filter((alias) => !ownAliases.includes(alias));
  const taken = added ? await findTakenAlias(tx, tenantId, added) : undefined;
  if (taken !== undefined) {
    throw invalidField('model_aliases', `The alias '${taken}' is already used by another provider`);
  }
  return { enabledModels, defaultModel, modelAliases };
}

type ProviderChange = z.output<typeof updateLlmProviderBody>;

/** Fields that this endpoint does not change. Maintenance and the fallback order have separate endpoints. */
const fixedFields = [
  'provider_registry_id',
  'provider_key',
  'is_service_managed',
  'has_api_key',
  'maintenance',
  'fallback_position',
] as const;

/** Prevents concurrent changes of the tenant's instances. */
export async function updateLlmProvider(
  deps: CreateLlmProviderDeps,
  tx: TenantTransaction,
  author: Author,
  { id, body }: { readonly id: number; readonly body: ProviderChange },
): Promise<LlmProvider> {
  const { tenantId, role } = author;
  return changeProvider(tx, author, id, async (row) => {
    requireUnchanged(fixedFields, toLlmProvider(row), body);
    const isKeyed = body.api_key !== undefined || changesEndpoint(row, body);
    if (isKeyed) requireKeyRight(row, role);
    const name = body.provider_instance_name;
    if (name !== undefined && (await isNameTaken(tx, tenantId, name, id))) {
      throw invalidField('provider_instance_name', 'A provider with this name already exists');
    }
    if (row.isServiceManaged && changesModels(row, body)) requireOperator(role);
    const models = await requireModels(tx, tenantId, mergeModels(row, body), Object.keys(row.modelAliases));
    // Require prices only for added models, so that an instance with a missing price can still be disabled.
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

function mergeModels(row: ProviderRow, body: ProviderChange) {
  return {
    enabledModels: body.enabled_models ?? row.enabledModels,
    defaultModel: body.default_model === undefined ? row.defaultModel : body.default_model,
    aliases: body.model_aliases ?? row.modelAliases,
  };
}

/** Returns whether a change affects the models, which the operator pays for. Forms also send unchanged fields. */
function changesModels(row: ProviderRow, body: ProviderChange): boolean {
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

function changesEndpoint(row: ProviderRow, { api_endpoint: given }: ProviderChange): boolean {
  return given !== undefined && (given || null) !== row.apiEndpoint;
}

// Returns the columns of a changed key. Changing the endpoint requires a new key, because a key is only valid for the
// endpoint it was entered with.
function keyChanges(deps: CreateLlmProviderDeps, tenantId: number, row: ProviderRow, body: ProviderChange) {
  const provider = toVendorProvider({
    providerKey: row.providerKey,
    displayName: row.vendorName,
    apiEndpoint: row.vendorEndpoint,
  });
  if (!provider)
    throw new ConsoleError(
      409,
      'This version does not support the vendor of this provider, so the provider cannot be changed',
    );
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

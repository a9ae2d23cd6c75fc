import { isDeepStrictEqual } from 'node:util';
import type {
  createProviderRegistryBody,
  ProviderRegistryEntry,
  updateProviderRegistryBody,
} from '@sluice/contract';
import type { z } from 'zod';
import { type CheckEndpointUrl, resolveEndpoint } from '#console/llm-providers/endpoint.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound, requireUnchanged } from '#errors/console-error.ts';
import { isBuiltInProvider, providers, toVendorProvider } from '#providers/registry.ts';
import { toRegistryEntry } from './list.ts';
import { deleteUnused, findRegistryRow, insertVendor, type RegistryRow, updateVendor } from './store.ts';

export async function createProviderRegistryEntry(
  checkEndpointUrl: CheckEndpointUrl,
  tx: SystemDatabase,
  _author: Principal,
  body: z.output<typeof createProviderRegistryBody>,
): Promise<ProviderRegistryEntry> {
  const { api_endpoint: given } = body;
  const row = await insertVendor(tx, {
    providerKey: body.provider_key,
    displayName: body.display_name,
    icon: body.icon,
    supportedModels: [...new Set(body.supported_models)],
    isActive: body.is_active ?? true,
    apiEndpoint: given ? resolveEndpoint(checkEndpointUrl, providers.custom, given) : null,
  });
  if (!row) throw invalidField('provider_key', 'A provider with this key already exists');
  requireEndpoint(row, body);
  return toRegistryEntry(row);
}

/**
 * Unchanged values are ignored, so that a form that sends all fields does not override the defaults of later
 * versions. Name and icon of built-in providers are fixed.
 */
export async function updateProviderRegistryEntry(
  tx: SystemDatabase,
  _author: Principal,
  { id, body }: { readonly id: number; readonly body: z.output<typeof updateProviderRegistryBody> },
): Promise<ProviderRegistryEntry> {
  const row = await findRegistryRow(tx, id);
  if (!row) throw notFound('Provider');
  requireOwnNames(row, body);
  requireEndpoint(row, body);
  const told = toRegistryEntry(row);
  requireUnchanged(fixedFields, told, body);
  const { display_name, icon, supported_models, is_active } = body;
  const changed = await updateVendor(tx, id, {
    displayName: display_name ?? row.displayName,
    icon: icon ?? row.icon,
    supportedModels:
      supported_models && !isDeepStrictEqual(supported_models, told.supported_models)
        ? [...new Set(supported_models)]
        : row.supportedModels,
    isActive: is_active === undefined || is_active === told.is_active ? row.isActive : is_active,
  });
  if (!changed) throw notFound('Provider');
  return toRegistryEntry(changed);
}

const fixedFields = [
  'provider_key',
  'value',
  'label',
  'models',
  'default_endpoint',
  'suggested_endpoint',
  'default_model',
  'is_built_in',
  'is_key_optional',
] as const;

function requireOwnNames(row: RegistryRow, body: z.output<typeof updateProviderRegistryBody>): void {
  if (!isBuiltInProvider(row.providerKey)) return;
  const problem = 'This field of a built-in provider cannot be changed';
  if ((body.display_name ?? row.displayName) !== row.displayName) throw invalidField('display_name', problem);
  if ((body.icon ?? row.icon) !== row.icon) throw invalidField('icon', problem);
}

/** @throws ConsoleError 422 if an entry without an API endpoint is to be activated */
function requireEndpoint(row: RegistryRow, { is_active }: { is_active?: boolean | undefined }): void {
  if (!is_active || toVendorProvider(row)) return;
  throw invalidField('is_active', 'A provider without an API endpoint cannot be active');
}

export async function deleteProviderRegistryEntry(
  tx: SystemDatabase,
  _author: Principal,
  id: number,
): Promise<undefined> {
  const row = await findRegistryRow(tx, id);
  if (!row) throw notFound('Provider');
  if (isBuiltInProvider(row.providerKey)) {
    throw new ConsoleError(409, 'A built-in provider cannot be deleted. Disable it instead');
  }
  if (!(await deleteUnused(tx, id))) {
    throw new ConsoleError(409, 'A provider with instances cannot be deleted. Disable it instead');
  }
  return undefined;
}

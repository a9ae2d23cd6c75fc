import { z } from 'zod';
import type { ProviderInstance } from '#domain/provider-instance.ts';
import { findProvider, isBuiltInProvider } from '#providers/registry.ts';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns, toMs } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    name: column('t.provider_instance_name', z.string()),
    providerKey: column('p.provider_key', z.string()),
    endpoint: column('COALESCE(t.api_endpoint, p.api_endpoint)', z.string().nullable()),
    isAddedVendor: column('p.api_endpoint IS NOT NULL', z.boolean()),
    sealedApiKey: column('t.sealed_api_key', z.instanceof(Buffer).nullable()),
    enabledModels: column('t.enabled_models', z.array(z.string())),
    aliases: column('t.model_aliases', z.record(z.string(), z.string())),
    isDefault: column('t.is_default', z.boolean()),
    isActive: column('t.is_active AND p.is_active', z.boolean()),
    isServiceManaged: column('t.is_service_managed', z.boolean()),
    createdAtMs: column(toMs('t.created_at'), z.number()),
  },
  'llm_providers t JOIN provider_registry p ON p.id = t.provider_registry_id WHERE true',
);

/** An instance with all that a call needs, so that no request opens a sealed key. */
export interface InstanceEntry extends ProviderInstance {
  /** Called with the operator's key and paid with the tenant's credits. */
  readonly isServiceManaged: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Indexed by tenant. */
export const instances: MirroredTable<InstanceEntry, IndexedCollection<number, InstanceEntry>> = {
  name: 'llm_providers',
  id: integerId,
  select,
  toEntry(row, openKey) {
    const { sealedApiKey, isAddedVendor, ...instance } = parse(row);
    const isKnownVendor = isAddedVendor || isBuiltInProvider(instance.providerKey);
    const apiKey = sealedApiKey && openKey(sealedApiKey, { tenantId: instance.tenantId, rowId: instance.id });
    const headers = apiKey ? findProvider(instance.providerKey).authorize(apiKey) : {};
    const isUsable = isKnownVendor && (sealedApiKey === null || apiKey !== null);
    return { ...instance, isActive: instance.isActive && isUsable, headers };
  },
  createRows: () => createIndexedCollection(({ tenantId }) => tenantId),
};

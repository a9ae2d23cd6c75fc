import { z } from 'zod';
import type { ProviderInstance } from '#domain/provider-instance.ts';
import { formerProviderKeyPlace, providerKeyPlace } from '#platform/seal-secret.ts';
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
    sealedFormerApiKey: column('t.sealed_former_api_key', z.instanceof(Buffer).nullable()),
    formerApiKeyExpiresAtMs: column(toMs('t.former_api_key_expires_at'), z.number().nullable()),
    enabledModels: column('t.enabled_models', z.array(z.string())),
    aliases: column('t.model_aliases', z.record(z.string(), z.string())),
    isDefault: column('t.is_default', z.boolean()),
    isActive: column('t.is_active AND p.is_active', z.boolean()),
    isServiceManaged: column('t.is_service_managed', z.boolean()),
    isInMaintenance: column('t.maintenance_since IS NOT NULL', z.boolean()),
    maintenanceUntilMs: column(toMs('t.maintenance_until'), z.number().nullable()),
    maintenanceReason: column('t.maintenance_reason', z.string().nullable()),
    fallbackPosition: column('t.fallback_position', z.number().nullable()),
    connectMs: column('t.connect_timeout_ms', z.number().nullable()),
    firstByteMs: column('t.first_byte_timeout_ms', z.number().nullable()),
    idleMs: column('t.idle_timeout_ms', z.number().nullable()),
    totalMs: column('t.total_timeout_ms', z.number().nullable()),
    streamTotalMs: column('t.stream_total_timeout_ms', z.number().nullable()),
    createdAtMs: column(toMs('t.created_at'), z.number()),
  },
  'llm_providers t JOIN provider_registry p ON p.id = t.provider_registry_id WHERE true',
);

/** An instance with everything a call needs, so that no request opens a sealed key. */
export interface InstanceEntry extends ProviderInstance {
  /** Whether it uses the operator's key and the tenant's credits. */
  readonly isServiceManaged: boolean;
  /** The newest key first; a provider that needs no key has one without headers. */
  readonly signatures: readonly Signature[];
  /** `null` if all are the defaults. */
  readonly timeouts: InstanceTimeouts | null;
}

/** Timeouts set by administrators for one instance; `null` is the default. */
export interface InstanceTimeouts {
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly idleMs: number | null;
  readonly totalMs: number | null;
  readonly streamTotalMs: number | null;
}

/** Headers that authenticate a call with one key. */
export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  /** `null` for the newest key, which does not expire. */
  readonly expiresAtMs: number | null;
}

/** Indexed by tenant. */
export const instances: MirroredTable<InstanceEntry, IndexedCollection<number, InstanceEntry>> = {
  name: 'llm_providers',
  id: integerId,
  select,
  toEntry(row, openKey) {
    const {
      sealedApiKey,
      sealedFormerApiKey,
      formerApiKeyExpiresAtMs: expiresAtMs,
      isAddedVendor,
      isInMaintenance,
      maintenanceUntilMs: untilMs,
      maintenanceReason: reason,
      connectMs,
      firstByteMs,
      idleMs,
      totalMs,
      streamTotalMs,
      ...instance
    } = parse(row);
    const isKnownVendor = isAddedVendor || isBuiltInProvider(instance.providerKey);
    const { id, tenantId, providerKey } = instance;
    const apiKey = sealedApiKey && openKey(sealedApiKey, providerKeyPlace(tenantId, id));
    const formerKey = sealedFormerApiKey && openKey(sealedFormerApiKey, formerProviderKeyPlace(tenantId, id));
    const sign = (key: string) => findProvider(providerKey).authorize(key);
    const signatures = [
      { headers: apiKey ? sign(apiKey) : {}, expiresAtMs: null },
      ...(formerKey ? [{ headers: sign(formerKey), expiresAtMs }] : []),
    ];
    const isUsable = isKnownVendor && (sealedApiKey === null || apiKey !== null);
    const maintenance = isInMaintenance ? { untilMs, reason } : null;
    const set = { connectMs, firstByteMs, idleMs, totalMs, streamTotalMs };
    const timeouts = Object.values(set).some((ms) => ms !== null) ? set : null;
    return { ...instance, maintenance, isActive: instance.isActive && isUsable, signatures, timeouts };
  },
  createRows: () => createIndexedCollection(({ tenantId }) => tenantId),
};

import { priceJson } from '@sluice/contract';
import { z } from 'zod';
import { type Block, createBlock } from '#domain/access/blacklist.ts';
import { type Price, readPrice } from '#domain/price/price.ts';
import type { ProviderInstance } from '#domain/resolve-model.ts';
import { formerProviderKeyPlace, providerKeyPlace } from '#platform/seal-secret.ts';
import { findProvider, isBuiltInProvider } from '#providers/registry.ts';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns, toMs } from './mirrored-table.ts';

const { select: selectLlmProviders, parse: parseLlmProviders } = readColumns(
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

/** Contains everything that a call needs, so that no request opens a sealed key. */
export interface InstanceEntry extends ProviderInstance {
  /** Whether the instance uses the operator's key and the tenant's credits. */
  readonly isServiceManaged: boolean;
  /** Newest key first. A provider that needs no key has one signature without headers. */
  readonly signatures: readonly Signature[];
  /** `null` if all timeouts are the defaults. */
  readonly timeouts: InstanceTimeouts | null;
}

/** Timeouts set by administrators; `null` means the default. */
export interface InstanceTimeouts {
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly idleMs: number | null;
  readonly totalMs: number | null;
  readonly streamTotalMs: number | null;
}

export interface Signature {
  readonly headers: Readonly<Record<string, string>>;
  /** `null` for the newest key, which does not expire. */
  readonly expiresAtMs: number | null;
}

export const instances: MirroredTable<InstanceEntry, IndexedCollection<number, InstanceEntry>> = {
  name: 'llm_providers',
  id: integerId,
  select: selectLlmProviders,
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
    } = parseLlmProviders(row);
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

const { select: selectPriceOverrides, parse: parsePriceOverrides } = readColumns(
  {
    id: column('t.id', z.number()),
    instanceId: column('t.llm_provider_id', z.number().nullable()),
    providerKey: column('t.provider_key', z.string().nullable()),
    model: column('t.model', z.string()),
    price: column('t.price', priceJson),
  },
  'price_overrides t WHERE true',
);

interface PriceOverrideEntry {
  readonly id: number;
  /** Instance id or provider key. */
  readonly owner: number | string;
  readonly model: string;
  readonly price: Price;
}

export const priceOverrides: MirroredTable<
  PriceOverrideEntry,
  IndexedCollection<number, PriceOverrideEntry>
> = {
  name: 'price_overrides',
  id: integerId,
  select: selectPriceOverrides,
  toEntry(row) {
    const { id, instanceId, providerKey, model, price } = parsePriceOverrides(row);
    return { id, owner: instanceId ?? providerKey ?? '', model, price: readPrice(price) };
  },
  createRows: () => createIndexedCollection(({ owner }) => owner),
};

const { select: selectBlacklistEntries, parse: parseBlacklistEntries } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    providerKey: column('t.provider_key', z.string()),
    modelPattern: column('t.model_pattern', z.string().nullable()),
    reason: column('t.reason', z.string()),
  },
  'blacklist_entries t WHERE true',
);

interface BlacklistEntry extends Block {
  readonly tenantId: number;
}

export const blacklist: MirroredTable<BlacklistEntry, IndexedCollection<number, BlacklistEntry>> = {
  name: 'blacklist_entries',
  id: integerId,
  select: selectBlacklistEntries,
  toEntry(row) {
    const entry = parseBlacklistEntries(row);
    return { ...createBlock(entry), tenantId: entry.tenantId };
  },
  createRows: () => createIndexedCollection(({ tenantId }) => tenantId),
};

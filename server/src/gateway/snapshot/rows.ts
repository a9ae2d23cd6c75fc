import { type ApiKeyScope, apiKeyScopes, priceJson, roleNames } from '@sluice/contract';
import { z } from 'zod';
import { readPolicy } from '#domain/deviation/read-policy.ts';
import { readPrice } from '#domain/price/price-json.ts';
import { findProvider, isBuiltInProvider } from '#providers/registry.ts';
import type {
  ApiKeyEntry,
  EndedSessionEntry,
  GrantEntry,
  InstanceEntry,
  PlatformSettingsEntry,
  PriceOverrideEntry,
  TenantEntry,
  UserEntry,
} from './entries.ts';

/** How the rows of one table are read: `select` ends in a condition, so that one on ids can follow. */
export interface RowReader<Entry> {
  readonly select: string;
  readonly idType: 'integer' | 'uuid';
  readonly toEntry: (row: unknown) => Entry;
}

/** Opens the sealed key of an instance; `null` when it cannot be opened, which leaves the instance inactive. */
export type OpenApiKey = (sealed: Buffer, place: { tenantId: number; rowId: number }) => string | null;

const tenantRow = z.object({
  id: z.number(),
  name: z.string(),
  slug: z.string(),
  status: z.enum(['trial', 'active', 'suspended']),
  timeZone: z.string(),
  isServiceSpendingAllowed: z.boolean(),
  deviationPolicy: z.unknown().transform(readPolicy),
});

export const readTenant: RowReader<TenantEntry> = {
  select: `SELECT t.id, t.name, t.slug, t.status, t.time_zone AS "timeZone",
      t.is_service_spending_allowed AS "isServiceSpendingAllowed", t.deviation_policy AS "deviationPolicy"
    FROM tenants t WHERE true`,
  idType: 'integer',
  toEntry: (row) => tenantRow.parse(row),
};

const userRow = z.object({
  id: z.number(),
  tenantId: z.number(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roleNames),
  isActive: z.boolean(),
  blockedReason: z.string().nullable(),
  tokenVersion: z.number(),
  score: z.number(),
  scoredAtMs: z.number().nullable(),
  pace: z.object({ hourStartMs: z.number(), requests: z.number(), usual: z.number() }).nullable(),
  recent: z.object({ hashes: z.array(z.string()), values: z.record(z.string(), z.number()) }).nullable(),
});

export const readUser: RowReader<UserEntry> = {
  select: `SELECT t.id, t.tenant_id AS "tenantId", t.name, t.email, r.name AS role, t.is_active AS "isActive",
      CASE WHEN t.is_blocked THEN COALESCE(t.blocked_reason, '') END AS "blockedReason", t.token_version AS "tokenVersion",
      t.deviation_score AS score, (extract(epoch FROM t.deviation_scored_at) * 1000)::float8 AS "scoredAtMs",
      t.deviation_pace AS pace, t.deviation_recent AS recent
    FROM users t JOIN roles r ON r.id = t.role_id WHERE true`,
  idType: 'integer',
  toEntry(row) {
    const { score, scoredAtMs, pace, recent, ...user } = userRow.parse(row);
    return { ...user, deviation: { score, scoredAtMs, pace, recent } };
  },
};

const scopeLists = new Map<string, readonly ApiKeyScope[]>();
/** Many keys have the same few scopes, and one list. */
const shareScopes = (scopes: readonly ApiKeyScope[]) =>
  scopeLists.getOrInsertComputed(scopes.join(), () => scopes);

const apiKeyRow = z.object({
  id: z.number(),
  userId: z.number(),
  name: z.string(),
  hash: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)).transform(shareScopes),
  expiresAtMs: z.number().nullable(),
});

export const readApiKey: RowReader<ApiKeyEntry> = {
  select: `SELECT t.id, t.user_id AS "userId", t.name, encode(t.key_hash, 'base64') AS hash, t.scopes,
      (extract(epoch FROM t.expires_at) * 1000)::float8 AS "expiresAtMs"
    FROM api_keys t WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`,
  idType: 'integer',
  toEntry: (row) => apiKeyRow.parse(row),
};

const endedSessionRow = z.object({ id: z.string() });

export const readEndedSession: RowReader<EndedSessionEntry> = {
  select: 'SELECT t.id FROM sessions t WHERE t.ended_at IS NOT NULL AND t.expires_at > now()',
  idType: 'uuid',
  toEntry: (row) => endedSessionRow.parse(row),
};

const instanceRow = z.object({
  id: z.number(),
  tenantId: z.number(),
  name: z.string(),
  providerKey: z.string(),
  endpoint: z.string().nullable(),
  isAddedVendor: z.boolean(),
  sealedApiKey: z.instanceof(Buffer).nullable(),
  enabledModels: z.array(z.string()),
  aliases: z.record(z.string(), z.string()),
  isDefault: z.boolean(),
  isActive: z.boolean(),
  isServiceManaged: z.boolean(),
  createdAtMs: z.number(),
});

export const readInstance = (openKey: OpenApiKey): RowReader<InstanceEntry> => ({
  select: `SELECT t.id, t.tenant_id AS "tenantId", t.provider_instance_name AS name, p.provider_key AS "providerKey",
      COALESCE(t.api_endpoint, p.api_endpoint) AS endpoint, p.api_endpoint IS NOT NULL AS "isAddedVendor", t.sealed_api_key AS "sealedApiKey", t.enabled_models AS "enabledModels",
      t.model_aliases AS aliases, t.is_default AS "isDefault", t.is_active AND p.is_active AS "isActive",
      t.is_service_managed AS "isServiceManaged", (extract(epoch FROM t.created_at) * 1000)::float8 AS "createdAtMs"
    FROM llm_providers t JOIN provider_registry p ON p.id = t.provider_registry_id WHERE true`,
  idType: 'integer',
  toEntry(row) {
    const { sealedApiKey, isAddedVendor, ...instance } = instanceRow.parse(row);
    const isKnownVendor = isAddedVendor || isBuiltInProvider(instance.providerKey);
    const apiKey = sealedApiKey && openKey(sealedApiKey, { tenantId: instance.tenantId, rowId: instance.id });
    const headers = apiKey ? findProvider(instance.providerKey).authorize(apiKey) : {};
    const isUsable = isKnownVendor && (sealedApiKey === null || apiKey !== null);
    return { ...instance, isActive: instance.isActive && isUsable, headers };
  },
});

const grantRow = z.object({
  id: z.number(),
  userId: z.number(),
  instanceId: z.number(),
  models: z.array(z.string()),
});

export const readGrant: RowReader<GrantEntry> = {
  select: `SELECT t.id, t.user_id AS "userId", t.llm_provider_id AS "instanceId", t.allowed_models AS models
    FROM user_provider_access t WHERE true`,
  idType: 'integer',
  toEntry(row) {
    const { models, ...grant } = grantRow.parse(row);
    return { ...grant, models: new Set(models) };
  },
};

const priceOverrideRow = z.object({
  id: z.number(),
  instanceId: z.number().nullable(),
  providerKey: z.string().nullable(),
  model: z.string(),
  price: priceJson,
});

export const readPriceOverride: RowReader<PriceOverrideEntry> = {
  select: `SELECT t.id, t.llm_provider_id AS "instanceId", t.provider_key AS "providerKey", t.model, t.price
    FROM price_overrides t WHERE true`,
  idType: 'integer',
  toEntry(row) {
    const { id, instanceId, providerKey, model, price } = priceOverrideRow.parse(row);
    return { id, owner: instanceId ?? providerKey ?? '', model, price: readPrice(price) };
  },
};

const platformSettingsRow = z.object({ id: z.number(), markupPercent: z.number() });

export const readPlatformSettings: RowReader<PlatformSettingsEntry> = {
  select: 'SELECT t.id, t.markup_percentage::float8 AS "markupPercent" FROM platform_settings t WHERE true',
  idType: 'integer',
  toEntry: (row) => platformSettingsRow.parse(row),
};

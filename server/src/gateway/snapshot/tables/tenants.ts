import { priceJson, promptPrivacyModes, roleNames, unpricedModelRules } from '@sluice/contract';
import { z } from 'zod';
import { readTrustedModels } from '#domain/access/blacklist.ts';
import { readPolicy } from '#domain/deviation/policy.ts';
import { readPrice } from '#domain/price/price.ts';
import {
  type Collection,
  createCollection,
  createIndexedCollection,
  type IndexedCollection,
} from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select: selectTenants, parse: parseTenants } = readColumns(
  {
    id: column('t.id', z.number()),
    name: column('t.name', z.string()),
    slug: column('t.slug', z.string()),
    status: column('t.status', z.enum(['trial', 'active', 'suspended'])),
    suspensionReason: column('t.suspension_reason', z.string().nullable()),
    timeZone: column('t.time_zone', z.string()),
    isServiceSpendingAllowed: column('t.is_service_spending_allowed', z.boolean()),
    promptPrivacy: column('t.prompt_privacy', z.enum(promptPrivacyModes)),
    acceptsRequestLabels: column('t.accepts_request_labels', z.boolean()),
    secondFactorRoles: column('t.second_factor_roles', z.array(z.enum(roleNames))),
    /** Output cap per response; `null` for no cap. */
    maxOutputTokens: column('t.max_output_tokens', z.number().nullable()),
    /** Rule for models without a price while a dollar budget applies. */
    unpricedModels: column('t.unpriced_models', z.enum(unpricedModelRules)),
    fallbackPrice: column(
      't.fallback_price',
      priceJson.nullable().transform((json) => json && readPrice(json)),
    ),
    /** Matches the models allowed for a prompt of uncertain intent; `null` allows all models. */
    isTrustedModel: column('t.trusted_models', z.array(z.string()).transform(readTrustedModels)),
    deviationPolicy: column('t.deviation_policy', z.unknown().transform(readPolicy)),
  },
  'tenants t WHERE true',
);

export type TenantEntry = ReturnType<typeof parseTenants>;

export const tenants: MirroredTable<TenantEntry, IndexedCollection<number, TenantEntry>> = {
  name: 'tenants',
  id: integerId,
  select: selectTenants,
  toEntry: parseTenants,
  createRows: () => createIndexedCollection(({ slug }) => slug),
};

/** A number is an id, since slugs are never numeric. */
export function findTenantByName(
  rows: IndexedCollection<number, TenantEntry>,
  idOrSlug: string,
): TenantEntry | undefined {
  return /^\d+$/.test(idOrSlug) ? rows.get(Number(idOrSlug)) : rows.find(idOrSlug)[0];
}

const { select: selectPlatformSettings, parse: parsePlatformSettings } = readColumns(
  {
    id: column('t.id', z.number()),
    markupPercent: column('t.markup_percentage::float8', z.number()),
    requiresSuperAdminSecondFactor: column('t.requires_super_admin_second_factor', z.boolean()),
  },
  'platform_settings t WHERE true',
);

/** There is only one entry. */
type PlatformSettingsEntry = ReturnType<typeof parsePlatformSettings>;

export const platformSettings: MirroredTable<
  PlatformSettingsEntry,
  Collection<number, PlatformSettingsEntry>
> = {
  name: 'platform_settings',
  id: integerId,
  select: selectPlatformSettings,
  toEntry: parsePlatformSettings,
  createRows: createCollection,
};

import {
  createLlmProviderBody,
  foldName,
  priceJson,
  setPriceBody,
  updateLlmProviderBody,
} from '@sluice/contract';
import { z } from 'zod';
import { setInstancePrice } from '#console/credits/set-price.ts';
import { setFallbackOrder } from '#console/llm-providers/change-provider.ts';
import { createLlmProvider, updateLlmProvider } from '#console/llm-providers/configure.ts';
import { deleteLlmProvider } from '#console/llm-providers/delete.ts';
import { toProviderSettings } from '#console/llm-providers/list.ts';
import { normalizeEndpoint } from '#domain/provider-endpoint.ts';
import { openSecret, providerKeyPlace } from '#platform/seal-secret.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { secretReference } from '../secrets.ts';
import { selectPrices, selectProviders } from '../store.ts';
import { type Kind, renameFields, text } from './kind.ts';

const providerName = createLlmProviderBody.shape.provider_instance_name;
const {
  provider_instance_name: _name,
  provider_registry_id: _id,
  provider_key: vendor,
  api_key: _key,
  has_api_key: _hasKey,
  maintenance: _maintenance,
  fallback_position: _position,
  ...fields
} = updateLlmProviderBody.shape;

const consoleNames = { name: 'provider_instance_name', vendor: 'provider_registry_id' };

export const provider: Kind = {
  name: 'provider',
  collection: 'providers',
  schema: z.strictObject({
    name: providerName,
    vendor: vendor.unwrap().min(1, 'Vendor is required'),
    api_key: secretReference.optional(),
    ...fields,
  }),
  keyFields: ['name'],
  secretFields: ['api_key'],
  fieldNames: { provider_instance_name: 'name', provider_registry_id: 'vendor', provider_key: 'vendor' },
  keyOf: (spec) => foldName(text(spec, 'name')),
  titleOf: (spec) => text(spec, 'name'),
  isEqual: (name, stored, wanted) => listFields.includes(name) && isSameSet(stored, wanted),
  async read({ tx, tenantId, keyring }) {
    const rows = await selectProviders(tx, tenantId);
    return rows.map(({ row, vendor: key, vendorName, vendorEndpoint }) => ({
      id: row.id,
      spec: {
        name: row.providerInstanceName,
        vendor: key,
        ...(row.sealedApiKey !== null && { api_key: 'stored' }),
        ...toProviderSettings(row),
      },
      normalize: (name: string, wanted: unknown) =>
        name === 'api_endpoint'
          ? toEndpoint({ providerKey: key, displayName: vendorName, apiEndpoint: vendorEndpoint }, wanted)
          : wanted,
      openSecret: () =>
        row.sealedApiKey &&
        openSecret(keyring.sealingKey, providerKeyPlace(tenantId, row.id), row.sealedApiKey),
    }));
  },
  async create({ tx, author, deps }, wanted) {
    const body = createLlmProviderBody.parse({
      ...renameFields(wanted, consoleNames),
      enabled_models: wanted.enabled_models ?? [],
      available_models: wanted.available_models ?? wanted.enabled_models ?? [],
    });
    const { id } = await createLlmProvider(deps, tx, author, body);
    return id;
  },
  async update({ tx, author, deps }, { stored: { id }, wanted, changes }) {
    const { vendor: key, ...given } = changes;
    const body = updateLlmProviderBody.parse({
      ...renameFields(given, consoleNames),
      ...(key !== undefined && { provider_key: key }),
      // A new endpoint requires the key, from the file or from the database.
      ...(given.api_endpoint !== undefined &&
        typeof wanted.api_key === 'string' && { api_key: wanted.api_key }),
    });
    await updateLlmProvider(deps, tx, author, { id, body });
  },
  async remove({ tx, author }, { id }) {
    await deleteLlmProvider(tx, author, id);
  },
};

const listFields = ['enabled_models', 'available_models'];

/** Compares values as sets, since the product removes repeated values. */
const isSameSet = (one: unknown, other: unknown) =>
  Array.isArray(one) && Array.isArray(other) && one.join('\n') === [...new Set(other)].join('\n');

function toEndpoint(row: Parameters<typeof toVendorProvider>[0], wanted: unknown): unknown {
  const vendor = toVendorProvider(row);
  if (!wanted) return null;
  if (!vendor || typeof wanted !== 'string' || !URL.canParse(wanted)) return wanted;
  return normalizeEndpoint(new URL(wanted), vendor.endpointForm, vendor.defaultEndpoint);
}

export const price: Kind = {
  name: 'price',
  collection: 'prices',
  within: { kind: 'provider', field: 'provider' },
  schema: z.strictObject({ model: setPriceBody.shape.model, price: priceJson }),
  keyFields: ['model'],
  keyOf: (spec) => `${foldName(text(spec, 'provider'))} ${spec.model}`,
  titleOf: ({ model, provider: owner }) => `${model} of ${owner}`,
  async read({ tx, tenantId }) {
    const rows = await selectPrices(tx, tenantId);
    return rows.map(({ id, ...spec }) => ({ id, spec }));
  },
  async create({ tx, author, idOf }, { provider: owner, model, price: given }) {
    const llmProviderId = idOf('provider', String(owner));
    await setInstancePrice(tx, author, {
      llmProviderId,
      model: String(model),
      price: priceJson.parse(given),
    });
    return undefined;
  },
  async update(context, { wanted }) {
    await price.create(context, wanted);
  },
  async remove({ tx, author, idOf }, { spec: { provider: owner, model } }) {
    const llmProviderId = idOf('provider', String(owner));
    await setInstancePrice(tx, author, { llmProviderId, model: String(model), price: null });
  },
};

export const fallbackOrder: Kind = {
  name: 'fallback_order',
  collection: 'fallback_order',
  isSingle: true,
  schema: z.strictObject({ providers: z.array(providerName).max(1000) }),
  list: { schema: z.array(providerName).max(1000), field: 'providers' },
  keyFields: [],
  keyOf: () => '',
  titleOf: () => '',
  referencesOf: ({ providers }) =>
    (Array.isArray(providers) ? providers : []).map((name) => ({
      field: 'providers',
      kind: 'provider' as const,
      name: String(name),
    })),
  // Instances that are not in the file follow the listed instances.
  isEqual(_name, stored, wanted) {
    const [before, after] = [stored, wanted].map((list) =>
      (Array.isArray(list) ? list : []).map(String).map(foldName),
    );
    return after?.every((name, index) => before?.[index] === name) ?? false;
  },
  async read({ tx, tenantId }) {
    const rows = await selectProviders(tx, tenantId);
    const isOrdered = rows.some(({ row }) => row.fallbackPosition !== null);
    const providers = rows.map(({ row }) => row.providerInstanceName);
    return [{ id: tenantId, spec: { providers: isOrdered ? providers : [] } }];
  },
  create: () => Promise.reject(new Error('each tenant has an order')),
  async update({ tx, author, idOf }, { wanted: { providers } }) {
    const names = Array.isArray(providers) ? providers : [];
    await setFallbackOrder(tx, author, {
      llm_provider_ids: names.map((name) => idOf('provider', String(name))),
    });
  },
  remove: () => Promise.resolve(),
};

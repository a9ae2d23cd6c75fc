import { type ConnectionTest, modelAbilities, type OfferedModel } from '@sluice/contract';
import { noSpend, readSpend } from '#console/analytics/spend.ts';
import { readBlocks } from '#console/blacklist/entries.ts';
import { openPriceBook, type PriceBook, toModelPricing } from '#console/credits/price-book.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { type Block, findBlock } from '#domain/access/blacklist.ts';
import { listModels } from '#domain/price/catalogue.ts';
import { type Price, toPriceJson } from '#domain/price/price.ts';
import type { Author } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace } from '#platform/seal-secret.ts';
import type { ModelFacts } from '#protocols/canonical/request.ts';
import { findModelFacts } from '#providers/model-facts/find-model-facts.ts';
import { findProvider, toVendorProvider } from '#providers/registry.ts';
import { type Candidate, type DiscoverModelsDeps, tryConnection } from './discover-models.ts';
import {
  countAdministrators,
  countPermittedUsers,
  findServiceManaged,
  findVendor,
  selectActiveVendors,
  selectProviders,
} from './store.ts';

type Scope = 'enabled' | 'listed';

/** Lists models of the tenant's active instances. With `listed`, also includes catalog models that are not enabled. */
export async function listOfferedModels(
  tx: TenantTransaction,
  { tenantId }: Author,
  scope: Scope,
): Promise<OfferedModel[]> {
  const book = await openPriceBook(tx, tenantId);
  const blocks = await readBlocks(tx, tenantId);
  const enabled = await listEnabled(tx, tenantId, book, blocks);
  return scope === 'enabled' ? enabled : [...enabled, ...(await listOthers(tx, enabled, book, blocks))];
}

async function listEnabled(
  tx: TenantTransaction,
  tenantId: number,
  book: PriceBook,
  blocks: readonly Block[],
): Promise<OfferedModel[]> {
  const administrators = await countAdministrators(tx, tenantId);
  const granted = new Map(
    (await countPermittedUsers(tx, tenantId)).map(({ id, model, users }) => [nameOf(id, model), users]),
  );
  const spendOf = await readSpend(tx, tenantId, 'model');
  const instances = (await selectProviders(tx, tenantId)).filter(
    ({ isActive, isVendorActive }) => isActive && isVendorActive,
  );
  return instances.flatMap((instance) => {
    const { id, providerKey, vendorName, name, modelAliases } = instance;
    return instance.enabledModels.map((model) => {
      const offered = toOfferedModel({ providerKey, vendorName, model }, book, blocks, id);
      const aliases = Object.keys(modelAliases).filter((alias) => modelAliases[alias] === model);
      const isBlocked = offered.blacklist_reason !== null;
      const permitted_users = isBlocked ? 0 : administrators + (granted.get(nameOf(id, model)) ?? 0);
      const spend = spendOf(id, model);
      return {
        ...offered,
        ...spend,
        llm_provider_id: id,
        provider_instance_name: name,
        aliases,
        permitted_users,
      };
    });
  });
}

async function listOthers(
  tx: TenantTransaction,
  enabled: readonly OfferedModel[],
  book: PriceBook,
  blocks: readonly Block[],
): Promise<OfferedModel[]> {
  const known = new Set(enabled.map(({ provider_key, model }) => nameOf(provider_key, model)));
  const nowMs = Date.now();
  return (await selectActiveVendors(tx)).flatMap(({ providerKey, displayName: vendorName }) =>
    listModels(providerKey, nowMs)
      .filter(({ model }) => !known.has(nameOf(providerKey, model)))
      .map(({ model }) => toOfferedModel({ providerKey, vendorName, model }, book, blocks)),
  );
}

const nameOf = (owner: number | string, model: string) => `${owner} ${model}`;

interface NamedModel {
  readonly providerKey: string;
  readonly vendorName: string;
  readonly model: string;
}

function toOfferedModel(
  { providerKey, vendorName, model }: NamedModel,
  book: PriceBook,
  blocks: readonly Block[],
  instanceId?: number,
): OfferedModel {
  const priced = book.find(providerKey, model, instanceId);
  return {
    model,
    provider_key: providerKey,
    provider_name: vendorName,
    llm_provider_id: null,
    provider_instance_name: null,
    aliases: [],
    blacklist_reason: findBlock(blocks, providerKey, model, model)?.reason ?? null,
    abilities: findAbilities(providerKey, model, priced?.price ?? null),
    pricing: priced && toModelPricing(priced),
    permitted_users: null,
    ...noSpend,
  };
}

/**
 * Infers the abilities of a model from the catalog and its prices. A model with only an input price is an embeddings
 * model. Separate rates indicate reasoning and caching.
 */
function findAbilities(providerKey: string, model: string, price: Price | null): OfferedModel['abilities'] {
  const rates = price && toPriceJson(price);
  const ofVendor = findProvider(providerKey).modelFacts?.[model];
  const facts: ModelFacts = { ...findModelFacts(providerKey, model), ...ofVendor };
  const isEmbedder = rates !== null && rates.output === 0 && rates.input > 0;
  if (isEmbedder || facts.answers === 'embeddings') return ['embeddings'];
  const has = {
    chat: true,
    vision: facts.vision === true,
    tools: facts.tools === true,
    reasoning: rates?.reasoning !== undefined || facts.reasoning === true,
    prompt_caching: rates?.cache_read !== undefined,
  };
  return modelAbilities.filter((ability) => ability !== 'embeddings' && has[ability]);
}

export interface ListServiceManagedModelsDeps extends DiscoverModelsDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
}

/**
 * Lists models for a service-managed instance. If the tenant has such an instance, these are the models discovered
 * with the operator's key, otherwise the known models. Models without a price are omitted, because the instance is
 * paid for with credits.
 */
export async function listServiceManagedModels(
  deps: ListServiceManagedModelsDeps,
  ctx: SignedInContext,
  registryId: number,
): Promise<ConnectionTest> {
  const { tenantId } = ctx.principal;
  const { candidate, known, isPriced } = await ctx.inTenant((tx) => prepare(deps, tx, tenantId, registryId));
  const found = candidate ? await tryConnection(deps, ctx, candidate) : succeed(known);
  return found.success ? succeed(found.available_models.filter(isPriced)) : found;
}

function succeed(models: readonly string[]): ConnectionTest {
  return { success: true, available_models: [...models], error: null };
}

async function prepare(
  { keyring }: ListServiceManagedModelsDeps,
  tx: TenantTransaction,
  tenantId: number,
  registryId: number,
) {
  const vendor = await findVendor(tx, registryId);
  const provider = vendor && toVendorProvider(vendor);
  if (!vendor || !provider) throw notFound('Provider');
  const instance = await findServiceManaged(tx, tenantId, registryId);
  const candidate: Candidate | null = instance && {
    provider,
    endpoint: instance.apiEndpoint,
    apiKey: openSecret(keyring.sealingKey, providerKeyPlace(tenantId, instance.id), instance.sealedApiKey),
  };
  const book = await openPriceBook(tx, tenantId);
  const known = vendor.supportedModels.length > 0 ? vendor.supportedModels : provider.models;
  return { candidate, known, isPriced: (model: string) => book.find(vendor.providerKey, model) !== null };
}

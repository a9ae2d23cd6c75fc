import type { Comparison, GrantableProvider } from '@sluice/contract';

/** Includes the models of all instances of the provider. */
export interface ComparedProvider {
  readonly registryId: number;
  readonly label: string;
  readonly models: readonly string[];
  readonly defaultModel: string;
}

/** Values are `null` or empty if nothing is selected. */
export interface ComparedModel {
  readonly key: number;
  readonly registryId: number | null;
  readonly model: string;
}

/** Used for providers whose instances have no default model. */
const usualModels: Readonly<Record<string, string>> = {
  openai: 'gpt-3.5-turbo',
  anthropic: 'claude-3-haiku-20240307',
  google: 'gemini-pro',
  cohere: 'command-r',
  mistral: 'mistral-small-latest',
};

/**
 * Returns the providers in the order of the instances. A comparison names providers, and the gateway selects the
 * instance.
 */
export function listProviders(instances: readonly GrantableProvider[]): ComparedProvider[] {
  const byId = Map.groupBy(instances, ({ provider_registry_id }) => provider_registry_id);
  return [...byId.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const models = [...new Set(own.flatMap(({ enabled_models }) => enabled_models))];
    const names = own.map(({ provider_instance_name }) => provider_instance_name).join(', ');
    return {
      registryId: first.provider_registry_id,
      label: isSameName(names, first.provider_name)
        ? first.provider_name
        : `${first.provider_name} (${names})`,
      models,
      defaultModel: findDefaultModel(own, models, first.provider_key),
    };
  });
}

function findDefaultModel(
  instances: readonly GrantableProvider[],
  models: readonly string[],
  providerKey: string,
): string {
  const own = instances.find(({ default_model }) => default_model !== null)?.default_model;
  const usual = usualModels[providerKey] ?? 'default';
  return own ?? (models.includes(usual) ? usual : (models[0] ?? usual));
}

let rowsCount = 0;

export function newRow(provider?: ComparedProvider): ComparedModel {
  return {
    key: ++rowsCount,
    registryId: provider?.registryId ?? null,
    model: provider?.defaultModel ?? '',
  };
}

/** Prefers the two models that last answered, else two providers, or two models of the only provider. */
export function firstRows(
  providers: readonly ComparedProvider[],
  comparisons: readonly Pick<Comparison, 'results'>[] = [],
): ComparedModel[] {
  const answered = listAnswered(providers, comparisons);
  if (answered.length > 1) return answered.slice(0, 2);
  const [one, other = one] = providers;
  const [first, second] = [newRow(one), newRow(other)];
  if (!one || other !== one) return [first, second];
  return [first, { ...second, model: one.models.find((model) => model !== first.model) ?? first.model }];
}

/** Returns the models that answered and can still be compared, each once. */
function listAnswered(
  providers: readonly ComparedProvider[],
  comparisons: readonly Pick<Comparison, 'results'>[],
): ComparedModel[] {
  const found = new Map<string, ComparedModel>();
  for (const { provider_registry_id, model_name, status } of comparisons.flatMap(({ results }) => results)) {
    const provider = providers.find(({ registryId }) => registryId === provider_registry_id);
    const name = `${provider_registry_id} ${model_name}`;
    if (status !== 'completed' || model_name === null || !provider?.models.includes(model_name)) continue;
    if (!found.has(name)) found.set(name, { ...newRow(provider), model: model_name });
  }
  return [...found.values()];
}

export const isComplete = ({ registryId, model }: ComparedModel) => registryId !== null && model !== '';

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

import type { ModelFacts } from '#protocols/canonical/request.ts';
import { findModelFacts } from '#providers/model-facts/find-model-facts.ts';
import { findProvider } from '#providers/registry.ts';
import type { InstanceEntry } from './tables/llm-providers.ts';

/** Cached by instance entry, which each change of the instance replaces. */
const found = new WeakMap<object, Map<string, ModelFacts | null>>();

/** Uses the data file and the vendor's row. A deployment with a custom name is looked up by its alias. */
export function findFacts(
  instance: Pick<InstanceEntry, 'aliases' | 'providerKey'>,
  model: string,
): ModelFacts | null {
  const known = found.get(instance)?.get(model);
  if (known !== undefined) return known;
  const facts = lookUp(instance, model);
  // Only enabled models and targets of aliases are looked up, so the cache is bounded.
  found.getOrInsertComputed(instance, () => new Map()).set(model, facts);
  return facts;
}

function lookUp(
  { aliases, providerKey }: Pick<InstanceEntry, 'aliases' | 'providerKey'>,
  model: string,
): ModelFacts | null {
  const { modelFacts = {}, namesDeployments } = findProvider(providerKey);
  const listed = findModelFacts(providerKey, model);
  const untagged = model.replace(/:.*$/, '');
  const named = [model, untagged].find((name) => Object.hasOwn(modelFacts, name));
  const own = named === undefined ? null : modelFacts[named];
  if (listed || own) return { ...listed, ...own };
  if (!namesDeployments) return null;
  const names = Object.keys(aliases).filter((alias) => aliases[alias] === model);
  return names.map((alias) => findModelFacts(providerKey, alias)).find((facts) => facts !== null) ?? null;
}

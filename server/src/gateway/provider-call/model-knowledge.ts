import type { ModelFacts } from '#protocols/canonical/request.ts';
import { findModelFacts } from '#providers/model-facts/find-model-facts.ts';
import { findProvider } from '#providers/registry.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';
import { collectRefusals, type Refusal, type Refusals } from './refusals.ts';

/** Knowledge about a model at an instance; the provider's own answers count more than data about models. */
export interface ModelKnowledge {
  readonly facts: ModelFacts | null;
  readonly refusals: Refusals;
}

/** Combines the facts about a model with the refusals of its provider. */
export function findModelKnowledge(
  instance: InstanceEntry,
  model: string,
  refusals: readonly Refusal[],
): ModelKnowledge {
  return { facts: findFacts(instance, model), refusals: collectRefusals(refusals) };
}

/** Assumed output of models whose maximum is unknown; a provider that rejects it names its own. */
const unknownOutputTokensMax = 32_000;

/** Returns the tokens that a response without a cap has at most, as far as it is known. */
export function findOutputTokensMax(knowledge: ModelKnowledge): number {
  return findKnownMax(knowledge) ?? unknownOutputTokensMax;
}

const findKnownMax = ({ facts, refusals }: ModelKnowledge) =>
  refusals.outputTokensMax ?? facts?.output ?? null;

/** The output cap in question; tokens. */
interface CapWish {
  /** Required by the limits; `null` if nothing limits the response. */
  readonly limitCap: number | null;
  /** The caller's own; `null` if it set none. */
  readonly namedCap: number | null;
  /** Whether the protocol requires a cap. */
  readonly isRequired: boolean;
  /** Estimated. */
  readonly inputTokens: number;
}

/** A context that is almost full is the provider's to reject. */
const roomMin = 1_024;

/**
 * Returns the output cap that the gateway writes into a request, `null` for none. A caller without a cap gets none,
 * unless the limits allow less than the model's maximum or the protocol requires one.
 */
export function fitOutputCap(wish: CapWish, knowledge: ModelKnowledge): number | null {
  const { limitCap, namedCap, isRequired, inputTokens } = wish;
  if (namedCap !== null) return limitCap;
  const { facts, refusals } = knowledge;
  const known = findKnownMax(knowledge);
  const isLimited = limitCap !== null && (known === null || limitCap < known);
  if (!isLimited && !isRequired) return null;
  const window = refusals.contextTokens ?? (isRequired ? facts?.context : null) ?? Number.POSITIVE_INFINITY;
  return Math.min(
    limitCap ?? Number.POSITIVE_INFINITY,
    findOutputTokensMax(knowledge),
    Math.max(window - inputTokens, roomMin),
    refusals.roomTokens ?? Number.POSITIVE_INFINITY,
  );
}

/** Facts by instance, which is another object after each change, and by model. */
const found = new WeakMap<object, Map<string, ModelFacts | null>>();

/**
 * Returns what data and the vendor's row know about a model at an instance. A deployment that has a name of its own is
 * the model whose name is its alias.
 */
export function findFacts(
  instance: Pick<InstanceEntry, 'aliases' | 'providerKey'>,
  model: string,
): ModelFacts | null {
  const known = found.getOrInsertComputed(instance, () => new Map());
  // Only enabled models and those behind aliases get here, so the cache is bounded.
  return known.getOrInsertComputed(model, () => lookUp(instance, model));
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

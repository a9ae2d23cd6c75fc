import type { ModelFacts } from '#protocols/canonical/request.ts';
import { findFacts } from '../snapshot/model-facts.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';
import { collectRefusals, type Refusal, type Refusals } from './refusals.ts';

/** Rejections by the provider take precedence over catalog data. */
export interface ModelKnowledge {
  readonly facts: ModelFacts | null;
  readonly refusals: Refusals;
}

export function findModelKnowledge(
  instance: InstanceEntry,
  model: string,
  refusals: readonly Refusal[],
): ModelKnowledge {
  return { facts: findFacts(instance, model), refusals: collectRefusals(refusals) };
}

/**
 * Assumed maximum output of models whose maximum is unknown. A provider that rejects this value states its own
 * maximum.
 */
const unknownOutputTokensMax = 32_000;

export function findOutputTokensMax(knowledge: ModelKnowledge): number {
  return findKnownMax(knowledge) ?? unknownOutputTokensMax;
}

const findKnownMax = ({ facts, refusals }: ModelKnowledge) =>
  refusals.outputTokensMax ?? facts?.output ?? null;

interface CapConstraints {
  /** Cap required by the limits; `null` if nothing limits the response. */
  readonly limitCap: number | null;
  /** Cap requested by the caller, or `null`. */
  readonly namedCap: number | null;
  readonly isRequired: boolean;
  readonly inputTokens: number;
}

/** Minimum cap, so that the provider itself rejects a request that almost fills the context. */
const roomMin = 1_024;

/**
 * Returns the output cap to write into a request; `null` for no cap. A request without a cap gets one only if the
 * limits allow less than the model's maximum or the protocol requires a cap.
 */
export function fitOutputCap(constraints: CapConstraints, knowledge: ModelKnowledge): number | null {
  const { limitCap, namedCap, isRequired, inputTokens } = constraints;
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

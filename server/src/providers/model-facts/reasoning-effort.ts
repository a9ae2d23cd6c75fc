import type { Dialect, ModelFacts, ReasoningEffort } from '#protocols/canonical/request.ts';
import type { ChatService } from '../provider.ts';

const order: readonly string[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
] satisfies ReasoningEffort[];

/**
 * Returns a function that selects the reasoning effort for a model: the nearest effort that the service accepts, or
 * `null` if it accepts none. `efforts` are the efforts that the provider listed in a rejection.
 */
export function createEffortFitter(
  { takesReasoningEffort }: Pick<ChatService, 'takesReasoningEffort'>,
  facts: ModelFacts | null,
  efforts: readonly string[] | null = null,
): NonNullable<Dialect['fitReasoningEffort']> {
  return (_, effort) => {
    if (efforts) return fitEffort(effort, efforts);
    if (takesReasoningEffort === 'always') return effort;
    if (facts?.reasoning === true) return fitEffort(effort, facts.efforts ?? order);
    return facts?.reasoning === undefined && takesReasoningEffort === 'unless-known' ? effort : null;
  };
}

/** Returns the lowest effort that is at least the requested one, or else the highest effort. */
function fitEffort(wanted: ReasoningEffort, efforts: readonly string[]): ReasoningEffort | null {
  const known = order.filter((effort) => efforts.includes(effort));
  const fitting = known.find((effort) => order.indexOf(effort) >= order.indexOf(wanted)) ?? known.at(-1);
  return wanted !== 'none' && fitting === 'none' ? null : ((fitting as ReasoningEffort | undefined) ?? null);
}

import type { ModelFacts, ReasoningEffort, ReasoningWish } from '../canonical/request.ts';
import { readEffort } from '../translation/reasoning-effort.ts';

/** How a model's thinking can be controlled: not at all, on or off, or by level. */
type ThinkingSkill = 'none' | 'switch' | 'levels';

/** Ollama rejects `think` for models that cannot think; one that is unknown may. Few take levels. */
function findThinkingSkill(facts: ModelFacts | undefined): ThinkingSkill {
  if (facts?.reasoning === false) return 'none';
  return facts?.reasoning && facts.efforts ? 'levels' : 'switch';
}

const levels: Readonly<Record<ReasoningEffort, string>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

/** Returns the field for a reasoning request; `isGranted` is false if the model cannot comply. */
export function encodeThinking(
  wish: ReasoningWish | undefined,
  facts: ModelFacts | undefined,
): { readonly fields: { readonly think?: boolean | string }; readonly isGranted: boolean } {
  if (wish === undefined) return { fields: {}, isGranted: true };
  const effort = readEffort(wish);
  const isOff = effort === 'none';
  switch (findThinkingSkill(facts)) {
    case 'none':
      return { fields: {}, isGranted: isOff };
    case 'switch':
      return { fields: { think: !isOff }, isGranted: true };
    case 'levels':
      return { fields: { think: effort === undefined ? true : levels[effort] }, isGranted: !isOff };
  }
}

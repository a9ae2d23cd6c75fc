import type { ReasoningEffort, ReasoningWish } from '../canonical/request.ts';
import { readEffort } from '../translation/reasoning-effort.ts';

/** How a model's thinking can be controlled: not at all, on or off, or by level. */
type ThinkingSkill = 'none' | 'switch' | 'levels';

// Ollama rejects `think` for models that cannot think. The list is closed: newer families think.
const thoughtlessFamilies =
  /^((code|tiny)?llama|(code)?gemma[123]?n?($|-)|(mis|mix|codes|devs)tral|phi(?!.*reasoning)|qwen($|[12]|3-coder)|llava|command-r|starcoder|smollm|deepseek-coder)/;

function readThinkingSkill(model: string): ThinkingSkill {
  const [family = '', tag = ''] = model.slice(model.lastIndexOf('/') + 1).split(':');
  if (family.startsWith('gpt-oss')) return 'levels';
  return thoughtlessFamilies.test(family) || tag.includes('instruct') ? 'none' : 'switch';
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
  model: string,
): { readonly fields: { readonly think?: boolean | string }; readonly isGranted: boolean } {
  if (wish === undefined) return { fields: {}, isGranted: true };
  const effort = readEffort(wish);
  const isOff = effort === 'none';
  switch (readThinkingSkill(model)) {
    case 'none':
      return { fields: {}, isGranted: isOff };
    case 'switch':
      return { fields: { think: !isOff }, isGranted: true };
    case 'levels':
      return { fields: { think: effort === undefined ? true : levels[effort] }, isGranted: !isOff };
  }
}

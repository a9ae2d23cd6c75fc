import type { ReasoningEffort } from '#protocols/canonical/request.ts';

/** OpenAI's reasoning models, by the names it has given them so far. */
export function isReasoningModel(model: string): boolean {
  return /^(o[1-9]|gpt-5(?!-chat)|codex-)/.test(model);
}

/** The effort that a model of OpenAI takes in place of one that came after it. */
export function fitReasoningEffort(model: string, effort: ReasoningEffort): ReasoningEffort | null {
  if (!isReasoningModel(model)) return null;
  if (/^gpt-5\.[1-9]/.test(model)) return effort;
  if (effort === 'xhigh') return 'high';
  const least = model.startsWith('gpt-5') ? 'minimal' : 'low';
  return effort === 'none' || effort === 'minimal' ? least : effort;
}

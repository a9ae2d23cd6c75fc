import type { LogEntry } from '@sluice/contract';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatScore, formatShare, formatSigned } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';

const previewCharacters = 50;

export function previewPrompt(prompt: string): string {
  const characters = [...prompt];
  return characters.length > previewCharacters
    ? `${characters.slice(0, previewCharacters).join('')}…`
    : prompt;
}

/** Explains why the prompt and the response are not available. */
export function describeMissingText({ prompt_privacy }: LogEntry): string {
  if (prompt_privacy === 'metadata') return 'Not stored: this organization stores usage figures only';
  return prompt_privacy === null ? 'Deleted by the retention policy' : 'Not recorded';
}

export function describeUser({ user_id, user_name }: LogEntry): string {
  return user_name ?? (user_id === null ? 'Unknown user' : `User #${user_id}`);
}

export function describeProvider({ provider_instance_name: instance, provider_key }: LogEntry): string {
  const vendor = provider_key === null ? null : providerNameOf(provider_key);
  if (vendor === null) return instance ?? 'No provider reached';
  const saysBoth = instance !== null && instance.toLowerCase() !== vendor.toLowerCase();
  return saysBoth ? `${instance} · ${vendor}` : (instance ?? vendor);
}

export function describeTask({ task_id, task_title }: LogEntry): string {
  return task_id === null ? 'No Task' : (task_title ?? `#${task_id}`);
}

/** Example: `#12 Write the parser`. */
export function describeWholeTask(log: LogEntry): string {
  return log.task_title === null ? describeTask(log) : `#${log.task_id} ${log.task_title}`;
}

export const describeCost = ({ cost }: LogEntry) => (cost === null ? '–' : formatUsd(cost));

/** Example: `1,284 to 412 (1,696 total)`. */
export function describeTokens(log: LogEntry): string {
  const [prompt, completion, total] = [log.prompt_tokens, log.completion_tokens, log.openai_tokens_used].map(
    formatCount,
  );
  return `${prompt} to ${completion} (${total} total)`;
}

export function describeIntent({ intent_classification, confidence_score }: LogEntry): string {
  if (intent_classification === null) return 'Not classified';
  return confidence_score === null
    ? formatLabel(intent_classification)
    : `${formatLabel(intent_classification)} (${formatShare(confidence_score)})`;
}

/** Example: `0.420 to 0.532 (+0.112)`. */
export function describeScoreChange(log: LogEntry): string {
  const scores = readScores(log);
  if (scores === null || scores.delta === 0) return 'No change';
  return `${formatScore(scores.before, 3)} to ${formatScore(scores.after, 3)} (${formatSigned(scores.delta, 3)})`;
}

/** Returns rounded scores; `null` if the request has no recorded scores. */
export function readScores(log: LogEntry): { before: number; after: number; delta: number } | null {
  if (log.user_score_before === null || log.user_score_after === null) return null;
  const [before, after] = [round(log.user_score_before), round(log.user_score_after)];
  return { before, after, delta: round(after - before) };
}

const round = (score: number) => Math.round(score * 1000) / 1000;

import type { LogEntry } from '@sluice/contract';
import { formatCount, formatShare, formatSigned } from '../../lib/format-number.ts';
import { providerNameOf } from '../../lib/provider-registry.ts';

const previewCharacters = 50;

/** The beginning of a prompt, for the list. */
export function previewPrompt(prompt: string): string {
  const characters = [...prompt];
  return characters.length > previewCharacters
    ? `${characters.slice(0, previewCharacters).join('')}…`
    : prompt;
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

export function describeTask({ task_id }: LogEntry): string {
  return task_id === null ? 'No Task' : `#${task_id}`;
}

/** `#12 Write the parser` */
export function describeWholeTask(log: LogEntry): string {
  return log.task_title === null ? describeTask(log) : `${describeTask(log)} ${log.task_title}`;
}

/** `1,284 to 412 (1,696 total)` */
export function describeTokens(log: LogEntry): string {
  const [prompt, completion, total] = [log.prompt_tokens, log.completion_tokens, log.openai_tokens_used].map(
    formatCount,
  );
  return `${prompt} to ${completion} (${total} total)`;
}

export function describeIntent({ intent_classification, confidence_score }: LogEntry): string {
  if (intent_classification === null) return 'Not classified';
  return confidence_score === null
    ? intent_classification
    : `${intent_classification} (${formatShare(confidence_score)})`;
}

/** `0.42 to 0.53 (+0.11)` */
export function describeScoreChange(log: LogEntry): string {
  const { user_score_before: before, user_score_after: after, deviation_score_delta: delta } = log;
  if (before === null || after === null || !delta) return 'No change';
  return `${before.toFixed(2)} to ${after.toFixed(2)} (${formatSigned(delta)})`;
}

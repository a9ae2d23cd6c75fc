import type { MinimalCompletion, NamedTask } from '@sluice/contract';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import { sumInputTokens, type Usage } from '#protocols/canonical/usage.ts';
import { nameImage } from '#protocols/translation/answer-images.ts';

/** Encodes the response to `format: "minimal"`, regardless of the provider's protocol. */
export function encodeMinimal(
  response: CanonicalResponse,
  model: string,
  taskId: number | null,
  remainingTokens: number | null,
): MinimalCompletion {
  return {
    content: readAnswerText(response),
    model: response.model ?? model,
    usage: response.usage && encodeUsage(response.usage),
    task_id: taskId,
    remaining_tokens: remainingTokens,
  };
}

/** Returns the text of the first choice, with a placeholder for each image; `null` without text and images. */
export function readAnswerText({ choices: [first] }: CanonicalResponse): string | null {
  let text: string | null = null;
  for (const part of first?.parts ?? []) {
    if (part.type === 'image') text = (text ?? '') + nameImage(part);
    else if (part.type === 'text') text = text === null ? part.text : text + part.text;
  }
  return text;
}

function encodeUsage(usage: Usage) {
  const promptTokens = sumInputTokens(usage);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: promptTokens + usage.outputTokens,
  };
}

const namesMax = 10;
const conjunction = new Intl.ListFormat('en-US');

export function formatTasks(own: readonly NamedTask[]): string {
  if (own.length === 0) return 'You have no active task. Ask your administrator to assign one.';
  const names = own.slice(0, namesMax).map(({ id, title }) => `${id} (${title})`);
  const more = own.length - names.length;
  const listed = conjunction.format(more > 0 ? [...names, `${more} more`] : names);
  return own.length === 1 ? `Your task is ${listed}.` : `Your tasks are ${listed}.`;
}

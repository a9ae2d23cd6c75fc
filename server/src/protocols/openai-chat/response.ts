import type { MinimalCompletion } from '@sluice/contract';
import type { Completion } from '../canonical/response.ts';
import { readUsage, writeUsage } from './usage.ts';
import * as wire from './wire.ts';

/** A whole answer; `null` for anything that is not a chat completion, such as a proxy's HTML page. */
export function parseCompletion(body: Buffer): Completion | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return null;
  }
  const parsed = wire.completion.safeParse(value);
  if (!parsed.success) return null;
  const { model, choices, usage } = parsed.data;
  return { text: readText(choices[0]?.message.content), model, usage: readUsage(usage) };
}

/** The visible text of a message or a delta, which Mistral sends in parts where it reasons (protocol note S6). */
export function readText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map((part) => wire.textPart.safeParse(part).data?.text ?? '').join('');
}

export function encodeMinimal(completion: Completion, taskId: number | null): MinimalCompletion {
  return {
    content: completion.text,
    model: completion.model,
    usage: completion.usage ? writeUsage(completion.usage) : null,
    task_id: taskId,
    remaining_tokens: null,
  };
}

import type { AssistantPart } from '../canonical/content.ts';
import type { CanonicalResponse, Finish } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';

/** Returns a complete response as stream events, for providers that do not stream. */
export function toStreamEvents({
  id,
  model,
  createdAtSeconds,
  choices,
  usage,
}: CanonicalResponse): StreamEvent[] {
  return [
    { type: 'start', id, model, createdAtSeconds },
    ...choices.flatMap(({ parts, finish }, choice): StreamEvent[] => [
      ...parts.flatMap((part, block) => toPartEvents(part, { choice, block })),
      { type: 'finish', choice, finish },
    ]),
    ...(usage ? [{ type: 'usage', usage } as const] : []),
    { type: 'end' },
  ];
}

interface Place {
  readonly choice: number;
  readonly block: number;
}

function toPartEvents(part: AssistantPart, at: Place): StreamEvent[] {
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start', ...at },
        { type: 'text-delta', ...at, text: part.text },
        { type: 'text-end', ...at },
      ];
    case 'reasoning': {
      const { isRedacted, signature, text } = part;
      return [
        { type: 'reasoning-start', ...at, isRedacted },
        ...(text === '' ? [] : [{ type: 'reasoning-delta', ...at, text } as const]),
        { type: 'reasoning-end', ...at, ...(signature && { signature }) },
      ];
    }
    case 'tool-call': {
      const { arguments: json, signature, cacheMark: _, type: _type, ...call } = part;
      return [
        { type: 'tool-input-start', ...at, ...call },
        { type: 'tool-input-delta', ...at, json },
        { type: 'tool-input-end', ...at, ...(signature && { signature }) },
      ];
    }
    case 'image':
      return [{ type: 'image', ...at, image: part }];
    case 'refusal':
      return [{ type: 'refusal-delta', choice: at.choice, text: part.text }];
  }
}

/** Tracks the choices of a stream that the provider never finished. */
export interface UnfinishedChoices {
  record(event: StreamEvent): void;
  finish(): StreamEvent[];
}

/** Some providers send their end marker without a finish reason, which clients of every protocol expect. */
export function createUnfinishedChoices(): UnfinishedChoices {
  const choices = new Map<number, Finish | null>();
  return {
    record(event) {
      if (!('choice' in event)) return;
      const known = choices.get(event.choice);
      if (event.type === 'finish') choices.set(event.choice, null);
      else if (event.type === 'tool-input-start' && known !== null)
        choices.set(event.choice, { reason: 'tool-calls', native: null });
      else if (known === undefined) choices.set(event.choice, { reason: 'stop', native: null });
    },
    finish: () =>
      [...choices].flatMap(([choice, finish]) =>
        finish ? [{ type: 'finish', choice, finish } as const] : [],
      ),
  };
}

import { readText } from '#json/json-value.ts';
import { choicesMax } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { readUnixSeconds } from '../translation/unix-seconds.ts';
import { type ChoiceDecoder, createChoiceDecoder } from './choice-decoder.ts';
import { readUsage } from './usage.ts';
import type { WireAnswer } from './wire.ts';

export interface AnswerDecoder {
  read(answer: WireAnswer): StreamEvent[];
  close(): StreamEvent[];
}

/**
 * Creates a decoder. `field` is the field of a choice to read. Some vendors fill both fields, one of them with all
 * previous content.
 */
export function createAnswerDecoder(field: 'message' | 'delta'): AnswerDecoder {
  const choices = new Map<number, ChoiceDecoder>();
  let events: StreamEvent[] = [];
  let seed: string | null = null;
  const emit = (event: StreamEvent) => events.push(event);

  const identify = ({ id, model, created }: WireAnswer) => {
    const facts = { id: readText(id) || null, model: readText(model) || null };
    const createdAtSeconds = readUnixSeconds(created);
    seed = `${facts.id}/${createdAtSeconds}`;
    emit({ type: 'start', ...facts, createdAtSeconds });
  };
  const decoderOf = (index: number) => {
    const known = choices.get(index);
    if (known || choices.size >= choicesMax) return known;
    const decoder = createChoiceDecoder(index, `${seed}/${index}`, emit);
    choices.set(index, decoder);
    return decoder;
  };

  return {
    read(answer) {
      events = [];
      const list: NonNullable<WireAnswer['choices']> = Array.isArray(answer.choices) ? answer.choices : [];
      // Azure's first chunk has neither choices nor an id.
      if (seed === null && (list.length > 0 || readText(answer.id) !== '')) identify(answer);
      for (const choice of list) {
        if (!choice) continue;
        const decoder = decoderOf(typeof choice.index === 'number' ? choice.index : 0);
        if (choice[field]) decoder?.read(choice[field]);
        if (choice.finish_reason) decoder?.finish(choice.finish_reason);
      }
      const told = answer.usage ?? answer.x_groq?.usage;
      const usage = told ? readUsage(told) : null;
      if (usage) emit({ type: 'usage', usage, ...(list.length === 0 && { isAlone: true }) });
      return events;
    },
    close() {
      events = [];
      for (const choice of choices.values()) choice.close();
      return events;
    },
  };
}

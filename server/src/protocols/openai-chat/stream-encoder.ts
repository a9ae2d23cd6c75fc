import type { Signature } from '../canonical/content.ts';
import type { StreamEncoder, StreamEvent } from '../canonical/stream-event.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerContext } from '../protocol.ts';
import { toErrorFacts } from '../translation/classify-failure.ts';
import { unwrapInput } from '../translation/freeform-tool.ts';
import { readSignedField } from '../translation/reasoning-field.ts';
import { writeCallSignature } from './call-signature.ts';
import { writeFinishReason } from './choice-decoder.ts';
import { encodeStreamError } from './errors.ts';
import { writeDetail } from './reasoning.ts';
import { encodeAnswerImage, makeAnswerId } from './response.ts';
import { writeUsage } from './usage.ts';

export const streamEnd = 'data: [DONE]\n\n';

/** Usage comes last, when it is final. */
export function createStreamEncoder(context: AnswerContext): StreamEncoder {
  const choices = new Map<number, ChoiceEncoder>();
  let identity = { id: makeAnswerId(context), created: context.nowSeconds, model: context.model };
  let usage: Usage | null = null;

  const writeChunk = (rest: object) => {
    const { id, created, model } = identity;
    return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest })}\n\n`;
  };
  const writeDelta = (index: number, delta: object, finishReason: string | null = null) =>
    writeChunk({
      choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
      ...(context.wantsUsage && { usage: null }),
    });
  const begin = (index: number) => {
    if (choices.has(index)) return '';
    choices.set(index, createChoiceEncoder());
    return writeDelta(index, { role: 'assistant', content: '' });
  };

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          identity = {
            id: event.id ?? identity.id,
            created: event.createdAtSeconds ?? identity.created,
            model: event.model ?? identity.model,
          };
          return begin(0);
        case 'usage':
          usage = event.usage;
          return '';
        case 'finish':
          return begin(event.choice) + writeDelta(event.choice, {}, writeFinishReason(event.finish));
        case 'error':
          return encodeStreamError(toErrorFacts(event));
        case 'end':
          return (
            (usage && context.wantsUsage ? writeChunk({ choices: [], usage: writeUsage(usage) }) : '') +
            streamEnd
          );
      }
      const role = begin(event.choice);
      const delta = choices.get(event.choice)?.encode(event);
      return delta ? role + writeDelta(event.choice, delta) : role;
    },
  };
}

type PieceEvent = Exclude<Extract<StreamEvent, { readonly choice: number }>, { type: 'finish' }>;

interface ChoiceEncoder {
  /** Returns `null` if the event needs no delta. */
  encode(event: PieceEvent): object | null;
}

function createChoiceEncoder(): ChoiceEncoder {
  const call = createCallEncoder();
  let thoughtIndex = -1;
  let imageCount = 0;
  let thought = '';
  let isRedacted = false;

  return {
    encode(event) {
      switch (event.type) {
        case 'text-delta':
          return { content: event.text };
        case 'refusal-delta':
          return { refusal: event.text };
        case 'reasoning-start':
          thoughtIndex++;
          thought = '';
          isRedacted = event.isRedacted;
          return null;
        case 'reasoning-delta':
          thought += event.text;
          return { reasoning_content: event.text };
        case 'reasoning-end': {
          const { signature } = event;
          const part = { type: 'reasoning', text: thought, isRedacted, signature } as const;
          return signature && readSignedField(signature) === null
            ? { reasoning_details: [writeDetail(part, thoughtIndex)] }
            : null;
        }
        case 'image':
          return { images: [encodeAnswerImage(event.image, imageCount++)] };
        case 'tool-input-start':
          return call.start(event);
        case 'tool-input-delta':
          return call.add(event.json);
        case 'tool-input-end':
          return call.end(event.signature);
        default:
          return null;
      }
    },
  };
}

function createCallEncoder() {
  let index = -1;
  let sent = '';
  /** Whether the open call takes free text, which arrives wrapped in JSON and is sent when complete. */
  let isFreeform = false;
  const write = (rest: object) => ({ tool_calls: [{ index, ...rest }] });

  return {
    start({ id, name, ...event }: Extract<PieceEvent, { type: 'tool-input-start' }>): object {
      index++;
      sent = '';
      isFreeform = event.isFreeform ?? false;
      return write({
        id,
        ...(isFreeform
          ? { type: 'custom', custom: { name, input: '' } }
          : { type: 'function', function: { name, arguments: '' } }),
      });
    },
    add(json: string): object | null {
      sent += json;
      return isFreeform ? null : write({ function: { arguments: json } });
    },
    end(signature: Signature | undefined): object | null {
      const extra = signature && { extra_content: writeCallSignature(signature) };
      const pending = isFreeform
        ? { custom: { input: unwrapInput(sent) } }
        : // Clients such as Vercel's AI SDK reject a call delta without `function`.
          (sent === '' || extra) && { function: { arguments: sent === '' ? '{}' : '' } };
      return pending || extra ? write({ ...pending, ...extra }) : null;
    },
  };
}

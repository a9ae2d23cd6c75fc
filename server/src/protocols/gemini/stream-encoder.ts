import type { Signature } from '../canonical/content.ts';
import type { Finish } from '../canonical/response.ts';
import type { StreamEncoder, StreamEvent } from '../canonical/stream-event.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerContext, CallerSide } from '../protocol.ts';
import { toErrorFacts } from '../translation/classify-failure.ts';
import { encodeError } from './errors.ts';
import { encodeAnswerParts } from './model-parts.ts';
import { encodeFinish, encodeIdentity } from './response.ts';
import { writeUsage } from './usage.ts';

interface Framing {
  write(piece: object): string;
  end(): string;
}

const sse: Framing = { write: (piece) => `data: ${JSON.stringify(piece)}\n\n`, end: () => '' };

/** Texts are sent as they arrive, calls when complete, and finish reason and usage at the end. */
export function createStreamEncoder(context: AnswerContext, framing: Framing = sse): StreamEncoder {
  const choices = new Map<number, ChoiceEncoder>();
  let identity = encodeIdentity({ id: null, model: null, createdAtSeconds: null }, context);
  let usage: Usage | null = null;

  const choiceOf = (index: number) => {
    const choice = choices.get(index) ?? createChoiceEncoder(index);
    choices.set(index, choice);
    return choice;
  };
  const writeLast = () => {
    const candidates = [...choices.values()].flatMap((choice) => choice.encodeEnd() ?? []);
    if (candidates.length === 0 && usage === null) return '';
    return framing.write({ candidates, ...(usage && { usageMetadata: writeUsage(usage) }), ...identity });
  };

  return {
    encode(event) {
      switch (event.type) {
        case 'start':
          identity = encodeIdentity(event, context);
          return '';
        case 'usage':
          usage = event.usage;
          return '';
        case 'error':
          return framing.write(encodeError(toErrorFacts(event), context.requestId)) + framing.end();
        case 'end':
          return writeLast() + framing.end();
      }
      const candidate = choiceOf(event.choice).encode(event);
      return candidate ? framing.write({ candidates: [candidate], ...identity }) : '';
    },
  };
}

type ChoiceEvent = Extract<StreamEvent, { readonly choice: number }>;

interface ChoiceEncoder {
  /** Returns `null` if nothing is to be sent. */
  encode(event: ChoiceEvent): object | null;
  /** Returns `null` if there is no finish reason yet. */
  encodeEnd(): object | null;
}

function createChoiceEncoder(index: number): ChoiceEncoder {
  const call = createCallCollector();
  let isRedacted = false;
  let refusal = '';
  let finish: Finish | null = null;

  const encodeCandidate = (parts: readonly object[], rest: object = {}) => ({
    content: { role: 'model', parts },
    ...rest,
    index,
  });

  return {
    encode(event) {
      switch (event.type) {
        case 'text-delta':
          return event.text === '' ? null : encodeCandidate([{ text: event.text }]);
        case 'reasoning-start':
          isRedacted = event.isRedacted;
          return null;
        case 'reasoning-delta':
          return event.text === '' ? null : encodeCandidate([{ text: event.text, thought: true }]);
        case 'reasoning-end':
          return event.signature ? encodeCandidate(encodeProof(event.signature, isRedacted)) : null;
        case 'tool-input-start':
          call.start(event);
          return null;
        case 'tool-input-delta':
          call.add(event.json);
          return null;
        case 'tool-input-end':
          return encodeCandidate(call.end(event.signature));
        case 'image':
          return encodeCandidate(encodeAnswerParts([event.image]));
        case 'refusal-delta':
          refusal += event.text;
          return null;
        case 'finish':
          finish = event.finish;
          return null;
        default:
          return null;
      }
    },
    // Includes an empty part, because clients drop a turn that has a piece without parts.
    encodeEnd: () => finish && encodeCandidate([{ text: '' }], encodeFinish(finish, refusal)),
  };
}

function encodeProof(signature: Signature, isRedacted: boolean): readonly object[] {
  return encodeAnswerParts([{ type: 'reasoning', text: '', isRedacted, signature }]);
}

/** Collects the arguments of a call, and returns the call when it is complete. */
function createCallCollector() {
  let call = { id: '', name: '', arguments: '' };
  let hasCalls = false;
  return {
    start({ id, name }: { readonly id: string; readonly name: string }): void {
      call = { id, name, arguments: '' };
    },
    add(json: string): void {
      call.arguments += json;
    },
    end(signature: Signature | undefined): readonly object[] {
      const part = { type: 'tool-call', ...call, ...(signature && { signature }) } as const;
      const encoded = encodeAnswerParts([part], hasCalls);
      hasCalls = true;
      return encoded;
    },
  };
}

const separator = ',\r\n';

interface ArrayFraming extends Framing {
  writeJson(json: string): string;
}

function createArrayFraming(): ArrayFraming {
  let isBegun = false;
  const writeJson = (json: string) => {
    const opening = isBegun ? separator : '[';
    isBegun = true;
    return opening + json;
  };
  return {
    writeJson,
    write: (piece) => writeJson(JSON.stringify(piece)),
    end: () => (isBegun ? ']' : '[]'),
  };
}

/** Stream format for callers without `alt=sse`: one JSON array whose elements are sent as they arrive. */
export const arrayStream = {
  createStreamEncoder: (context) => createStreamEncoder(context, createArrayFraming()),
  createReframer() {
    const framing = createArrayFraming();
    return ({ data }) => (data === '' ? '' : framing.writeJson(data));
  },
  // The array already has an element, because earlier errors are sent as an HTTP status.
  encodeStreamError: (error, { requestId }) =>
    `${separator}${JSON.stringify(encodeError(error, requestId))}]`,
  streamContentType: 'application/json; charset=utf-8',
  streamEnd: ']',
} satisfies Partial<CallerSide>;

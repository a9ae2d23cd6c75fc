import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { CallerSide, Protocol } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { describeImage } from '#protocols/translation/answer-images.ts';
import { collectChoices } from '#protocols/translation/collect-choices.ts';
import { replayStream } from '../providers/replay-stream.ts';

export const answerContext = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: true };

export const callerProtocols: readonly (Protocol & { readonly caller: CallerSide })[] = Object.values(
  protocols,
).flatMap((protocol: Protocol) => (protocol.caller ? [{ ...protocol, caller: protocol.caller }] : []));

/**
 * Encodes a non-streamed response for a caller of this protocol, and decodes it with the provider side of the same
 * protocol.
 */
export function passWhole(
  { caller, provider }: (typeof callerProtocols)[number],
  response: CanonicalResponse,
): CanonicalResponse {
  const body = Buffer.from(JSON.stringify(caller.encodeResponse(response, answerContext)));
  const back = provider.decodeResponse(body);
  if (back === null) throw new Error(`not a response of this protocol: ${body}`);
  return back;
}

/** Encodes a stream for a caller of this protocol, and decodes it with the provider side of the same protocol. */
export function passStream(
  { caller, provider }: (typeof callerProtocols)[number],
  events: readonly StreamEvent[],
): StreamEvent[] {
  const encoder = caller.createStreamEncoder(answerContext);
  return replayStream(provider, Buffer.from(events.map((event) => encoder.encode(event)).join('')));
}

export function collectAnswer(events: readonly StreamEvent[]): CanonicalResponse {
  const start = events.find((event) => event.type === 'start');
  return {
    id: start?.id ?? null,
    model: start?.model ?? null,
    createdAtSeconds: start?.createdAtSeconds ?? null,
    choices: collectChoices(events),
    usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
  };
}

/** Returns the response with a text instead of each image if callers of this protocol cannot receive images. */
export function describeImages(
  { caller }: (typeof callerProtocols)[number],
  response: CanonicalResponse,
): CanonicalResponse {
  if (!caller.lacksImages) return response;
  const choices = response.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.map((part) =>
      part.type === 'image' ? ({ type: 'text', text: describeImage(part) } as const) : part,
    ),
  }));
  return { ...response, choices };
}

/** Returns the response parts that every protocol has: text, images, tool calls, finish reason and usage. */
export function summarize({ choices, usage }: Pick<CanonicalResponse, 'choices' | 'usage'>): object {
  return {
    usage,
    choices: choices.map(({ parts, finish }) => ({
      reason: finish.reason,
      text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
      images: parts.flatMap((part) => (part.type === 'image' ? [part.source] : [])),
      reasoning: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join(''),
      calls: parts.flatMap((part) =>
        part.type === 'tool-call' ? [{ name: part.name, arguments: JSON.parse(part.arguments) }] : [],
      ),
    })),
  };
}

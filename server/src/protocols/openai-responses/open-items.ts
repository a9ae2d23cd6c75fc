import type { MediaSource, Signature, ToolCallPart } from '../canonical/content.ts';
import { unwrapInput } from '../translation/freeform-tool.ts';
import { writeReasoningItem } from './reasoning.ts';

export type SendEvent = (type: string, fields: object) => void;

export interface Place {
  readonly output_index: number;
  readonly item_id: string;
}

interface OpenItem<Kind> {
  readonly kind: Kind;
  close(status: string): object;
}

export interface OpenMessage extends OpenItem<'message'> {
  addText(piece: string): void;
  endText(): void;
  addRefusal(refusal: string): void;
}

export function openMessage(place: Place, sendEvent: SendEvent): OpenMessage {
  const content: object[] = [];
  let text: string | null = null;
  const encodeItem = (parts: readonly object[], status: string) => ({
    id: place.item_id,
    type: 'message',
    status,
    role: 'assistant',
    content: parts,
  });
  const at = () => ({ ...place, content_index: content.length });
  const endPart = (part: object) => {
    sendEvent('response.content_part.done', { ...at(), part });
    content.push(part);
  };
  const endText = () => {
    if (text === null) return;
    sendEvent('response.output_text.done', { ...at(), text, logprobs: [] });
    endPart(encodeTextPart(text));
    text = null;
  };
  sendEvent('response.output_item.added', {
    output_index: place.output_index,
    item: encodeItem([], 'in_progress'),
  });
  return {
    kind: 'message',
    addText(piece) {
      if (text === null) sendEvent('response.content_part.added', { ...at(), part: encodeTextPart('') });
      sendEvent('response.output_text.delta', { ...at(), delta: piece, logprobs: [] });
      text = (text ?? '') + piece;
    },
    endText,
    addRefusal(refusal) {
      endText();
      sendEvent('response.content_part.added', { ...at(), part: encodeRefusalPart('') });
      sendEvent('response.refusal.delta', { ...at(), delta: refusal });
      sendEvent('response.refusal.done', { ...at(), refusal });
      endPart(encodeRefusalPart(refusal));
    },
    close(status) {
      endText();
      return encodeItem(content, status);
    },
  };
}

function encodeTextPart(text: string): object {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function encodeRefusalPart(refusal: string): object {
  return { type: 'refusal', refusal };
}

export interface OpenReasoning extends OpenItem<'reasoning'> {
  addText(piece: string): void;
  sign(signature: Signature, signed: 'reasoning' | 'redacted' | 'call'): void;
}

/** Reasoning is sent as a summary, which clients can display. */
export function openReasoning(place: Place, sendEvent: SendEvent): OpenReasoning {
  let text = '';
  let proof: Parameters<OpenReasoning['sign']> | null = null;
  const at = { ...place, summary_index: 0 };
  const encodeItem = (part: string) => ({ type: 'summary_text', text: part });
  sendEvent('response.output_item.added', {
    output_index: place.output_index,
    item: { id: place.item_id, ...writeReasoningItem('', undefined, 'reasoning') },
  });
  return {
    kind: 'reasoning',
    addText(piece) {
      if (text === '') sendEvent('response.reasoning_summary_part.added', { ...at, part: encodeItem('') });
      sendEvent('response.reasoning_summary_text.delta', { ...at, delta: piece });
      text += piece;
    },
    sign(...given) {
      proof = given;
    },
    close() {
      if (text !== '') {
        sendEvent('response.reasoning_summary_text.done', { ...at, text });
        sendEvent('response.reasoning_summary_part.done', { ...at, part: encodeItem(text) });
      }
      const [signature, signed] = proof ?? [undefined, 'reasoning' as const];
      return { id: place.item_id, ...writeReasoningItem(text, signature, signed) };
    },
  };
}

/** Encodes a generated image as output of OpenAI's image generation tool, and returns the item. */
export function writeImage(
  { mediaType, base64 }: Extract<MediaSource, { kind: 'data' }>,
  place: Place,
  sendEvent: SendEvent,
): object {
  const item = { id: place.item_id, type: 'image_generation_call' };
  const format = mediaType.replace(/^image\//, '');
  sendEvent('response.output_item.added', {
    output_index: place.output_index,
    item: { ...item, status: 'in_progress', result: null },
  });
  for (const step of ['in_progress', 'generating', 'completed'])
    sendEvent(`response.image_generation_call.${step}`, { ...place });
  return { ...item, status: 'completed', output_format: format, result: base64 };
}

export interface OpenCall extends OpenItem<'call'> {
  addJson(piece: string): void;
}

type CallFacts = Pick<ToolCallPart, 'id' | 'name' | 'namespace'>;

function encodeCallFacts({ id, name, namespace }: CallFacts): object {
  return { call_id: id, name, ...(namespace !== undefined && { namespace }) };
}

/** The arguments are `{}` if none are written. */
export function openFunctionCall(call: CallFacts, place: Place, sendEvent: SendEvent): OpenCall {
  let json = '';
  const encodeItem = (whole: string, status: string) => ({
    id: place.item_id,
    type: 'function_call',
    status,
    ...encodeCallFacts(call),
    arguments: whole,
  });
  const addJson = (piece: string) => {
    if (piece !== '') sendEvent('response.function_call_arguments.delta', { ...place, delta: piece });
    json += piece;
  };
  sendEvent('response.output_item.added', {
    output_index: place.output_index,
    item: encodeItem('', 'in_progress'),
  });
  return {
    kind: 'call',
    addJson,
    close(status) {
      if (json === '') addJson('{}');
      sendEvent('response.function_call_arguments.done', { ...place, name: call.name, arguments: json });
      return encodeItem(json, status);
    },
  };
}

/** Starts a call with free text. The text is sent when complete, since it arrives wrapped in a function's arguments. */
export function openCustomCall(call: CallFacts, place: Place, sendEvent: SendEvent): OpenCall {
  let json = '';
  const encodeItem = (input: string, status: string) => ({
    id: place.item_id,
    type: 'custom_tool_call',
    status,
    ...encodeCallFacts(call),
    input,
  });
  sendEvent('response.output_item.added', {
    output_index: place.output_index,
    item: encodeItem('', 'in_progress'),
  });
  return {
    kind: 'call',
    addJson(piece) {
      json += piece;
    },
    close(status) {
      const input = unwrapInput(json);
      if (input !== '') sendEvent('response.custom_tool_call_input.delta', { ...place, delta: input });
      sendEvent('response.custom_tool_call_input.done', { ...place, input });
      return encodeItem(input, status);
    },
  };
}

import type { AssistantPart, ImagePart, ReasoningPart, ToolCallPart } from '../canonical/content.ts';
import { readArguments } from '../translation/call-arguments.ts';
import { dropSignedField } from '../translation/reasoning-field.ts';
import { encodeAnswerImage, readAnswerMedia } from './media.ts';
import { readSignature, uncheckedSignature, writeSignature } from './signature.ts';
import type { Part } from './wire.ts';

/**
 * Adds a part of a model turn. Consecutive pieces of a text or thought, split by a stream, are joined. A signature on
 * text becomes redacted reasoning. `noteLeftOut` is called for each feature that only Google supports.
 */
export function addModelPart(
  said: AssistantPart[],
  part: Part,
  nameCall: (name: string) => string,
  noteLeftOut: (name: string) => void,
): void {
  const { text, thought, functionCall: call } = part;
  const read = readSignature(part.thoughtSignature);
  const proof = read && { signature: read.signature };
  if (call) {
    const id = call.id || nameCall(call.name);
    said.push({
      type: 'tool-call',
      id,
      name: call.name,
      arguments: JSON.stringify(call.args ?? {}),
      ...proof,
    });
  } else if (thought === true) addThought(said, text ?? '', read);
  else {
    const media = text == null ? readAnswerMedia(part) : null;
    const foreign = text == null && media?.type !== 'image' ? findForeignKind(part) : undefined;
    if (text) addText(said, text);
    if (media?.type === 'image') said.push({ ...media, ...proof });
    else if (foreign !== undefined) noteLeftOut(foreign);
    else if (proof) said.push({ type: 'reasoning', text: '', isRedacted: true, ...proof });
  }
}

function addText(said: AssistantPart[], text: string): void {
  const latest = said.at(-1);
  if (latest?.type === 'text') said[said.length - 1] = { type: 'text', text: latest.text + text };
  else said.push({ type: 'text', text });
}

function addThought(said: AssistantPart[], text: string, read: ReturnType<typeof readSignature>): void {
  const isRedacted = read?.isRedacted ?? false;
  const proof = read && { signature: read.signature };
  const latest = said.at(-1);
  if (latest?.type === 'reasoning' && !latest.isRedacted && !latest.signature && !isRedacted)
    said[said.length - 1] = { ...latest, text: latest.text + text, ...proof };
  else if (text !== '' || read) said.push({ type: 'reasoning', text, isRedacted, ...proof });
}

function findForeignKind({
  text: _text,
  thought: _thought,
  thoughtSignature: _signature,
  ...rest
}: Part): string | undefined {
  return Object.entries(rest).find(([, value]) => value != null)?.[0];
}

/**
 * Encodes the parts of a response for a caller. The first call is always signed, because Google rejects it otherwise.
 * `hasEarlierCalls` means that calls of the same response came before.
 */
export function encodeAnswerParts(parts: readonly AssistantPart[], hasEarlierCalls = false): object[] {
  const encoded: EncodedPart[] = [];
  let isFirst = !hasEarlierCalls;
  for (const part of parts) {
    if (part.type === 'tool-call') {
      const signature = part.signature && writeSignature(part.signature, 'call');
      encoded.push(encodeCall(part, signature ?? (isFirst ? uncheckedSignature : undefined)));
      isFirst = false;
    } else if (part.type === 'reasoning') addReasoning(encoded, part);
    else if (part.type === 'image') {
      const signature = part.signature && writeSignature(part.signature, 'call');
      encoded.push(encodeImage(part, signature));
    } else if (part.type === 'text' && part.text !== '') encoded.push({ text: part.text });
  }
  return encoded;
}

function encodeImage(image: ImagePart, thoughtSignature: string | undefined): EncodedPart {
  return { ...encodeAnswerImage(image), ...(thoughtSignature !== undefined && { thoughtSignature }) };
}

interface EncodedPart {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly functionCall?: object;
}

export interface EncodedHistory {
  readonly parts: readonly object[];
  /** Whether reasoning was omitted because it was signed in another protocol, or is redacted and unsigned. */
  readonly hasLostReasoning: boolean;
  /** Whether images were omitted because Google cannot read them. */
  readonly hasLostImages: boolean;
}

/** With `mustBeSigned`, the model verifies the signatures of the first call and of images. */
export function encodeHistory(parts: readonly AssistantPart[], mustBeSigned: boolean): EncodedHistory {
  const encoded: EncodedPart[] = [];
  let hasLostReasoning = false;
  let hasLostImages = false;
  let isFirst = true;
  for (const part of putTextFirst(parts.map(dropSignedField))) {
    if (part.type === 'tool-call') {
      const own = part.signature?.protocol === 'gemini' ? part.signature.value : undefined;
      encoded.push(encodeCall(part, own ?? (isFirst && mustBeSigned ? uncheckedSignature : undefined)));
      isFirst = false;
    } else if (part.type === 'image') {
      const own = part.signature?.protocol === 'gemini' ? part.signature.value : undefined;
      if (part.source.kind !== 'data') hasLostImages = true;
      else encoded.push(encodeImage(part, own ?? (mustBeSigned ? uncheckedSignature : undefined)));
    } else if (part.type !== 'reasoning') {
      if (part.text !== '') encoded.push({ text: part.text });
    } else if (isForeign(part)) hasLostReasoning = true;
    else addReasoning(encoded, part);
  }
  return { parts: encoded, hasLostReasoning, hasLostImages };
}

function isForeign({ signature, isRedacted }: ReasoningPart): boolean {
  return signature ? signature.protocol !== 'gemini' : isRedacted;
}

// Puts a text before the redacted reasoning that signs it, since callers that keep reasoning separate from text send
// all reasoning first.
function putTextFirst(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const isText = (part: AssistantPart | undefined) => part?.type === 'text';
  const isHidden = (part: AssistantPart | undefined) => part?.type === 'reasoning' && part.isRedacted;
  const at = parts.findIndex((part, index) => isHidden(part) && isText(parts[index + 1]));
  const [hidden, text] = parts.slice(at, at + 2);
  if (!hidden || !text || isText(parts[at - 1])) return parts;
  return [...parts.slice(0, at), text, hidden, ...parts.slice(at + 2)];
}

/**
 * Adds redacted reasoning as a signature of the previous text or of an empty text. Other reasoning becomes a separate
 * part.
 */
function addReasoning(encoded: EncodedPart[], { text, isRedacted, signature }: ReasoningPart): void {
  const thoughtSignature = signature && writeSignature(signature, isRedacted ? 'redacted' : 'reasoning');
  if (!isRedacted || signature?.protocol !== 'gemini') {
    if (text === '' && !thoughtSignature) return;
    encoded.push({ text, thought: true, ...(thoughtSignature !== undefined && { thoughtSignature }) });
    return;
  }
  const latest = encoded.at(-1);
  const isPlain = latest?.text !== undefined && !latest.thought && !latest.thoughtSignature;
  if (isPlain) encoded[encoded.length - 1] = { ...latest, thoughtSignature };
  else encoded.push({ text: '', thoughtSignature });
}

function encodeCall(
  { id, name, arguments: json }: ToolCallPart,
  thoughtSignature: string | undefined,
): EncodedPart {
  return {
    functionCall: { id, name, args: readArguments(json) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  };
}

import type { AssistantPart, ReasoningPart, ToolCallPart } from '../canonical/content.ts';
import { readArguments } from '../translation/call-arguments.ts';
import { readSignature, uncheckedSignature, writeSignature } from './signature.ts';
import type { Part } from './wire.ts';

/**
 * Adds what a model's part says. Pieces of one text or thought, which a stream has cut, grow together; what Google
 * signs beside the answer's text is hidden reasoning. `noteLeftOut` hears of what only Google knows.
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
    const foreign = text == null ? findForeignKind(part) : undefined;
    if (text) addText(said, text);
    if (foreign !== undefined) noteLeftOut(foreign);
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

/** What a part holds that is none of a model's words: code that Google ran, a picture that it made. */
function findForeignKind({
  text: _text,
  thought: _thought,
  thoughtSignature: _signature,
  ...rest
}: Part): string | undefined {
  return Object.entries(rest).find(([, value]) => value != null)?.[0];
}

/**
 * An answer's parts for a caller; what other protocols have signed is carried as well. The first call is always signed,
 * since Google's models refuse it otherwise and the next request may go to one; `hasEarlierCalls`: it is not here.
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
    else if (part.type === 'text' && part.text !== '') encoded.push({ text: part.text });
  }
  return encoded;
}

interface EncodedPart {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly functionCall?: object;
}

export interface EncodedHistory {
  readonly parts: readonly object[];
  /** Whether reasoning was left out that another protocol's provider signed. */
  readonly hasLostReasoning: boolean;
}

/** An earlier answer as a model gets it back; `mustBeSigned` is whether it checks the signature of a first call. */
export function encodeHistory(parts: readonly AssistantPart[], mustBeSigned: boolean): EncodedHistory {
  const encoded: EncodedPart[] = [];
  let hasLostReasoning = false;
  let isFirst = true;
  for (const part of putTextFirst(parts)) {
    if (part.type === 'tool-call') {
      const own = part.signature?.protocol === 'gemini' ? part.signature.value : undefined;
      encoded.push(encodeCall(part, own ?? (isFirst && mustBeSigned ? uncheckedSignature : undefined)));
      isFirst = false;
    } else if (part.type !== 'reasoning') {
      if (part.text !== '') encoded.push({ text: part.text });
    } else if (isForeign(part)) hasLostReasoning = true;
    else addReasoning(encoded, part);
  }
  return { parts: encoded, hasLostReasoning };
}

function isForeign({ signature, isRedacted }: ReasoningPart): boolean {
  return signature ? signature.protocol !== 'gemini' : isRedacted;
}

// Callers that keep reasoning apart from the text put all of it first.
function putTextFirst(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const isText = (part: AssistantPart | undefined) => part?.type === 'text';
  const isHidden = (part: AssistantPart | undefined) => part?.type === 'reasoning' && part.isRedacted;
  const at = parts.findIndex((part, index) => isHidden(part) && isText(parts[index + 1]));
  const [hidden, text] = parts.slice(at, at + 2);
  if (!hidden || !text || isText(parts[at - 1])) return parts;
  return [...parts.slice(0, at), text, hidden, ...parts.slice(at + 2)];
}

/** Hidden reasoning is signed on the text before it, or on an empty one; shown reasoning is a part of its own. */
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

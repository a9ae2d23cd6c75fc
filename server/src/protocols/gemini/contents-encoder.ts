import type { Steps } from '#platform/steps.ts';
import type { Message, ToolResultPart, UserPart } from '../canonical/content.ts';
import { mapMessages, microsPerMessage } from '../translation/encode-in-steps.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { splitUserTurn } from '../translation/user-turn.ts';
import { createFunctionResponseEncoder } from './function-response.ts';
import { encodeMedia } from './media.ts';
import { encodeHistory } from './model-parts.ts';
import type { ModelTraits } from './model-traits.ts';

interface EncodedContent {
  readonly role: 'user' | 'model';
  readonly parts: readonly object[];
}

export interface EncodedContents {
  readonly systemInstruction?: { readonly parts: readonly object[] };
  readonly contents: readonly EncodedContent[];
  /** Whether reasoning was omitted because it was signed by another provider, or is redacted and unsigned. */
  readonly hasLostReasoning: boolean;
  /** Whether images of earlier responses were omitted because the model has no vision or Google cannot read them. */
  readonly hasLostImages: boolean;
}

/** Placeholder for a user turn that Google requires but the conversation lacks. */
const placeholder: EncodedContent = { role: 'user', parts: [{ text: '…' }] };

/** Encodes a conversation by Google's rules: system text first, then alternating roles, starting with the user. */
export function* encodeContents(messages: readonly Message[], traits: ModelTraits): Steps<EncodedContents> {
  yield messages.length * microsPerMessage;
  const system = messages
    .flatMap((message) => (message.role === 'system' ? message.parts : []))
    .flatMap(({ text }) => (text === '' ? [] : [{ text }]));
  const names = nameCalls(messages);
  const encodeResponse = createFunctionResponseEncoder();
  const encodeResult = (result: ToolResultPart) => encodeResponse(result, nameOf(result, names));
  let hasLostReasoning = false;
  let hasLostImages = false;
  const encoded = yield* mapMessages(messages, (message): EncodedContent[] => {
    if (message.role === 'system') return [];
    if (message.role === 'user')
      return [{ role: 'user', parts: encodeUser(message.parts, encodeResult, traits) }];
    const history = encodeHistory(message.parts, traits.isThirdGeneration);
    hasLostReasoning ||= history.hasLostReasoning;
    hasLostImages ||= history.hasLostImages;
    return [{ role: 'model', parts: history.parts }];
  });
  yield messages.length * microsPerMessage;
  const turns = encoded.flat();
  const { hasSystemInstruction } = traits;
  const contents = mergeTurns(hasSystemInstruction ? turns : [{ role: 'user', parts: system }, ...turns]);
  return {
    ...(system.length > 0 && hasSystemInstruction && { systemInstruction: { parts: system } }),
    contents: contents[0]?.role === 'user' ? contents : [placeholder, ...contents],
    hasLostReasoning,
    hasLostImages,
  };
}

function mergeTurns(turns: readonly EncodedContent[]): EncodedContent[] {
  const merged: { readonly role: EncodedContent['role']; readonly parts: object[] }[] = [];
  for (const { role, parts } of turns) {
    const latest = merged.at(-1);
    if (latest?.role === role) for (const part of parts) latest.parts.push(part);
    else if (parts.length > 0) merged.push({ role, parts: [...parts] });
  }
  return merged;
}

function nameCalls(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  return new Map(calls.flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.name]] : [])));
}

function encodeUser(
  parts: readonly UserPart[],
  encodeResult: (result: ToolResultPart) => object,
  { isThirdGeneration }: ModelTraits,
): object[] {
  const { results, said } = splitUserTurn(
    parts,
    (part) => part.type === 'text' || (isThirdGeneration && part.source.kind !== 'text'),
  );
  const spoken = said.filter((part) => part.type !== 'text' || part.text !== '');
  return [
    ...results.map(encodeResult),
    ...spoken.map((part) => (part.type === 'text' ? { text: part.text } : encodeMedia(part))),
  ];
}

function nameOf({ callId, name }: ToolResultPart, names: ReadonlyMap<string, string>): string {
  const found = name ?? names.get(callId);
  if (found !== undefined) return found;
  throw new UntranslatableError(
    `The result of the tool call '${callId}' does not match any call in this conversation.`,
    'messages',
  );
}

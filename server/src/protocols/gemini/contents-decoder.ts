import type { AssistantPart, Message, TextPart, ToolCallPart, UserPart } from '../canonical/content.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { decodeFunctionResponse } from './function-response.ts';
import { decodeFileData, decodeInlineData } from './media.ts';
import { addModelPart } from './model-parts.ts';
import type { Content, FunctionResponse, GenerateContentRequest, Part } from './wire.ts';

type Turn =
  | { readonly role: 'user'; readonly parts: UserPart[] }
  | { readonly role: 'assistant'; readonly parts: AssistantPart[] };

/**
 * Decodes a caller's conversation, starting with the system text. Consecutive contents of the same role are merged,
 * because clients keep each piece of a stream as a separate content. `noteLeftOut` is called for each omitted
 * feature.
 */
export function decodeContents(
  { contents, systemInstruction }: GenerateContentRequest,
  noteLeftOut: (name: string) => void,
): Message[] {
  const turns: Turn[] = [];
  const calls = createCallBook();
  for (const [index, content] of contents.entries()) {
    const path = `contents[${index}]`;
    const role = readRole(content, path);
    const turn = continueTurn(turns, role);
    if (turn.role === 'assistant') addAnswerContent(turn.parts, content, path, calls, noteLeftOut);
    else for (const part of decodeAsked(content, path, calls)) turn.parts.push(part);
  }
  const system = decodeSystem(systemInstruction);
  return [...system, ...turns.filter(({ parts }) => parts.length > 0).map(putResultsFirst)];
}

function readRole({ role }: Content, path: string): Turn['role'] {
  if (role === 'model') return 'assistant';
  if (role == null || role === 'user' || role === 'function') return 'user';
  throw new UntranslatableError(
    `Invalid value for '${path}.role': '${role}' is neither 'user' nor 'model'.`,
    `${path}.role`,
  );
}

function continueTurn(turns: Turn[], role: Turn['role']): Turn {
  const latest = turns.at(-1);
  if (latest?.role === role) return latest;
  const turn = { role, parts: [] };
  turns.push(turn);
  return turn;
}

function decodeSystem(instruction: Content | null | undefined): Message[] {
  const parts = (instruction?.parts ?? []).map((part, index): TextPart => {
    const path = `systemInstruction.parts[${index}]`;
    refuseSecondContent(part, path);
    if (part.text != null) return { type: 'text', text: part.text };
    throw new UntranslatableError('A system instruction can only contain text.', path);
  });
  return parts.every(({ text }) => text === '') ? [] : [{ role: 'system', parts }];
}

/** Tracks the calls without a result. A result may refer to its call by function name alone. */
function createCallBook() {
  const waiting = {
    byId: new Map<string, Set<ToolCallPart>>(),
    byName: new Map<string, Set<ToolCallPart>>(),
  };
  const list = (index: Map<string, Set<ToolCallPart>>, key: string) =>
    index.getOrInsertComputed(key, () => new Set());
  return {
    note(part: AssistantPart | undefined) {
      if (part?.type !== 'tool-call') return;
      list(waiting.byId, part.id).add(part);
      list(waiting.byName, part.name).add(part);
    },
    /** Returns `null` if the call is unknown. */
    settle({ id, name }: FunctionResponse): string | null {
      const [byId] = (id != null && waiting.byId.get(id)) || [];
      const [byName] = waiting.byName.get(name) ?? [];
      const call = byId ?? byName;
      if (!call) return id || null;
      waiting.byId.get(call.id)?.delete(call);
      waiting.byName.get(call.name)?.delete(call);
      return call.id;
    },
  };
}

type CallBook = ReturnType<typeof createCallBook>;

function addAnswerContent(
  said: AssistantPart[],
  { parts }: Content,
  path: string,
  calls: CallBook,
  noteLeftOut: (name: string) => void,
): void {
  for (const [index, part] of (parts ?? []).entries()) {
    const count = said.length;
    refuseSecondContent(part, `${path}.parts[${index}]`);
    // The ID is derived from the position in the conversation, so it stays the same in later turns.
    addModelPart(said, part, (name) => makeCallId(`${path}/${index}/${name}`), noteLeftOut);
    if (said.length > count) calls.note(said[count]);
  }
}

function decodeAsked({ parts }: Content, path: string, calls: CallBook): UserPart[] {
  return (parts ?? []).flatMap((part, index) => {
    const place = `${path}.parts[${index}]`;
    const decoded = decodePart(part, place, calls);
    return decoded?.type === 'text' && decoded.text === '' ? [] : (decoded ?? []);
  });
}

const contentFields = [
  ...['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'],
  ...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'],
  ...['executable_code', 'code_execution_result', 'tool_call', 'tool_response'],
];

/** Google rejects a part with two contents, and only one of them would be translated. */
function refuseSecondContent(part: Part, path: string): void {
  const [first, second] = contentFields.filter((name) => part[name] != null);
  if (second === undefined) return;
  throw new UntranslatableError(
    `The part at '${path}' has both '${first}' and '${second}'; send each in a separate part.`,
    `${path}.${second}`,
  );
}

function decodePart(part: Part, path: string, calls: CallBook): UserPart | null {
  refuseSecondContent(part, path);
  if (part.functionResponse) {
    const callId = calls.settle(part.functionResponse);
    if (callId !== null)
      return decodeFunctionResponse(part.functionResponse, callId, `${path}.functionResponse`);
    throw new UntranslatableError(
      `The result at '${path}.functionResponse' does not match any call of '${part.functionResponse.name}'.`,
      `${path}.functionResponse.name`,
    );
  }
  if (part.inlineData) return decodeInlineData(part.inlineData, `${path}.inlineData`);
  if (part.fileData) return decodeFileData(part.fileData, `${path}.fileData`);
  if (part.text != null) return { type: 'text', text: part.text };
  const [kind] = Object.entries(part).find(([, value]) => value != null) ?? [];
  if (kind === undefined) return null;
  throw new UntranslatableError(
    `A part with '${kind}' is supported by Google only, and this model belongs to another provider.`,
    `${path}.${kind}`,
  );
}

function putResultsFirst(turn: Turn): Message {
  if (turn.role === 'assistant') return turn;
  const results = turn.parts.filter((part) => part.type === 'tool-result');
  return { role: 'user', parts: [...results, ...turn.parts.filter((part) => part.type !== 'tool-result')] };
}

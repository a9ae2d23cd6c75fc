import { fillArguments } from '../call-arguments.ts';
import type { AssistantPart, Message, ToolResultPart, UserPart } from '../canonical/content.ts';
import { readFields } from '../read-fields.ts';
import { UntranslatableError } from '../untranslatable.ts';
import { asText, type ContentPart, decodePart, type NoteLeftOut, readPart } from './content-parts.ts';
import { wrapInput } from './freeform-tools.ts';
import { readReasoningItem } from './reasoning.ts';
import type { ResponsesRequest } from './wire.ts';
import * as wire from './wire.ts';

type Item = Exclude<NonNullable<ResponsesRequest['input']>, string>[number];

interface Conversation {
  readonly turns: Message[];
  /** The parts of the last turn, as long as it may grow. */
  said: AssistantPart[] | null;
  results: UserPart[] | null;
  /** What the calls so far were of, by their ids. */
  readonly names: Map<string, string>;
  readonly noteLeftOut: NoteLeftOut;
}

/**
 * The items of a caller's input in turns: what the assistant said, thought and called in a row is one turn, and so are
 * the results of tools in a row, which a user message right after them joins.
 */
export function decodeInput(
  { instructions, input }: Pick<ResponsesRequest, 'instructions' | 'input'>,
  noteLeftOut: NoteLeftOut,
): Message[] {
  const conversation: Conversation = { turns: [], said: null, results: null, names: new Map(), noteLeftOut };
  if (instructions)
    conversation.turns.push({ role: 'system', parts: [{ type: 'text', text: instructions }] });
  const items: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []);
  for (const [index, item] of items.entries()) decodeItem(item, `input[${index}]`, conversation);
  return conversation.turns;
}

/** What the provider ran itself: it has no form elsewhere, and the answer after it tells what came of it. */
const serverItems: ReadonlySet<string> = new Set([
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call'],
  ...['mcp_list_tools', 'mcp_call', 'mcp_approval_request', 'mcp_approval_response'],
  ...['tool_search_call', 'tool_search_output', 'x_search_call', 'collections_search_call'],
]);

const decoders: Readonly<Record<string, (item: Item, path: string, conversation: Conversation) => void>> = {
  message: decodeMessage,
  reasoning: decodeReasoning,
  function_call: decodeFunctionCall,
  custom_tool_call: decodeCustomCall,
  function_call_output: decodeOutput,
  custom_tool_call_output: decodeOutput,
};

const itemFields: ReadonlySet<string> = new Set([
  ...['type', 'id', 'status', 'phase', 'role', 'content', 'call_id', 'name', 'arguments', 'input', 'output'],
  ...['summary', 'encrypted_content'],
]);

const referenceAdvice =
  " Answers are not stored here: send the items themselves, as clients do that ask with 'store': false.";

function decodeItem(item: Item, path: string, conversation: Conversation): void {
  const { noteLeftOut } = conversation;
  const type = item.type ?? 'message';
  if (serverItems.has(type)) {
    noteLeftOut(`input.${type}`);
    return;
  }
  for (const [name, value] of Object.entries(item))
    if (value != null && !itemFields.has(name)) noteLeftOut(`input.${name}`);
  const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
  if (!decode) {
    const advice = type === 'item_reference' ? referenceAdvice : '';
    throw new UntranslatableError(
      `The provider of this model speaks another protocol, which has no item of type '${type}'.${advice}`,
      `${path}.type`,
    );
  }
  decode(item, path, conversation);
}

function decodeMessage(item: Item, path: string, conversation: Conversation): void {
  const { role, content } = readFields(wire.messageItem, item, path);
  if (role === 'assistant') {
    say(conversation, decodeSaid(content, path, conversation.noteLeftOut));
    return;
  }
  const parts = decodeContent(content, `${path}.content`, conversation.noteLeftOut);
  if (parts.length === 0) return;
  if (role === 'user' && conversation.results) for (const part of parts) conversation.results.push(part);
  else if (role === 'user') conversation.turns.push({ role, parts });
  else {
    const texts = parts.map((part) => asText(part, `${path}.content`));
    conversation.turns.push({ role: 'system', parts: texts });
  }
  conversation.said = null;
  conversation.results = null;
}

type Content = string | readonly object[] | null | undefined;

function readContent(content: Content, path: string, noteLeftOut: NoteLeftOut): wire.InputPart[] {
  if (content == null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part, index) => readPart(part, `${path}[${index}]`, noteLeftOut));
}

function decodeContent(content: Content, path: string, noteLeftOut: NoteLeftOut): ContentPart[] {
  const parts = readContent(content, path, noteLeftOut);
  return parts.map((part, index) => decodePart(part, `${path}[${index}]`));
}

function decodeSaid(content: Content, path: string, noteLeftOut: NoteLeftOut): AssistantPart[] {
  const parts = readContent(content, `${path}.content`, noteLeftOut);
  const said = parts.map((part, index): AssistantPart => {
    if (part.type === 'refusal') return { type: 'refusal', text: part.refusal };
    const told = decodePart(part, `${path}.content[${index}]`);
    if (told.type === 'text') return told;
    throw new UntranslatableError(
      `The model cannot have said a part of type '${part.type}'.`,
      `${path}.content[${index}].type`,
    );
  });
  return said.filter((part) => part.type !== 'text' || part.text !== '');
}

function decodeReasoning(item: Item, path: string, conversation: Conversation): void {
  const read = readReasoningItem(readFields(wire.reasoningItem, item, path));
  if (read.type === 'reasoning') {
    say(conversation, [read]);
    return;
  }
  const call = conversation.said?.at(-1);
  if (call?.type === 'tool-call') conversation.said?.splice(-1, 1, { ...call, signature: read.signature });
}

function decodeFunctionCall(item: Item, path: string, conversation: Conversation): void {
  const { call_id: id, name, arguments: json } = readFields(wire.functionCallItem, item, path);
  conversation.names.set(id, name);
  say(conversation, [{ type: 'tool-call', id, name, arguments: fillArguments(json ?? '') }]);
}

function decodeCustomCall(item: Item, path: string, conversation: Conversation): void {
  const { call_id: id, name, input } = readFields(wire.customCallItem, item, path);
  conversation.names.set(id, name);
  say(conversation, [{ type: 'tool-call', id, name, arguments: wrapInput(input ?? '') }]);
}

function decodeOutput(item: Item, path: string, conversation: Conversation): void {
  const { call_id: callId, output } = readFields(wire.outputItem, item, path);
  const name = conversation.names.get(callId);
  const parts = decodeContent(output, `${path}.output`, conversation.noteLeftOut).map((part) => {
    if (part.type !== 'audio') return part;
    throw new UntranslatableError('The result of a tool cannot hold sound.', `${path}.output`);
  });
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(name !== undefined && { name }),
    parts,
    isError: false,
  };
  conversation.said = null;
  if (conversation.results === null) {
    conversation.results = [];
    conversation.turns.push({ role: 'user', parts: conversation.results });
  }
  conversation.results.push(result);
}

function say(conversation: Conversation, parts: readonly AssistantPart[]): void {
  if (parts.length === 0) return;
  conversation.results = null;
  if (conversation.said === null) {
    conversation.said = [];
    conversation.turns.push({ role: 'assistant', parts: conversation.said });
  }
  for (const part of parts) conversation.said.push(part);
}

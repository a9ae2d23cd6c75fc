import type { AssistantPart, Message, ToolName, ToolResultPart, UserPart } from '../canonical/content.ts';
import type { Tool } from '../canonical/request.ts';
import { readAnswerImage } from '../translation/answer-images.ts';
import { fillArguments } from '../translation/call-arguments.ts';
import { wrapInput } from '../translation/freeform-tool.ts';
import { readFields } from '../translation/read-fields.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import {
  asText,
  type ContentPart,
  decodePart,
  listAnsweredIds,
  type NoteLeftOut,
  readOtherCall,
  readOtherOutput,
  readPart,
} from './content-parts.ts';
import { readReasoningItem } from './reasoning.ts';
import type { ResponsesRequest } from './wire.ts';
import * as wire from './wire.ts';

type Item = wire.Item;

interface Conversation {
  readonly turns: Message[];
  said: AssistantPart[] | null;
  results: UserPart[] | null;
  readonly answeredIds: ReadonlySet<unknown>;
  readonly called: Map<string, ToolName>;
  readonly offered: readonly Tool[];
  readonly noteLeftOut: NoteLeftOut;
}

/**
 * Consecutive assistant items form one turn. Consecutive tool results and a user message directly after them also
 * form one turn.
 */
export function decodeInput(
  { instructions, input }: Pick<ResponsesRequest, 'instructions' | 'input'>,
  offered: readonly Tool[],
  noteLeftOut: NoteLeftOut,
): Message[] {
  const items: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []);
  const turns: Message[] = [];
  const conversation: Conversation = {
    turns,
    said: null,
    results: null,
    offered,
    answeredIds: listAnsweredIds(items),
    called: new Map(),
    noteLeftOut,
  };
  if (instructions) turns.push({ role: 'system', parts: [{ type: 'text', text: instructions }] });
  for (const [index, item] of items.entries()) decodeItem(item, `input[${index}]`, conversation);
  return turns;
}

/**
 * Types of items of tools that the provider ran. They have no canonical form, and the response after them contains
 * the outcome.
 */
const providerItem = /_call$|_output$|^mcp_|^program$/;

type Decoder = (item: Item, path: string, conversation: Conversation) => void;

const decoders: Readonly<Record<string, Decoder>> = {
  message: decodeMessage,
  agent_message: decodeAgentMessage,
  // These items change the request and are decoded together with it.
  additional_tools: () => undefined,
  configuration_update: () => undefined,
  reasoning: decodeReasoning,
  image_generation_call: decodeImageCall,
  function_call: decodeFunctionCall,
  custom_tool_call: decodeCustomCall,
  function_call_output: decodeOutput,
  custom_tool_call_output: decodeOutput,
};

const summaryAdvice = ' Only OpenAI can read this summary: start a new conversation with this model.';

/** Advice for items that cannot be omitted without changing the conversation. */
const advices: Readonly<Record<string, string>> = {
  item_reference:
    " Responses are not stored here: send the items themselves, as clients with 'store': false do.",
  compaction: summaryAdvice,
  compaction_summary: summaryAdvice,
  context_compaction: summaryAdvice,
  compaction_trigger: ' Request a text summary.',
};

function decodeItem(item: Item, path: string, conversation: Conversation): void {
  const { noteLeftOut } = conversation;
  const type = item.type ?? 'message';
  const decode = findDecoder(type, item, conversation);
  if (!decode && providerItem.test(type)) {
    noteLeftOut(`input.${type}`);
    return;
  }
  if (!decode) {
    const advice = (Object.hasOwn(advices, type) && advices[type]) || '';
    throw new UntranslatableError(
      `The provider of this model uses another protocol, which does not support items of type '${type}'.${advice}`,
      `${path}.type`,
    );
  }
  decode(item, path, conversation);
}

function findDecoder(type: string, item: Item, { answeredIds }: Conversation): Decoder | undefined {
  if (Object.hasOwn(decoders, type)) return decoders[type];
  if (!answeredIds.has(item.call_id)) return undefined;
  return type.endsWith('_call') ? decodeOtherCall : decodeOtherOutput;
}

function decodeMessage(item: Item, path: string, conversation: Conversation): void {
  const { role, content } = readFields(wire.messageItem, item, path);
  if (role === 'assistant') {
    addAssistantMessage(conversation, decodeSaid(content, path));
    return;
  }
  const parts = decodeContent(content, `${path}.content`);
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

/** Messages between the caller's agents become user turns, which is how OpenAI treats them. */
function decodeAgentMessage(item: Item, path: string, conversation: Conversation): void {
  const { author, recipient, content } = readFields(wire.agentMessageItem, item, path);
  const texts = content.flatMap(({ type, text }) => {
    if (text == null) conversation.noteLeftOut(`input.${type}`);
    return text ?? [];
  });
  const told = { role: 'user', content: [`From ${author} to ${recipient}:`, ...texts].join('\n') };
  decodeMessage(told, path, conversation);
}

type Content = string | readonly object[] | null | undefined;

function readContent(content: Content, path: string): wire.InputPart[] {
  if (content == null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part, index) => readPart(part, `${path}[${index}]`));
}

function decodeContent(content: Content, path: string): ContentPart[] {
  const parts = readContent(content, path);
  return parts.map((part, index) => decodePart(part, `${path}[${index}]`));
}

function decodeSaid(content: Content, path: string): AssistantPart[] {
  const parts = readContent(content, `${path}.content`);
  const said = parts.map((part, index): AssistantPart => {
    if (part.type === 'refusal') return { type: 'refusal', text: part.refusal };
    const told = decodePart(part, `${path}.content[${index}]`);
    if (told.type === 'text') return told;
    throw new UntranslatableError(
      `An assistant message cannot contain a part of type '${part.type}'.`,
      `${path}.content[${index}].type`,
    );
  });
  return said.filter((part) => part.type !== 'text' || part.text !== '');
}

function decodeReasoning(item: Item, path: string, conversation: Conversation): void {
  const read = readReasoningItem(readFields(wire.reasoningItem, item, path));
  if (read.type === 'reasoning') {
    addAssistantMessage(conversation, [read]);
    return;
  }
  const signed = conversation.said?.at(-1);
  if (signed?.type === 'tool-call' || signed?.type === 'image')
    conversation.said?.splice(-1, 1, { ...signed, signature: read.signature });
}

/** Without the image data, only OpenAI can find the image. */
function decodeImageCall(item: Item, path: string, conversation: Conversation): void {
  const { result } = readFields(wire.imageCallItem, item, path);
  const image = result ? readAnswerImage(`data:image/png;base64,${result}`) : null;
  if (image) addAssistantMessage(conversation, [image]);
  else conversation.noteLeftOut('input.image_generation_call');
}

function decodeFunctionCall(item: Item, path: string, conversation: Conversation): void {
  const call = readFields(wire.functionCallItem, item, path);
  const tool = noteTool(call, conversation);
  const json = fillArguments(call.arguments ?? '');
  addAssistantMessage(conversation, [{ type: 'tool-call', id: call.call_id, ...tool, arguments: json }]);
}

function decodeCustomCall(item: Item, path: string, conversation: Conversation): void {
  const call = readFields(wire.customCallItem, item, path);
  const tool = noteTool(call, conversation);
  const json = wrapInput(call.input ?? '');
  addAssistantMessage(conversation, [
    { type: 'tool-call', id: call.call_id, ...tool, isFreeform: true, arguments: json },
  ]);
}

function noteTool(
  { call_id, name, namespace }: Pick<wire.FunctionCallItem, 'call_id' | 'name' | 'namespace'>,
  { called, offered }: Conversation,
): ToolName {
  // If a search found a tool without a namespace, calls of this tool have its name as the namespace.
  const isOwn = namespace === name && !offered.some((tool) => tool.namespace === name && tool.name === name);
  const tool = { name, ...(namespace != null && !isOwn && { namespace }) };
  called.set(call_id, tool);
  return tool;
}

function decodeOtherCall(item: Item, path: string, conversation: Conversation): void {
  const call = readOtherCall(item, path);
  conversation.called.set(call.id, { name: call.name });
  addAssistantMessage(conversation, [call]);
}

function decodeOtherOutput(item: Item, path: string, conversation: Conversation): void {
  addResult(readOtherOutput(item, path), conversation);
}

function decodeOutput(item: Item, path: string, conversation: Conversation): void {
  const { call_id: callId, output } = readFields(wire.outputItem, item, path);
  const parts = decodeContent(output, `${path}.output`).map((part) => {
    if (part.type !== 'audio') return part;
    throw new UntranslatableError('A tool result cannot contain audio.', `${path}.output`);
  });
  addResult({ callId, parts }, conversation);
}

function addResult(told: Pick<ToolResultPart, 'callId' | 'parts'>, conversation: Conversation): void {
  const tool = conversation.called.get(told.callId);
  const result: ToolResultPart = { type: 'tool-result', ...tool, ...told, isError: false };
  conversation.said = null;
  if (conversation.results === null) {
    conversation.results = [];
    conversation.turns.push({ role: 'user', parts: conversation.results });
  }
  conversation.results.push(result);
}

function addAssistantMessage(conversation: Conversation, parts: readonly AssistantPart[]): void {
  if (parts.length === 0) return;
  conversation.results = null;
  if (conversation.said === null) {
    conversation.said = [];
    conversation.turns.push({ role: 'assistant', parts: conversation.said });
  }
  for (const part of parts) conversation.said.push(part);
}

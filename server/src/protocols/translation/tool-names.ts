import { hash } from 'node:crypto';
import type { Message, ToolCallPart, ToolName } from '../canonical/content.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { CanonicalResponse } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import type { CallerSide, EncodedRequest } from '../protocol.ts';

type CallerTool = ToolName & Pick<ToolCallPart, 'isFreeform'>;

/**
 * Tools with another name in the caller's request, and tools that accept free text, by the name sent to the provider.
 */
export type CallerTools = ReadonlyMap<string, CallerTool>;

export const noCallerTools: CallerTools = new Map();

/**
 * Deduplicates tools and gives each a name that every provider accepts. A namespace becomes a prefix, invalid
 * characters are replaced, and a name that is too long or taken gets a hash suffix.
 */
export function makeToolNamesPortable(request: CanonicalRequest): {
  readonly request: CanonicalRequest;
  readonly callerTools: CallerTools;
} {
  const tools = [...new Map(request.tools.map((tool) => [keyOf(tool), tool])).values()];
  const called = listCalled(request.messages);
  const names = assignNames([...tools, ...called]);
  const rename: Rename = ({ namespace, ...named }) => ({
    ...named,
    name: names.get(keyOf({ name: named.name, namespace })) ?? named.name,
  });
  const callerTools = new Map<string, CallerTool>();
  for (const tool of [...called, ...tools]) {
    const { name } = rename(tool);
    if (name !== tool.name || tool.isFreeform) callerTools.set(name, toCallerTool(tool));
  }
  const { toolChoice } = request;
  const renamed = {
    ...request,
    tools: tools.map(rename),
    ...(toolChoice?.kind === 'tool' && { toolChoice: rename(toolChoice) }),
    messages: request.messages.map((message) => renameInMessage(message, rename)),
  };
  return { request: renamed, callerTools };
}

export function restoreToolName(event: StreamEvent, callerTools: CallerTools): StreamEvent {
  if (event.type !== 'tool-input-start') return event;
  return { ...event, ...callerTools.get(event.name) };
}

export function restoreToolNames(response: CanonicalResponse, callerTools: CallerTools): CanonicalResponse {
  const choices = response.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.map((part) =>
      part.type === 'tool-call' ? { ...part, ...callerTools.get(part.name) } : part,
    ),
  }));
  return { ...response, choices };
}

function toCallerTool({ name, namespace, isFreeform }: CallerTool): CallerTool {
  return { name, ...(namespace !== undefined && { namespace }), ...(isFreeform && { isFreeform }) };
}

const keyOf = ({ name, namespace = '' }: ToolName) => JSON.stringify([namespace, name]);

function listCalled(messages: readonly Message[]): ToolCallPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'));
}

type Rename = <Named extends ToolName>(named: Named) => Omit<Named, 'namespace'>;

function renameInMessage(message: Message, rename: Rename): Message {
  if (message.role === 'system') return message;
  if (message.role === 'assistant')
    return {
      ...message,
      parts: message.parts.map((part) => (part.type === 'tool-call' ? rename(part) : part)),
    };
  const parts = message.parts.map((part) =>
    part.type === 'tool-result' && part.name !== undefined ? rename({ ...part, name: part.name }) : part,
  );
  return { ...message, parts };
}

const nameLengthMax = 64;
const hashLength = 10;

// Google's rule without dots and colons, which the other providers reject.
const portableName = new RegExp(`^[a-zA-Z_][a-zA-Z0-9_-]{0,${nameLengthMax - 1}}$`);

/** Assigns unchanged names first, so that no renamed tool gets one of them. */
function assignNames(known: readonly ToolName[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const assign = (tool: ToolName, name: string) => {
    names.set(keyOf(tool), name);
    taken.add(name);
  };
  const canStay = ({ name, namespace }: ToolName) => namespace === undefined && portableName.test(name);
  for (const tool of known) if (canStay(tool)) assign(tool, tool.name);
  for (const tool of known) if (!names.has(keyOf(tool))) assign(tool, choosePortableName(tool, taken));
  return names;
}

function choosePortableName(tool: ToolName, taken: ReadonlySet<string>): string {
  const { name, namespace } = tool;
  const joined = (namespace === undefined ? name : `${namespace}__${name}`).replaceAll(
    /[^a-zA-Z0-9_-]/g,
    '_',
  );
  const wished = /^[a-zA-Z_]/.test(joined) ? joined : `_${joined}`;
  let chosen = wished;
  for (let seed = keyOf(tool); chosen.length > nameLengthMax || taken.has(chosen); seed += '+') {
    const hash = hashToAlphanumerics(seed, hashLength);
    chosen = `${wished.slice(0, nameLengthMax - hashLength - 1)}_${hash}`;
  }
  return chosen;
}

/**
 * Derives `length` letters and digits, at most 30, from `seed` alone, so that an id is the same in every turn and on
 * every node.
 */
export function hashToAlphanumerics(seed: string, length: number): string {
  const digest = hash('sha256', seed, 'base64');
  return digest.replaceAll(/[+/=]/g, '').slice(0, length);
}

/** `seed` distinguishes the call from the other calls of the conversation. */
export function makeCallId(seed: string): string {
  return `call_${hashToAlphanumerics(seed, 24)}`;
}

/** Renames parameters in an encoder's warnings and problems to the names in the caller's protocol. */
export function nameForCaller(
  encoded: EncodedRequest,
  names: CallerSide['parameterNames'] = {},
): EncodedRequest {
  const translate = (name: string) => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
  if (encoded.ok) return { ...encoded, warnings: encoded.warnings.map(translate) };
  const { problem } = encoded;
  return { ok: false, problem: { ...problem, param: problem.param && translate(problem.param) } };
}

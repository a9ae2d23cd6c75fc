import type { AssistantPart, ToolCallPart } from '../canonical/content.ts';
import { type CanonicalResponse, errorOnly } from '../canonical/response.ts';
import { isObject, parseObject, readText } from '../json/json-value.ts';
import { fillArguments } from '../translation/call-arguments.ts';
import { makeCallId } from '../translation/call-id.ts';
import { readFailure } from './errors.ts';
import { readFailedFinish, readFinish } from './finish-reason.ts';
import { readUsage } from './usage.ts';
import { parseAnswer, type WireContent, type WireToolCall } from './wire.ts';

/** Decodes a complete response or an error; `null` if the body is neither, such as a proxy's HTML page. */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const answer = parseAnswer(body.toString());
  if (!answer) {
    const failure = readFailure(parseObject(body.toString()));
    return failure && errorOnly(failure);
  }
  const id = readText(answer.id) || null;
  const { content, tool_plan: plan, tool_calls: called } = answer.message;
  const calls = listObjects<WireToolCall>(called).map((call, index) => decodeCall(call, `${id}/${index}`));
  const finish = readFinish(answer.finish_reason, calls.length > 0, answer.error);
  const parts: AssistantPart[] = [...decodeContent(content), ...decodeThought(plan), ...calls];
  return {
    id,
    model: null,
    createdAtSeconds: null,
    choices: [{ parts, finish }],
    usage: readUsage(answer.usage),
    ...(finish.reason === 'error' && { failure: readFailedFinish(finish) }),
  };
}

function decodeContent(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return decodeText(content);
  return listObjects<WireContent>(content).flatMap(({ text, thinking }) => [
    ...decodeThought(thinking),
    ...decodeText(text),
  ]);
}

function decodeText(text: unknown): AssistantPart[] {
  return readText(text) === '' ? [] : [{ type: 'text', text: readText(text) }];
}

/** Decodes thinking or a tool plan as reasoning. */
function decodeThought(text: unknown): AssistantPart[] {
  return readText(text) === '' ? [] : [{ type: 'reasoning', text: readText(text), isRedacted: false }];
}

function decodeCall({ id, function: called }: WireToolCall, place: string): ToolCallPart {
  const name = readText(called?.name);
  return {
    type: 'tool-call',
    id: readText(id) || makeCallId(`${place}/${name}`),
    name,
    arguments: fillArguments(readText(called?.arguments)),
  };
}

function listObjects<Shape extends object>(value: unknown): Partial<Shape>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

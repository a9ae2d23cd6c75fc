import { isUtf8 } from 'node:buffer';
import { type ChatCompletionRequest, chatCompletionRequest, type ErrorCode } from '@sluice/contract';
import type { ParsedRequest } from '../canonical/request.ts';
import { editObject, findDuplicateKey, nestingMax, type ObjectSpan, scanObject } from '../json-object.ts';

/** Reads a chat completion request and keeps its bytes, so that a provider of the same protocol gets them unchanged. */
export function parseRequest(body: Buffer): ParsedRequest {
  if (!isUtf8(body)) return refuse('invalid_json', 'The body is not valid UTF-8.');
  const span = scan(body);
  if (!span) return refuse('invalid_request', `The body nests deeper than ${nestingMax} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch (error) {
    return refuse(
      'invalid_json',
      `The body is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('invalid_request', 'The body must be a JSON object.');
  }
  const duplicate = findDuplicateKey(span);
  if (duplicate !== null)
    return refuse('duplicate_field', `The body names the field '${duplicate}' twice.`, duplicate);
  const parsed = chatCompletionRequest.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = formatPath(issue?.path ?? []);
    return refuse(
      'invalid_request',
      `Invalid value for '${param}': ${issue?.message ?? 'it cannot be read'}.`,
      param,
    );
  }
  if (parsed.data.format === 'minimal' && parsed.data.stream) {
    return refuse(
      'invalid_request',
      "The format 'minimal' cannot be streamed; leave out 'stream' or 'format'.",
      'format',
    );
  }
  const request = describe(parsed.data, body, span);
  if (request.taskId !== null && request.taskId > taskIdMax)
    return refuse(
      'invalid_request',
      `Invalid value for 'task_id': ${request.taskId} is no task's id.`,
      'task_id',
    );
  return { ok: true, request };
}

// Before the parser, which works for a second on a text that nests by the million; what is not JSON, it tells better.
function scan(body: Buffer): ObjectSpan | null {
  try {
    return scanObject(body);
  } catch {
    return { start: 0, end: 0, fields: [] };
  }
}

/** What the column of the log holds; a larger number would be refused only there. */
const taskIdMax = 2 ** 31 - 1;

function describe(request: ChatCompletionRequest, body: Buffer, span: ObjectSpan) {
  const taskId = request.task_id ?? request.metadata?.task_id ?? null;
  return {
    model: request.model,
    isStream: request.stream === true,
    isMinimal: request.format === 'minimal',
    wantsUsage: request.stream_options?.include_usage === true,
    taskId: taskId === null ? null : Number(taskId),
    prompt: lastHumanText(request),
    encodeFor(model: string) {
      const edits = listEdits(request, body, span, model);
      return edits.size === 0 ? body : editObject(body, span, edits);
    },
  };
}

// The named edits: everything else of the caller's bytes reaches the provider as it is.
function listEdits(
  request: ChatCompletionRequest,
  body: Buffer,
  span: ObjectSpan,
  model: string,
): Map<string, Buffer | string | null> {
  const edits = new Map<string, Buffer | string | null>();
  if (model !== request.model) edits.set('model', JSON.stringify(model));
  if (request.task_id !== undefined) edits.set('task_id', null);
  if (request.format !== undefined) edits.set('format', null);
  if (request.metadata?.task_id !== undefined) {
    const isOnlyTaskId = Object.keys(request.metadata).length === 1;
    edits.set(
      'metadata',
      isOnlyTaskId ? null : editNested(body, span, 'metadata', new Map([['task_id', null]])),
    );
  }
  if (request.stream && request.stream_options?.include_usage !== true) {
    const withUsage = new Map([['include_usage', 'true']]);
    edits.set(
      'stream_options',
      request.stream_options ? editNested(body, span, 'stream_options', withUsage) : '{"include_usage":true}',
    );
  }
  return edits;
}

function editNested(
  body: Buffer,
  span: ObjectSpan,
  key: string,
  edits: Map<string, string | null>,
): Buffer | null {
  const field = span.fields.find((candidate) => candidate.key === key);
  const nested = field ? scanObject(body, field.valueStart) : null;
  return nested ? editObject(body, nested, edits) : null;
}

function lastHumanText(request: ChatCompletionRequest): string | null {
  const message = request.messages.findLast(({ role }) => role === 'user');
  if (!message?.content) return null;
  if (typeof message.content === 'string') return message.content;
  const texts = message.content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}

function refuse(code: ErrorCode, message: string, param: string | null = null): ParsedRequest {
  return { ok: false, problem: { code, message, param } };
}

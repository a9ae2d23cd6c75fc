import { isUtf8 } from 'node:buffer';
import { chatCompletionRequest } from '@sluice/contract';
import { z } from 'zod';
import { completionLimits } from '#json/body-limits.ts';
import { longNumberBytes } from '#json/exact-json.ts';
import { countMembers, type FieldNames, findNameProblem, type NameProblem } from '#json/field-names.ts';
import { editObject, type FieldEdits, findDuplicateKey } from '#json/json-object.ts';
import {
  type JsonCounts,
  type JsonLimits,
  type ObjectSpan,
  scanJson,
  scanMicrosPerByte,
  scanObject,
  scanShortJson,
} from '#json/json-scan.ts';
import { isObject } from '#json/json-value.ts';
import { quickParse } from '#json/quick-check.ts';
import { finish, type Steps } from '#platform/steps.ts';
import type { RequestProblem } from '../canonical/request.ts';

export interface CallerBody<Fields> {
  readonly fields: Fields;
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly span: ObjectSpan;
  /** Whether the body may contain a number that a double cannot represent. */
  readonly hasLongNumber: boolean;
}

export type ReadBody<Fields> =
  | { readonly ok: true; readonly body: CallerBody<Fields> }
  | { readonly ok: false; readonly problem: RequestProblem };

/** Maximum of the log's database column, which rejects larger numbers. */
const taskIdMax = 2 ** 31 - 1;
const taskId = chatCompletionRequest.shape.task_id.refine(
  (id) => Number(id ?? 0) <= taskIdMax,
  `must be at most ${taskIdMax}`,
);

export const ownMetadata = z.looseObject({ task_id: taskId });

/**
 * The gateway's own fields in every caller protocol, in addition to `format`. `task_id` and `metadata.task_id` are
 * removed before a request is sent to a provider.
 */
export const ownFields = { task_id: taskId, metadata: ownMetadata.nullish() };

type OwnFields = z.infer<z.ZodObject<typeof ownFields>> & { readonly format?: unknown };

export interface BodyForm<Fields> {
  readonly schema: z.ZodType<Fields>;
  /** All fields that the gateway reads, including fields that only a translation validates. */
  readonly names: FieldNames;
  /** JSON limits. Default: the limits for completions. */
  readonly limits?: JsonLimits;
}

/**
 * Checks encoding, content limits, syntax, duplicate and miscased fields and the schema, in this order. Problems name
 * the field. The checks before parsing cost a few nanoseconds per byte, and the limits bound the time of the other
 * checks.
 */
export function* readCallerBody<Fields>(
  bytes: Buffer,
  { schema, names, limits = completionLimits }: BodyForm<Fields>,
): Steps<ReadBody<Fields>> {
  if (!isUtf8(bytes)) return refuse('invalid_json', 'The body is not valid UTF-8.');
  const short = scanShortJson(bytes, limits);
  const scan = short ?? (yield* scanJson(bytes, limits));
  if (!scan.ok) return refuse('invalid_request', `The body ${scan.excess}.`);
  const { span, counts } = scan;
  yield estimateParsing(bytes, counts) + (short ? bytes.length * scanMicrosPerByte : 0);
  const json = parseJson(bytes);
  if ('problem' in json) return json;
  const { value } = json;
  if (!isRecord(value)) return refuse('invalid_request', 'The body must be a JSON object.');
  const duplicate = findDuplicateKey(span);
  if (duplicate !== null)
    return refuse('duplicate_field', `The body contains the field '${duplicate}' twice.`, duplicate);
  yield estimateChecking(counts);
  const problem = findNameProblem(value, names, counts.members);
  if (problem) return { ok: false, problem: namesProblem(problem, bytes, span) };
  const parsed = quickParse(schema, value);
  if (!parsed.success) return { ok: false, problem: toRequestProblem(parsed.error) };
  // Also covers the work of this function's caller on the fields.
  yield estimateChecking(counts);
  const hasLongNumber = counts.longestNumber >= longNumberBytes;
  return { ok: true, body: { fields: parsed.data, value, bytes, span, hasLongNumber } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value);
}

function namesProblem(problem: NameProblem, bytes: Buffer, span: ObjectSpan): RequestProblem {
  const code = 'duplicate_field';
  if (problem.kind === 'miscased') {
    const param = formatPath(problem.path);
    const message = `Providers that ignore case would read '${param}' as '${problem.meant}'; use that spelling, or omit the field.`;
    return { code, message, param };
  }
  const field = span.fields.find(({ valueStart, valueEnd }) => {
    const scan = finish(scanJson(bytes.subarray(valueStart, valueEnd), completionLimits));
    const value: unknown = JSON.parse(bytes.toString('utf8', valueStart, valueEnd));
    return scan.ok && countMembers(value) < scan.counts.members;
  });
  const param = field?.key ?? null;
  return { code, message: `An object in '${param}' contains a field twice.`, param };
}

function parseJson(bytes: Buffer): { readonly value: unknown } | (ReadBody<never> & { ok: false }) {
  try {
    return { value: JSON.parse(bytes.toString()) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return refuse('invalid_json', `The body is not valid JSON: ${reason}.`);
  }
}

// Returns the estimated parsing time in microseconds, based on measurements with slow inputs.
function estimateParsing({ length }: Buffer, { values }: JsonCounts): number {
  return length * 0.002 + values * 0.1;
}

function estimateChecking({ containers, members, values }: JsonCounts): number {
  return containers + members * 0.5 + values * 0.1;
}

/** `within` is the path of the parsed value. */
export function toRequestProblem(error: z.ZodError, within: readonly PropertyKey[] = []): RequestProblem {
  const [issue] = error.issues;
  const param = formatPath([...within, ...(issue?.path ?? [])]);
  const message = `Invalid value for '${param}': ${issue?.message ?? 'it cannot be read'}.`;
  return { code: 'invalid_request', message, param };
}

interface SentMessage {
  readonly type?: unknown;
  readonly role?: unknown;
}

/**
 * Returns the problem of the first message with one of these roles whose content field is missing or `null`. Some
 * providers reject a message without text; others silently change the conversation.
 */
export function findMissingContent(
  messages: readonly SentMessage[],
  path: string,
  field: 'content' | 'parts' = 'content',
): RequestProblem | null {
  const index = messages.findIndex((message) => {
    const isMessage = message.type == null || message.type === 'message';
    return isMessage && inputRoles.has(message.role ?? 'user') && Reflect.get(message, field) == null;
  });
  if (index === -1) return null;
  const param = `${path}[${index}].${field}`;
  const owner = `a ${String(messages[index]?.role ?? 'user')} message`;
  return { code: 'invalid_request', message: `Invalid value for '${param}': required in ${owner}.`, param };
}

const inputRoles: ReadonlySet<unknown> = new Set(['user', 'system', 'developer']);

/** Formats a path for error messages, such as `messages[0].content`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}

export function readTaskId({ task_id, metadata }: OwnFields): number | null {
  const named = task_id ?? metadata?.task_id ?? null;
  return named === null ? null : Number(named);
}

export function listOwnFieldEdits(body: CallerBody<OwnFields>): Map<string, Buffer | string | null> {
  const { task_id, format, metadata } = body.fields;
  const edits = new Map<string, Buffer | string | null>();
  if (task_id !== undefined) edits.set('task_id', null);
  if (format !== undefined) edits.set('format', null);
  if (metadata?.task_id !== undefined) {
    const isOnlyTaskId = Object.keys(metadata).length === 1;
    edits.set('metadata', isOnlyTaskId ? null : editField(body, 'metadata', new Map([['task_id', null]])));
  }
  return edits;
}

/** Returns `null` if the body does not have the object field. */
export function editField(body: CallerBody<unknown>, key: string, edits: FieldEdits): Buffer | null {
  const field = body.span.fields.find((candidate) => candidate.key === key);
  return field ? editObject(body.bytes, scanObject(body.bytes, field.valueStart), edits) : null;
}

export function editBody(body: CallerBody<unknown>, edits: FieldEdits): Buffer {
  return edits.size === 0 ? body.bytes : editObject(body.bytes, body.span, edits);
}

function refuse(
  code: RequestProblem['code'],
  message: string,
  param: string | null = null,
): { readonly ok: false; readonly problem: RequestProblem } {
  return { ok: false, problem: { code, message, param } };
}

/** Adds the underscore spellings of Google's documented names, since callers may use either. */
export function inBothSpellings<Value>(known: Readonly<Record<string, Value>>): Record<string, Value> {
  const underscored = Object.entries(known).map(
    ([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
  );
  return { ...known, ...Object.fromEntries(underscored) };
}

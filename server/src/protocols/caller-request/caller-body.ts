import { isUtf8 } from 'node:buffer';
import { chatCompletionRequest } from '@sluice/contract';
import { z } from 'zod';
import type { RequestProblem } from '../canonical/request.ts';
import { completionLimits } from '../json/body-limits.ts';
import { longNumberBytes } from '../json/exact-json.ts';
import { countMembers, type FieldNames, findNameProblem, type NameProblem } from '../json/field-names.ts';
import { editObject, type FieldEdits, findDuplicateKey } from '../json/json-object.ts';
import {
  type JsonCounts,
  type JsonLimits,
  type ObjectSpan,
  scanJson,
  scanObject,
} from '../json/json-scan.ts';
import { isObject } from '../json/json-value.ts';
import { quickParse } from '../json/quick-check.ts';
import { finish, type Steps } from '../steps.ts';

/** A body that has passed the checks which every caller's protocol makes. */
export interface CallerBody<Fields> {
  readonly fields: Fields;
  /** The whole body as it was parsed. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** Where the top-level fields lie in `bytes`. */
  readonly span: ObjectSpan;
  /** There may be a number that a double cannot hold. */
  readonly hasLongNumber: boolean;
}

export type ReadBody<Fields> =
  | { readonly ok: true; readonly body: CallerBody<Fields> }
  | { readonly ok: false; readonly problem: RequestProblem };

/** What the column of the log holds; a larger number would be refused only there. */
const taskIdMax = 2 ** 31 - 1;
const taskId = chatCompletionRequest.shape.task_id.refine(
  (id) => Number(id ?? 0) <= taskIdMax,
  'must be a task id',
);

/** What is ours in `metadata`. */
export const ownMetadata = z.looseObject({ task_id: taskId });

/** The fields that are ours in every caller's protocol, beside `format`; they never reach a provider. */
export const ownFields = { task_id: taskId, metadata: ownMetadata.nullish() };

type OwnFields = z.infer<z.ZodObject<typeof ownFields>> & { readonly format?: unknown };

/** What a body of one kind looks like. */
export interface BodyForm<Fields> {
  readonly schema: z.ZodType<Fields>;
  /** Of all fields that the gate reads, also those that the schema leaves to a translation. */
  readonly names: FieldNames;
  /** Those of completions unless given. */
  readonly limits?: JsonLimits;
}

/**
 * Checks encoding, size of what it holds, syntax, doubled and miscased fields and the schema, in this order; a problem names the
 * field. What comes before the parser costs a few nanoseconds a byte, and the limits bound what comes after it.
 */
export function* readCallerBody<Fields>(
  bytes: Buffer,
  { schema, names, limits = completionLimits }: BodyForm<Fields>,
): Steps<ReadBody<Fields>> {
  if (!isUtf8(bytes)) return refuse('invalid_json', 'The body is not valid UTF-8.');
  const scan = yield* scanJson(bytes, limits);
  if (!scan.ok) return refuse('invalid_request', `The body ${scan.excess}.`);
  const { span, counts } = scan;
  yield estimateParsing(bytes, counts);
  const json = parseJson(bytes);
  if ('problem' in json) return json;
  const { value } = json;
  if (!isRecord(value)) return refuse('invalid_request', 'The body must be a JSON object.');
  const duplicate = findDuplicateKey(span);
  if (duplicate !== null)
    return refuse('duplicate_field', `The body names the field '${duplicate}' twice.`, duplicate);
  yield estimateChecking(counts);
  const problem = findNameProblem(value, names, counts.members);
  if (problem) return { ok: false, problem: namesProblem(problem, bytes, span) };
  const parsed = quickParse(schema, value);
  if (!parsed.success) return { ok: false, problem: toRequestProblem(parsed.error) };
  // For what the caller of this reads of the fields.
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
    const message = `Providers that ignore case would take '${param}' for '${problem.meant}'; write it so, or leave it out.`;
    return { code, message, param };
  }
  const field = span.fields.find(({ valueStart, valueEnd }) => {
    const scan = finish(scanJson(bytes.subarray(valueStart, valueEnd), completionLimits));
    const value: unknown = JSON.parse(bytes.toString('utf8', valueStart, valueEnd));
    return scan.ok && countMembers(value) < scan.counts.members;
  });
  const param = field?.key ?? null;
  return { code, message: `An object in '${param}' names a field twice.`, param };
}

function parseJson(bytes: Buffer): { readonly value: unknown } | (ReadBody<never> & { ok: false }) {
  try {
    return { value: JSON.parse(bytes.toString()) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return refuse('invalid_json', `The body is not valid JSON: ${reason}.`);
  }
}

// In microseconds, as measured on slow shapes.
function estimateParsing({ length }: Buffer, { values }: JsonCounts): number {
  return length * 0.002 + values * 0.1;
}

function estimateChecking({ containers, members, values }: JsonCounts): number {
  return containers + members * 0.5 + values * 0.1;
}

/** The first issue of a schema as a refusal; `within` is the path of what was parsed. */
export function toRequestProblem(error: z.ZodError, within: readonly PropertyKey[] = []): RequestProblem {
  const [issue] = error.issues;
  const param = formatPath([...within, ...(issue?.path ?? [])]);
  const message = `Invalid value for '${param}': ${issue?.message ?? 'it cannot be read'}.`;
  return { code: 'invalid_request', message, param };
}

/** `messages[0].content`, as refusals name a field. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}

/** The task that a body names. */
export function readTaskId({ task_id, metadata }: OwnFields): number | null {
  const named = task_id ?? metadata?.task_id ?? null;
  return named === null ? null : Number(named);
}

/** The edits that take our own fields out of a body. */
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

/** The bytes of an object field with edits of its own fields; `null` where the body has no such field. */
export function editField(body: CallerBody<unknown>, key: string, edits: FieldEdits): Buffer | null {
  const field = body.span.fields.find((candidate) => candidate.key === key);
  return field ? editObject(body.bytes, scanObject(body.bytes, field.valueStart), edits) : null;
}

/** The body with its edits; the very same buffer when there are none. */
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

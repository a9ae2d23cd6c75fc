import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { completionLimits } from '#json/body-limits.ts';
import { listFieldNames } from '#json/field-names.ts';
import { finish } from '#platform/steps.ts';
import {
  editBody,
  editField,
  listOwnFieldEdits,
  ownFields,
  readCallerBody,
  readTaskId,
} from './caller-body.ts';

const schema = z.looseObject({
  ...ownFields,
  model: z.string(),
  format: z.string().nullish(),
  list: z.array(z.looseObject({ kind: z.string() })).optional(),
});
const read = (body: string | Buffer) =>
  finish(readCallerBody(Buffer.from(body), { schema, names: listFieldNames([schema]) }));
const readBody = (text: string) => {
  const result = read(text);
  if (!result.ok) throw new Error(result.problem.message);
  return result.body;
};
const problemOf = (body: string | Buffer) => {
  const result = read(body);
  return result.ok ? null : result.problem;
};

describe('readCallerBody', () => {
  it('readCallerBody keeps unknown fields and the original bytes', () => {
    const body = readBody('{"model":"a","unknown":[1.0]}');
    expect(body.fields).toEqual({ model: 'a', unknown: [1] });
    expect(body.bytes.toString()).toBe('{"model":"a","unknown":[1.0]}');
  });

  it.each([
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'invalid_json'],
    ['text that is not JSON', '{"model":', 'invalid_json'],
    ['an empty body', '', 'invalid_json'],
    ['an array', '[]', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    [
      'excessive nesting',
      `{"a":${'['.repeat(completionLimits.depth)}${']'.repeat(completionLimits.depth)}}`,
      'invalid_request',
    ],
  ])('readCallerBody rejects %s', (_name, body, code) => {
    expect(problemOf(body)).toMatchObject({ code, param: null });
  });

  it('readCallerBody rejects a million unclosed brackets as too deep instead of as invalid JSON', () => {
    expect(problemOf(`{"a":${'['.repeat(1_000_000)}`)?.code).toBe('invalid_request');
  });

  it('readCallerBody names a duplicate field that is written with an escape', () => {
    expect(problemOf('{"model":"a","mode\\u006c":"b"}')).toMatchObject({
      code: 'duplicate_field',
      param: 'model',
    });
  });

  it('readCallerBody names the path of the field that the schema rejects', () => {
    expect(problemOf('{"model":"a","list":[{"kind":"x"},{"kind":7}]}')).toMatchObject({
      code: 'invalid_request',
      param: 'list[1].kind',
    });
    expect(problemOf('{}')?.param).toBe('model');
  });

  it('readCallerBody rejects a task id that is not an integer of at most 2,147,483,647', () => {
    expect(problemOf('{"model":"a","task_id":2147483648}')?.param).toBe('task_id');
    expect(problemOf('{"model":"a","metadata":{"task_id":"x"}}')?.param).toBe('metadata.task_id');
    expect(problemOf('{"model":"a","task_id":"2147483647"}')).toBeNull();
  });
});

describe('readTaskId', () => {
  it.each([
    ['{"model":"a"}', null],
    ['{"model":"a","task_id":7}', 7],
    ['{"model":"a","task_id":"12"}', 12],
    ['{"model":"a","metadata":{"task_id":3}}', 3],
    ['{"model":"a","task_id":1,"metadata":{"task_id":3}}', 1],
    ['{"model":"a","task_id":null,"metadata":null}', null],
  ])('readTaskId reads %s as %s', (text, taskId) => {
    expect(readTaskId(readBody(text).fields)).toBe(taskId);
  });
});

describe('editing a caller body', () => {
  it('editBody returns the same buffer if there is nothing to edit', () => {
    const body = readBody('{ "model": "a" }');
    expect(editBody(body, listOwnFieldEdits(body))).toBe(body.bytes);
  });

  it.each([
    ['{"model":"a","task_id":7,"x":1.0}', '{"model":"a","x":1.0}'],
    ['{"model":"a","format":"minimal"}', '{"model":"a"}'],
    ['{"model":"a","metadata":{"task_id":7}}', '{"model":"a"}'],
    ['{"model":"a","metadata":{"task_id":7,"user_id":"u"}}', '{"model":"a","metadata":{"user_id":"u"}}'],
    ['{"model":"a","metadata":{"user_id":"u"}}', '{"model":"a","metadata":{"user_id":"u"}}'],
  ])("listOwnFieldEdits removes the gateway's own fields from %s", (text, expected) => {
    const body = readBody(text);
    expect(editBody(body, listOwnFieldEdits(body)).toString()).toBe(expected);
  });

  it('editField edits a nested object without changing other bytes', () => {
    const body = readBody('{"model":"a","options":{"keep":1.0,"drop":2}}');
    expect(editField(body, 'options', new Map([['drop', null]]))?.toString()).toBe('{"keep":1.0}');
    expect(editField(body, 'absent', new Map())).toBeNull();
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Answer, type Authenticated, addResult, type Parsed, type Received } from './exchange.ts';

// safe because the tests read no other fields of a request
const received = {} as Received;
// safe because the tests read no other fields of a principal
const principal = { userId: 7 } as Authenticated['principal'];

it("addResult adds a stage's results to the same object", () => {
  const exchange = { ...received };
  expect(addResult(exchange, 'authenticate', { principal })).toBe(exchange);
  expect(exchange).toMatchObject({ principal: { userId: 7 } });
});

// Each of these assignments and calls must fail to compile; an unused `@ts-expect-error` directive is itself an
// error.
it("addResult rejects changing earlier results or adding another stage's results at compile time", () => {
  const change = (exchange: Parsed, answer: Readonly<Answer>) => {
    // @ts-expect-error the principal was added by an earlier stage
    addResult(exchange, 'authenticate', { principal });
    // @ts-expect-error another stage adds the answer
    addResult(exchange, 'bindTask', { answer });
    // @ts-expect-error another stage adds the answer, even next to this stage's own result
    addResult(exchange, 'bindTask', { task: null, answer });
    // @ts-expect-error no stage adds this field
    addResult(exchange, 'bindTask', { httpStatus: 200 });
    // @ts-expect-error a result cannot be replaced
    exchange.summary = { model: 'm', isStream: false, prompt: null };
    // @ts-expect-error a field of a result cannot be changed
    exchange.summary.isStream = true;
    // @ts-expect-error an answer is read-only for other stages
    answer.bytes = 0;
  };
  expect(change).toBeTypeOf('function');
});

const pipeline = join(import.meta.dirname, 'pipeline');
const stageFiles = readdirSync(pipeline).filter((file) => !file.endsWith('.test.ts'));

it.each(stageFiles)('pipeline/%s adds results only under its own stage name', (file) => {
  const stage = file.slice(0, -3).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const named = readFileSync(join(pipeline, file), 'utf8').matchAll(/addResult\(\s*\w+,\s*'(\w+)'/g);
  expect([...named].filter(([, name]) => name !== stage)).toEqual([]);
});

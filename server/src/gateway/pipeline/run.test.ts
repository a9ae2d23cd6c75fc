import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { errorCodes } from '@sluice/contract';
import { describe, expect, it, vi } from 'vitest';
import { AnswerHead } from '../answer-head.ts';
import { matchRoute } from '../routes.ts';
import { type PipelineDeps, runPipeline } from './run.ts';

const root = join(import.meta.dirname, '../../../..');
const lifecycle = readFileSync(join(root, 'docs/LIFECYCLE.md'), 'utf8');
const documented = [...lifecycle.matchAll(/^\| ([a-z-]+) \| `server\/src\/gateway\/pipeline\//gm)].map(
  ([, stage]) => stage ?? '',
);
const files = readdirSync(import.meta.dirname).filter(
  (file) => !file.endsWith('.test.ts') && file !== 'run.ts',
);

describe('docs/LIFECYCLE.md', () => {
  it('docs/LIFECYCLE.md names every stage file and no other', () => {
    expect(documented.map((stage) => `${stage}.ts`).sort()).toEqual(files.sort());
  });

  it('docs/LIFECYCLE.md lists the stages in execution order', () => {
    const run = readFileSync(join(import.meta.dirname, 'run.ts'), 'utf8');
    const functions = documented.map((stage) =>
      stage.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase()),
    );
    const calls = [...run.matchAll(new RegExp(`(?<!\\.)\\b(${functions.join('|')})\\(`, 'g'))].map(
      ([, name]) => documented[functions.indexOf(name ?? '')],
    );
    const stagesOf = (names: (string | undefined)[]) =>
      names.filter((stage) => stage !== 'receive' && stage !== 'authenticate' && stage !== 'settle');
    expect(stagesOf(calls)).toEqual(stagesOf(documented));
    expect(documented.slice(0, 2)).toEqual(['receive', 'authenticate']);
    expect(documented.at(-1)).toBe('settle');
  });
});

describe('docs/ERRORS.md', () => {
  it('docs/ERRORS.md lists every error code with its status and no other', () => {
    const text = readFileSync(join(root, 'docs/ERRORS.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `([a-z_]+)` \| ([0-9-]+) \|/gm)].map(([, code, status]) => [
      code,
      status,
    ]);
    const known = Object.entries(errorCodes).map(([code, { status }]) => [
      code,
      code === 'provider_rejected' ? '400-499' : String(status),
    ]);
    expect(listed.toSorted()).toEqual(known.toSorted());
  });
});

it('a request that cannot be ended loses its connection and nothing else', async () => {
  const errors: unknown[] = [];
  const onEnded = vi.fn().mockImplementationOnce(() => {
    throw new Error('metrics are broken');
  });
  // Safe because a request without a credential ends in the second stage.
  const deps = {
    observer: { onReceived() {}, onEnded },
    abandoned: { end() {} },
    log: { error: (facts: unknown) => errors.push(facts) },
    findAddress: () => '127.0.0.1',
    refusalPace: { run: (_caller: string, send: () => void) => send() },
  } as unknown as PipelineDeps;
  const route = matchRoute('POST', '/api/v1/chat/completions');
  if (route.kind !== 'route') throw new Error('the path is served');
  await using server = createServer((request, response) => {
    void runPipeline(deps, request, response, new AnswerHead(response), route, { isLogged: true, run() {} });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const ask = () =>
    fetch(`http://127.0.0.1:${typeof address === 'object' && address?.port}`, { method: 'POST' });
  await expect(ask()).rejects.toThrow('fetch failed');
  expect(errors).toMatchObject([{ error: { message: 'metrics are broken' } }]);
  expect((await ask()).status).toBe(401);
});
